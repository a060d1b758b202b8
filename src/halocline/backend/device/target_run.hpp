// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One target of a chain: gathers what its rows bring, then runs the loops over the target itself.
// The order of every sum is that of the serial back end, so the bits are, too.
#pragma once

#include "halocline/backend/device/contributions.hpp"
#include "halocline/backend/device/dat_access.hpp"
#include "halocline/backend/device/registers.hpp"
#include "halocline/loop/extreme_keys.hpp"

namespace halocline::device {

template <class... Loops>
class TargetRun {
    using View = ChainView<Loops...>;
    using Temporaries = typename detail::TemporariesOf<RegisterFile<>, Loops...>::type;

public:
    HALOCLINE_HD TargetRun(const View& view, LocalIndex target, Contributions<Loops...>& out)
        : view_(view), target_(target), out_(out) {}

    HALOCLINE_HD void run() { run_loops(typename View::Indices{}); }

private:
    template <std::size_t... l>
    HALOCLINE_HD void run_loops(std::index_sequence<l...>) {
        (clear_temporaries<Loops>(typename LoopView<Loops>::Indices{}), ...);
        (run_loop(field<l>(view_.loops), field<l>(out_.of)), ...);
    }

    template <class LoopT, std::size_t... a>
    HALOCLINE_HD void clear_temporaries(std::index_sequence<a...>) {
        (clear_temporary<typename LoopView<LoopT>::template Arg<a>>(), ...);
    }
    template <class Arg>
    HALOCLINE_HD void clear_temporary() {
        if constexpr (detail::IsTemporary<Arg>::value) {
            for (int d = 0; d < Arg::size; ++d) {
                temporaries_.template of<typename Arg::DatT>()[d] = 0.0;
            }
        }
    }

    template <class LoopT>
    HALOCLINE_HD void run_loop(const LoopView<LoopT>& loop, LoopContributions<LoopT>& out) {
        using Indices = typename LoopView<LoopT>::Indices;
        if constexpr (!LoopT::has_indirect_change) {
            run_direct(loop, out, Indices{});
        } else {
            static_assert(!LoopContributions<LoopT>::any,
                          "a loop that changes dats through maps has no reductions on a device");
            typename detail::GatheredOf<LoopT>::type gathered;
            load_gathered(loop, gathered, Indices{});
            if constexpr (is_swap_symmetric<typename LoopT::Kernel>) {
                run_two_ended(loop, gathered, Indices{});
            } else {
                run_gather(loop, gathered, Indices{});
            }
            store_gathered(loop, gathered, Indices{});
        }
    }

    // The loop's own element.

    template <class LoopT, std::size_t... a>
    HALOCLINE_HD void run_direct(const LoopView<LoopT>& loop, LoopContributions<LoopT>& out,
                                 std::index_sequence<a...>) {
        using L = LoopView<LoopT>;
        Fields<Values<double, L::template Arg<a>::size>...> values;
        ((field<a>(values) = load<typename L::template Arg<a>>(field<a>(loop.args), target_)), ...);
        loop.kernel(detail::as_kernel_sees<typename L::template Arg<a>>(field<a>(values))...);
        (store<typename L::template Arg<a>>(field<a>(loop.args), field<a>(values)), ...);
        (contribute<typename L::template Arg<a>>(field<a>(out.of), field<a>(values)), ...);
    }

    /// What the kernel gets for one argument at an element.
    template <class Arg>
    HALOCLINE_HD Values<double, Arg::size> load(const ArgView<Arg>& arg, LocalIndex element) {
        if constexpr (Arg::access == Access::inc || Arg::access == Access::write) {
            return nothing<Arg>();
        } else if constexpr (Arg::is_global) {
            Values<double, Arg::size> values;
            for (int d = 0; d < Arg::size; ++d) {
                values[d] = arg.value(d);
            }
            return values;
        } else if constexpr (detail::IsTemporary<Arg>::value) {
            return temporaries_.template of<typename Arg::DatT>();
        } else if constexpr (Arg::is_indirect) {
            const LocalIndex at =
                arg.targets[static_cast<std::int64_t>(element) * Arg::MapT::arity + Arg::slot];
            return load_dat<typename Arg::DatT, Arg::size>(arg.values, arg.stride, at);
        } else {
            return load_dat<typename Arg::DatT, Arg::size>(arg.values, arg.stride, element);
        }
    }

    template <class Arg>
    HALOCLINE_HD static Values<double, Arg::size> nothing() {
        Values<double, Arg::size> values;
        for (int d = 0; d < Arg::size; ++d) {
            values[d] = no_increment;
        }
        return values;
    }

