// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What the generated wrappers do around a call that is never split: count it.
#pragma once

#include "collectives/call_count.hpp"
#include "collectives/guard.hpp"

#define HALOCLINE_WRAPPER extern "C" __attribute__((visibility("default")))
#define HALOCLINE_FRAME \
    Frame {}

namespace halocline::endpoints::counted {

enum class Function : std::uint16_t;

/// Finds the real functions. @returns true
bool find_real();

struct Frame {};

/// The interface that generated code expects; nothing is left of it but an increment.
class Call {
public:
    Call(Function, Frame) {
        [[maybe_unused]] static const bool found = find_real();
        if (!Guard::held()) {
            CallCount::add();
        }
    }
    [[nodiscard]] static bool counts() { return false; }
    static void begin() {}
    static void end() {}
};

}  // namespace halocline::endpoints::counted
