// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What one target gives to the reductions of a chain.
#pragma once

#include <limits>

#include "halocline/backend/device/views/views.hpp"

namespace halocline::device {

/// What one target gives to a reduction; nothing for other arguments.
template <class Arg>
struct Contribution {
    HALOCLINE_HD void clear() {}
};
template <Access access, int dim>
requires(is_reduction<GlobalArg<access, dim>>) struct Contribution<GlobalArg<access, dim>> {
    Values<double, dim> values;
    HALOCLINE_HD void clear() {
        const double infinity = std::numeric_limits<double>::infinity();
        for (int d = 0; d < dim; ++d) {
            values[d] = access == Access::inc ? 0.0 : access == Access::min ? infinity : -infinity;
        }
    }
};

template <class LoopT>
struct LoopContributions;
template <class Kernel, class Tag, class... Args>
struct LoopContributions<Loop<Kernel, Tag, Args...>> {
    static constexpr int components = (0 + ... + (is_reduction<Args> ? Args::size : 0));
    static constexpr bool any = components > 0;
    Tuple<Contribution<Args>...> of;

    HALOCLINE_HD void clear() { clear_all(std::index_sequence_for<Args...>{}); }

private:
    template <std::size_t... i>
    HALOCLINE_HD void clear_all(std::index_sequence<i...>) {
        (get<i>(of).clear(), ...);
    }
};

template <class... Loops>
struct Contributions {
    static constexpr int components = (0 + ... + LoopContributions<Loops>::components);
    static constexpr bool any = components > 0;
    Tuple<LoopContributions<Loops>...> of;

    HALOCLINE_HD void clear() { clear_all(std::index_sequence_for<Loops...>{}); }

private:
    template <std::size_t... i>
    HALOCLINE_HD void clear_all(std::index_sequence<i...>) {
        (get<i>(of).clear(), ...);
    }
};

}  // namespace halocline::device