    template <class Arg>
    HALOCLINE_HD void store(const ArgView<Arg>& arg, const Values<double, Arg::size>& values) {
        if constexpr (!Arg::is_global && Arg::access != Access::read) {
            using DatT = typename Arg::DatT;
            Values<double, DatT::dim> result = values;
            if constexpr (detail::IsTemporary<Arg>::value) {
                Values<double, DatT::dim>& kept = temporaries_.template of<DatT>();
                for (int d = 0; d < DatT::dim; ++d) {
                    kept[d] = Arg::access == Access::inc ? kept[d] + result[d] : result[d];
                }
            } else {
                if constexpr (Arg::access == Access::inc) {
                    result = load_dat<DatT, DatT::dim>(arg.values, arg.stride, target_);
                    for (int d = 0; d < DatT::dim; ++d) {
                        result[d] += values[d];
                    }
                }
                store_dat<DatT>(arg.values, arg.stride, target_, result);
            }
        }
    }

    template <class Arg>
    HALOCLINE_HD static void contribute(Contribution<Arg>& out,
                                        const Values<double, Arg::size>& values) {
        if constexpr (is_reduction<Arg>) {
            out.values = values;
        }
    }

    // Elements that reach the target through maps.

    template <class LoopT, class Gathered, std::size_t... a>
    HALOCLINE_HD void load_gathered(const LoopView<LoopT>& loop, Gathered& gathered,
                                    std::index_sequence<a...>) {
        (load_gathered_arg<typename LoopView<LoopT>::template Arg<a>>(field<a>(loop.args),
                                                                      gathered),
         ...);
    }
    template <class Arg, class Gathered>
    HALOCLINE_HD void load_gathered_arg(const ArgView<Arg>& arg, Gathered& gathered) {
        if constexpr (detail::IsGathered<Arg>::value) {
            using DatT = typename Arg::DatT;
            gathered.template of<DatT>() =
                load_dat<DatT, DatT::dim>(arg.values, arg.stride, target_);
        }
    }
    template <class LoopT, class Gathered, std::size_t... a>
    HALOCLINE_HD void store_gathered(const LoopView<LoopT>& loop, Gathered& gathered,
                                     std::index_sequence<a...>) {
        (store_gathered_arg<typename LoopView<LoopT>::template Arg<a>>(field<a>(loop.args),
                                                                       gathered),
         ...);
    }
    template <class Arg, class Gathered>
    HALOCLINE_HD void store_gathered_arg(const ArgView<Arg>& arg, Gathered& gathered) {
        if constexpr (detail::IsGathered<Arg>::value) {
            using DatT = typename Arg::DatT;
            store_dat<DatT>(arg.values, arg.stride, target_, gathered.template of<DatT>());
        }
    }

    /// The sum of a dat while it is gathered.
    template <class DatT, class Gathered>
    HALOCLINE_HD Values<double, DatT::dim>& sum_of(Gathered& gathered) {
        if constexpr (shape_of<DatT>() == Shape::none) {
            return temporaries_.template of<DatT>();
        } else {
            return gathered.template of<DatT>();
        }
    }

    /// Each end of an edge by itself: the target is the first end, whatever the map says; oriented
    /// vectors come negated where it is the second.
    template <class LoopT, class Gathered, std::size_t... a>
    HALOCLINE_HD void run_two_ended(const LoopView<LoopT>& loop, Gathered& gathered,
                                    std::index_sequence<a...>) {
        using L = LoopView<LoopT>;
        Fields<Values<double, L::template Arg<a>::size>...> values;
        (load_own_end<typename L::template Arg<a>>(field<a>(loop.args), field<a>(values)), ...);
        const LocalIndex lane = target_ % slice;
        const LocalIndex first = loop.rows.begin[target_ / slice];
        const int length = loop.rows.length[target_];
        // One entry ahead: the loads that depend on an index find it there.
        std::int64_t entry = std::int64_t{first} * slice + lane;
        LocalIndex coming = length > 0 ? loop.rows.other[entry] : 0;
        std::uint16_t coming_value = length > 0 ? loop.rows.value[entry] : 0;
        for (int s = 0; s < length; ++s) {
            const LocalIndex other = coming;
            const ValuePlace place = value_place(loop.rows, target_, other, coming_value);
            entry += s + 1 < length ? slice : 0;
            coming = loop.rows.other[entry];
            coming_value = loop.rows.value[entry];
            (load_entry<typename L::template Arg<a>>(field<a>(loop.args), field<a>(values), other,
                                                     place),
             ...);
            loop.kernel(detail::as_kernel_sees<typename L::template Arg<a>>(field<a>(values))...);
            (add_own_end<typename L::template Arg<a>>(field<a>(values), gathered), ...);
        }
    }

