// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A function of the caller, handed down a call: what takes it is compiled once, whoever calls.
#pragma once

#include <type_traits>

namespace halocline {

/// `FunctionRef<Result(Args...)>`, see below.
template <class Signature>
class FunctionRef;

/// Refers to something callable that outlives it, a lambda of the caller for example. Nothing is copied
/// or allocated; a call costs one jump.
template <class Result, class... Args>
class FunctionRef<Result(Args...)> {
public:
    /// Of any `callable` that takes these arguments.
    template <class Callable>
    requires(!std::is_same_v<std::remove_cv_t<Callable>, FunctionRef>)
        FunctionRef(const Callable& callable)
        : callable_(&callable), call_([](const void* object, Args... args) -> Result {
              return (*static_cast<const Callable*>(object))(static_cast<Args>(args)...);
          }) {}

    /// Calls it.
    Result operator()(Args... args) const { return call_(callable_, static_cast<Args>(args)...); }

private:
    const void* callable_;
    Result (*call_)(const void*, Args...);
};

}  // namespace halocline
