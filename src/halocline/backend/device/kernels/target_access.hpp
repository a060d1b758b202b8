// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of a chain get and leave at one target: memory, the stage of its tile, registers.
#pragma once

#include "halocline/backend/device/tiles/staged_chain.hpp"
#include "halocline/backend/device/views/registers.hpp"

namespace halocline::device {

/// `load`, `store` for arguments of the chain's loops; a thread has one.
template <class... Loops>
class TargetAccess {
    using Stage = StagedChain<Loops...>;
    using Temporaries = detail::TemporariesOf<Loops...>;

public:
    HALOCLINE_HD TargetAccess(LocalIndex target, const Stage& stage)
        : target_(target), stage_(stage) {}

    HALOCLINE_HD void clear_temporaries() {
        (clear_temporaries_of<Loops>(typename LoopView<Loops>::Indices{}), ...);
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
        } else if constexpr (detail::Temporary<Arg>) {
            return temporaries_.template of<typename Arg::DatT>();
        } else if constexpr (Arg::is_indirect) {
            const LocalIndex at =
                arg.targets[static_cast<std::int64_t>(element) * Arg::MapT::arity + Arg::slot];
            return load_dat<typename Arg::DatT, Arg::size>(arg.values, arg.stride, at);
        } else {
            Values<double, Arg::size> values;
            if (element != target_ ||
                !stage_.template find<typename Arg::DatT>(arg.values, element, values)) {
                values = load_dat<typename Arg::DatT, Arg::size>(arg.values, arg.stride, element);
            }
            return values;
        }
    }

    /// What a kernel finds where it only adds or writes.
    template <class Arg>
    HALOCLINE_HD static Values<double, Arg::size> nothing() {
        Values<double, Arg::size> values;
        for (int d = 0; d < Arg::size; ++d) {
            values[d] = no_increment;
        }
        return values;
    }

    /// What the kernel left for one argument at the target.
    template <class Arg>
    HALOCLINE_HD void store(const ArgView<Arg>& arg, const Values<double, Arg::size>& values) {
        if constexpr (!Arg::is_global && Arg::access != Access::read) {
            using DatT = typename Arg::DatT;
            Values<double, DatT::dim> result = values;
            if constexpr (detail::Temporary<Arg>) {
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

    /// Dats in memory that a loop changes through maps: their values before it, and after.
    template <class LoopT, class Gathered, std::size_t... a>
    HALOCLINE_HD void load_gathered(const LoopView<LoopT>& loop, Gathered& gathered,
                                    std::index_sequence<a...>) {
        (load_gathered_arg<typename LoopView<LoopT>::template Arg<a>>(get<a>(loop.args), gathered),
         ...);
    }
    template <class LoopT, class Gathered, std::size_t... a>
    HALOCLINE_HD void store_gathered(const LoopView<LoopT>& loop, Gathered& gathered,
                                     std::index_sequence<a...>) {
        (store_gathered_arg<typename LoopView<LoopT>::template Arg<a>>(get<a>(loop.args), gathered),
         ...);
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

private:
    template <class LoopT, std::size_t... a>
    HALOCLINE_HD void clear_temporaries_of(std::index_sequence<a...>) {
        (clear_temporary<typename LoopView<LoopT>::template Arg<a>>(), ...);
    }
    template <class Arg>
    HALOCLINE_HD void clear_temporary() {
        if constexpr (detail::Temporary<Arg>) {
            for (int d = 0; d < Arg::size; ++d) {
                temporaries_.template of<typename Arg::DatT>()[d] = 0.0;
            }
        }
    }

    template <class Arg, class Gathered>
    HALOCLINE_HD void load_gathered_arg(const ArgView<Arg>& arg, Gathered& gathered) {
        if constexpr (detail::Gathered<Arg>) {
            using DatT = typename Arg::DatT;
            gathered.template of<DatT>() =
                load_dat<DatT, DatT::dim>(arg.values, arg.stride, target_);
        }
    }
    template <class Arg, class Gathered>
    HALOCLINE_HD void store_gathered_arg(const ArgView<Arg>& arg, Gathered& gathered) {
        if constexpr (detail::Gathered<Arg>) {
            using DatT = typename Arg::DatT;
            store_dat<DatT>(arg.values, arg.stride, target_, gathered.template of<DatT>());
        }
    }

    LocalIndex target_;
    const Stage& stage_;
    Temporaries temporaries_;
};

}  // namespace halocline::device