    template <class Arg>
    HALOCLINE_HD void load_own_end(const ArgView<Arg>& arg, Values<double, Arg::size>& values) {
        if constexpr (Arg::is_global) {
            values = load<Arg>(arg, target_);
        } else if constexpr (Arg::slot == 0 && Arg::access == Access::read) {
            values = load_dat<typename Arg::DatT, Arg::size>(arg.values, arg.stride, target_);
        }
    }

    template <class Arg>
    HALOCLINE_HD void load_entry(const ArgView<Arg>& arg, Values<double, Arg::size>& values,
                                 LocalIndex other, const ValuePlace& place) {
        if constexpr (Arg::access == Access::inc) {
            values = nothing<Arg>();
        } else if constexpr (!Arg::is_global) {
            if constexpr (Arg::slot == 1) {
                values = load_dat<typename Arg::DatT, Arg::size>(arg.values, arg.stride, other);
            } else if constexpr (!Arg::is_indirect) {
                const double* first = arg.in_row_order + std::int64_t{place.value} * Arg::size;
                for (int d = 0; d < Arg::size; ++d) {
                    const bool negated = Arg::is_oriented && place.is_from_second_end;
                    values[d] = negated ? -first[d] : first[d];
                }
            }
        }
    }

    template <class Arg, class Gathered>
    HALOCLINE_HD void add_own_end(const Values<double, Arg::size>& values, Gathered& gathered) {
        if constexpr (Arg::access == Access::inc) {
            if constexpr (Arg::slot == 0) {
                auto& sum = sum_of<typename Arg::DatT>(gathered);
                for (int d = 0; d < Arg::size; ++d) {
                    sum[d] += values[d];
                }
            }
        }
    }

    template <class LoopT, class Gathered, std::size_t... a>
    HALOCLINE_HD void run_gather(const LoopView<LoopT>& loop, Gathered& gathered,
                                 std::index_sequence<a...>) {
        using L = LoopView<LoopT>;
        const LocalIndex lane = target_ % slice;
        const LocalIndex first = loop.rows.begin[target_ / slice];
        const int length = loop.rows.length[target_];
        for (int s = 0; s < length; ++s) {
            const std::int64_t entry = (std::int64_t{first} + s) * slice + lane;
            const LocalIndex element = loop.rows.element[entry];
            const LocalIndex column = loop.rows.column == nullptr ? 0 : loop.rows.column[entry];
            Fields<Values<double, L::template Arg<a>::size>...> values;
            ((field<a>(values) = load_at<typename L::template Arg<a>>(field<a>(loop.args), element,
                                                                      column, gathered)),
             ...);
            loop.kernel(detail::as_kernel_sees<typename L::template Arg<a>>(field<a>(values))...);
            (join<typename L::template Arg<a>>(field<a>(loop.args), field<a>(values), column,
                                               gathered),
             ...);
        }
    }

    template <class Arg, class Gathered>
    HALOCLINE_HD Values<double, Arg::size> load_at(const ArgView<Arg>& arg, LocalIndex element,
                                                   LocalIndex column, Gathered& gathered) {
        if constexpr (!Arg::is_global &&
                      (Arg::access == Access::min || Arg::access == Access::max)) {
            if (arg.column == column) {
                return sum_of<typename Arg::DatT>(gathered);
            }
            Contribution<GlobalArg<Arg::access, Arg::size>> neutral;  // another target's, which its
            neutral.clear();                                          // own thread computes
            return neutral.values;
        } else {
            return load<Arg>(arg, element);
        }
    }

    template <class Arg, class Gathered>
    HALOCLINE_HD void join(const ArgView<Arg>& arg, const Values<double, Arg::size>& values,
                           LocalIndex column, Gathered& gathered) {
        if constexpr (Arg::is_indirect && Arg::access != Access::read) {
            if (arg.column != column) {
                return;
            }
            auto& sum = sum_of<typename Arg::DatT>(gathered);
            for (int d = 0; d < Arg::size; ++d) {
                if constexpr (Arg::access == Access::inc) {
                    sum[d] += values[d];
                } else {
                    constexpr bool smallest = Arg::access == Access::min;
                    const std::int64_t mine = extreme_key<smallest>(sum[d]);
                    const std::int64_t theirs = extreme_key<smallest>(values[d]);
                    sum[d] = (smallest ? theirs < mine : theirs > mine) ? values[d] : sum[d];
                }
            }
        }
    }

    const View& view_;
    LocalIndex target_;
    Contributions<Loops...>& out_;
    Temporaries temporaries_;
};

}  // namespace halocline::device
