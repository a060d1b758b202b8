// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a thread keeps in registers between loops: temporaries, and dats while they are gathered.
#pragma once

#include <type_traits>

#include "halocline/backend/device/views/dat_shape.hpp"
#include "halocline/backend/device/views/views.hpp"

namespace halocline::device {

/// Registers that stand for a dat, found by its type.
template <class DatT>
struct Registers {
    Values<double, DatT::dim> values;
};
template <class... DatTs>
struct RegisterFile : Registers<DatTs>... {
    template <class DatT>
    HALOCLINE_HD Values<double, DatT::dim>& of() {
        return static_cast<Registers<DatT>&>(*this).values;
    }
};

namespace detail {

/// An argument whose dat lives within the chain only.
template <class Arg>
concept Temporary = !Arg::is_global && shape_of<typename Arg::DatT>() == Shape::none;

/// An argument that is changed through a map, and lies in memory.
template <class Arg>
concept Gathered = !Arg::is_global && Arg::is_indirect && Arg::access != Access::read &&
                   shape_of<typename Arg::DatT>() != Shape::none;

/// The dat of an argument where it `is_wanted`.
template <class Arg, bool is_wanted>
struct Candidate {};

/// A register file as the value of an expression, and with the dat of one more argument: each dat once.
template <class... DatTs>
struct FileOf {
    using type = RegisterFile<DatTs...>;
    template <class Arg, bool is_wanted>
    constexpr auto operator+(Candidate<Arg, is_wanted>) const {
        if constexpr (!is_wanted) {
            return *this;
        } else if constexpr ((std::is_same_v<DatTs, typename Arg::DatT> || ...)) {
            return *this;
        } else {
            return FileOf<DatTs..., typename Arg::DatT>{};
        }
    }
    /// With the temporaries of a loop.
    template <class Kernel, class Tag, class... Args>
    constexpr auto operator+(std::type_identity<Loop<Kernel, Tag, Args...>>) const {
        return (*this + ... + Candidate<Args, Temporary<Args>>{});
    }
};

/// The temporaries of a chain.
template <class... Loops>
using TemporariesOf = typename decltype((FileOf<>{} + ... + std::type_identity<Loops>{}))::type;

template <class LoopT>
struct GatheredDats;
template <class Kernel, class Tag, class... Args>
struct GatheredDats<Loop<Kernel, Tag, Args...>> {
    using type = typename decltype((FileOf<>{} + ... + Candidate<Args, Gathered<Args>>{}))::type;
};
/// The dats that a loop gathers.
template <class LoopT>
using GatheredOf = typename GatheredDats<LoopT>::type;

}  // namespace detail

}  // namespace halocline::device
