// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One element of a loop that computes each element once: what it changes of its own, or of targets that
// no other element reaches, is stored; what others change, too, is kept until the targets collect it.
#pragma once

#include "halocline/backend/device/kernels/contributions.hpp"
#include "halocline/backend/device/views/dat_access.hpp"
#include "halocline/backend/device/views/once_views.hpp"
#include "halocline/backend/device/views/registers.hpp"

namespace halocline::device {

template <class LoopT>
class ElementRun {
    using View = ElementsView<LoopT>;
    template <std::size_t a>
    using Arg = typename View::template Arg<a>;
    template <class Arg>
    using ValuesOf = halocline::detail::ArgValues<Arg, double>;

public:
    HALOCLINE_HD ElementRun(const View& view, LocalIndex element)
        : view_(view), element_(element) {}

    /// Adds to `share` what the element gives to reductions, if this rank owns it.
    HALOCLINE_HD void run(LoopContributions<LoopT>& share) {
        run_args(share, typename View::Indices{});
    }

private:
    template <std::size_t... a>
    HALOCLINE_HD void run_args(LoopContributions<LoopT>& share, std::index_sequence<a...>) {
        const LoopView<LoopT>& loop = get<0>(view_.loop.loops);
        Tuple<ValuesOf<Arg<a>>...> values;
        ((get<a>(values) = load<Arg<a>>(get<a>(loop.args))), ...);
        loop.kernel(halocline::detail::as_kernel_sees<Arg<a>>(get<a>(values))...);
        (leave<Arg<a>>(get<a>(loop.args), view_.changes[a], get<a>(values), get<a>(share.of)), ...);
    }

    template <class Arg>
    HALOCLINE_HD LocalIndex place(const ArgView<Arg>& arg) const {
        if constexpr (Arg::is_indirect) {
            return arg.targets[std::int64_t{element_} * Arg::MapT::arity + Arg::slot];
        } else {
            return element_;
        }
    }

    /// What the kernel gets. Extremes through maps start from their neutral element: the targets join them.
    template <class Arg>
    HALOCLINE_HD ValuesOf<Arg> load(const ArgView<Arg>& arg) const {
        using T = typename Arg::Stored;
        constexpr Access access = Arg::access;
        if constexpr (access == Access::inc || access == Access::write) {
            return filled<Arg>(neutral_increment<Computed<T>>());
        } else if constexpr (Arg::is_global) {
            ValuesOf<Arg> values;
            for (int d = 0; d < Arg::size; ++d) {
                values[d] = arg.value(d);
            }
            return values;
        } else if constexpr (access == Access::min || access == Access::max) {
            return filled<Arg>(neutral_extreme<T, access == Access::min>());
        } else {
            return load_dat<typename Arg::DatT, Arg::size>(arg.values, arg.stride, place(arg));
        }
    }
    template <class Arg>
    HALOCLINE_HD static ValuesOf<Arg> filled(Computed<typename Arg::Stored> value) {
        ValuesOf<Arg> values;
        for (int d = 0; d < Arg::size; ++d) {
            values[d] = value;
        }
        return values;
    }

    /// What the kernel left.
    template <class Arg>
    HALOCLINE_HD void leave(const ArgView<Arg>& arg, const ChangeView& change,
                            const ValuesOf<Arg>& values, Contribution<Arg>& share) const {
        if constexpr (is_reduction<Arg>) {
            if (element_ < view_.owned) {
                share.values = values;
            }
        } else if constexpr (halocline::detail::is_shared_change<Arg>) {
            for (int d = 0; d < Arg::size; ++d) {
                change.changes[std::int64_t{d} * view_.stride + element_] = as_change(values[d]);
            }
        } else if constexpr (!Arg::is_global && Arg::access != Access::read) {
            const LocalIndex at = place(arg);
            if (at < change.owned) {  // else another rank's, which computes it itself
                store<Arg>(arg, at, values);
            }
        }
    }

    template <class Arg>
    HALOCLINE_HD static void store(const ArgView<Arg>& arg, LocalIndex at,
                                   const ValuesOf<Arg>& values) {
        using DatT = typename Arg::DatT;
        ValuesOf<Arg> result = values;
        if constexpr (Arg::access == Access::inc) {
            result = load_dat<DatT, DatT::dim>(arg.values, arg.stride, at);
            for (int d = 0; d < DatT::dim; ++d) {
                result[d] += values[d];
            }
        }
        store_dat<DatT>(arg.values, arg.stride, at, result);
    }

    const View& view_;
    LocalIndex element_;
};

}  // namespace halocline::device
