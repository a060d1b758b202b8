// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Device forms of loops by the names of their types: device images bring them into a program before
// main begins, loops find them when they run.
#pragma once

#include <string>
#include <string_view>

#include "halocline/loop/loop.hpp"

/// The source file that is compiled, for programs and their device images alike: types of unnamed
/// namespaces are distinguished by it.
#if !defined(HALOCLINE_SOURCE)
#define HALOCLINE_SOURCE ""
#endif

namespace halocline {

class Context;

}  // namespace halocline

namespace halocline::device {

/// Loops of one type, in one source file.
struct FormKey {
    std::string source;
    std::string loops;  ///< `portable_name` of their type
    friend auto operator<=>(const FormKey&, const FormKey&) = default;
};

/// A type's name as every compiler gives it: they call unnamed namespaces by different names. `unnamed`
/// is the name of a type of the same source file, `UnnamedProbe` in halocline::device's one.
[[nodiscard]] std::string portable_name(std::string_view name, std::string_view unnamed);

/// What runs loops of one type on a device.
struct Form {
    /// Returns false when these arguments are none for a device. Null: no loops of this type run there.
    bool (*run)(Context& context, const LoopName& name, const SetPart* set, const void* loops);
    bool on_gpu;  ///< else on the emulated device only
};

/// Makes a form known; one that was there before stays. Before main only: not thread-safe.
void add_form(const FormKey& key, const Form& form);
/// Null when there is none. What is returned stays where it is.
[[nodiscard]] const Form* find_form(const FormKey& key);
/// Whether any loop of this program can run on a GPU, or on the emulated device.
[[nodiscard]] bool has_forms(bool on_gpu);
/// Why a loop of this source file that has no form has none, and what to do: one sentence.
[[nodiscard]] std::string_view explain_missing_form(std::string_view source, bool on_gpu);

}  // namespace halocline::device
