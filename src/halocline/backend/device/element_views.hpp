// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What kernels get to see of a chain that runs with atomics: one launch a loop, temporaries in memory.
// nvcc reads this file, too.
#pragma once

#include "halocline/backend/device/views.hpp"

namespace halocline::device {

namespace detail {

/// A temporary that outlives its kernel is a dat in columns.
template <class DatT>
struct InMemoryDat {
    using type = DatT;
};
template <class Tag, class T, int dim>
struct InMemoryDat<Dat<Tag, T, dim, TemporaryStorage>> {
    using type = Dat<Tag, T, dim, LaneStorage>;
};

template <class Arg>
struct InMemoryArg {
    using type = Arg;
};
template <Access access, class DatT, class MapT, int slot, bool derived, bool oriented>
struct InMemoryArg<DatArg<access, DatT, MapT, slot, derived, oriented>> {
    using type = DatArg<access, typename InMemoryDat<DatT>::type, MapT, slot, derived, oriented>;
};

template <class LoopT>
struct InMemoryLoop;
template <class Kernel, class Tag, class... Args>
struct InMemoryLoop<Loop<Kernel, Tag, Args...>> {
    using type = Loop<Kernel, Tag, typename InMemoryArg<Args>::type...>;
};

}  // namespace detail

/// The same loop with its temporaries in memory.
template <class LoopT>
using InMemory = typename detail::InMemoryLoop<LoopT>::type;

template <class LoopT>
struct ScatterView;

/// A loop that changes dats through maps, element by element. Elements [first, end) of its own set, of
/// which other ranks own those from `owned` on; of the targets this rank owns `owned_targets`.
template <class Kernel_, class Tag, class... Args>
struct ScatterView<Loop<Kernel_, Tag, Args...>> {
    using Indices = std::index_sequence_for<Args...>;
    template <std::size_t i>
    using Arg = TupleElement<i, Tuple<Args...>>;

    LocalIndex first;
    LocalIndex end;
    LocalIndex owned;
    LocalIndex owned_targets;
    Kernel_ kernel;
    Tuple<ArgView<Args>...> args;

    template <class Visitor>
    void visit(Visitor&& visitor) {
        visitor.number(first);
        visitor.number(end);
        visitor.number(owned);
        visitor.number(owned_targets);
        visitor.bytes(kernel);
        visit_args(visitor, Indices{});
    }

private:
    template <class Visitor, std::size_t... i>
    void visit_args(Visitor& visitor, std::index_sequence<i...>) {
        (get<i>(args).visit(visitor), ...);
    }
};

/// What one launch gets of a loop: loops on the targets themselves run as a chain of one.
template <class LoopT>
using StepView = std::conditional_t<LoopT::has_indirect_change, ScatterView<InMemory<LoopT>>,
                                    ChainView<InMemory<LoopT>>>;

/// A chain with atomics: its loops, and the one whose turn it is.
template <class... Loops>
struct AtomicsView {
    using Indices = std::index_sequence_for<Loops...>;
    LocalIndex current;
    Tuple<StepView<Loops>...> steps;

    /// Calls `work(step)` for the loop whose turn it is.
    template <class Work>
    void with_current(Work&& work) const {
        choose(*this, work, Indices{});
    }
    template <class Work>
    void with_current(Work&& work) {
        choose(*this, work, Indices{});
    }
    template <class Visitor>
    void visit(Visitor&& visitor) {
        visitor.number(current);
        with_current([&](auto& step) { step.visit(visitor); });
    }

private:
    template <class Self, class Work, std::size_t... l>
    static void choose(Self& self, Work& work, std::index_sequence<l...>) {
        ((static_cast<LocalIndex>(l) == self.current ? work(get<l>(self.steps)) : void()), ...);
    }
};

/// For what has no increments to add: never launched.
template <class LoopsT>
struct NoAtomicsView {};

/// @name The view with atomics of loops as recipes return them
/// @{
template <class... Loops>
inline constexpr bool can_use_atomics = (Loops::has_indirect_change || ...);

template <class LoopsT>
struct AtomicsViewType {
    using type = NoAtomicsView<LoopsT>;
};
template <class Tag, class... Loops>
struct AtomicsViewType<Chain<Tag, Loops...>> {
    using type = std::conditional_t<can_use_atomics<Loops...>, AtomicsView<Loops...>,
                                    NoAtomicsView<Chain<Tag, Loops...>>>;
};
template <class Kernel, class Tag, class... Args>
struct AtomicsViewType<Loop<Kernel, Tag, Args...>>
    : AtomicsViewType<Chain<Tag, Loop<Kernel, Tag, Args...>>> {};
template <class LoopsT>
using AtomicsViewOf = typename AtomicsViewType<LoopsT>::type;
/// @}

}  // namespace halocline::device
