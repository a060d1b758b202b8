// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What kernels get to see of loops that compute each element once: one launch a loop, temporaries in
// memory, and memory for what elements add through maps until their targets collect it.
// nvcc reads this file, too.
#pragma once

#include "halocline/backend/device/views/views.hpp"

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

/// Where the changes of one argument go.
struct ChangeView {
    double*
        changes;  ///< of an argument whose targets others reach, too: columns by element; else null
    LocalIndex owned;  ///< elements of the dat's set that this rank owns

    template <class Visitor>
    void visit(Visitor&& visitor) {
        visitor.pointer(changes);
        visitor.number(owned);
    }
};

template <class LoopT>
struct ElementsView;

/// A loop that changes dats through maps, element by element: `loop` is a chain of it alone, whose
/// range is one of elements. Other ranks own the elements from `owned` on.
template <class Kernel, class Tag, class... Args>
struct ElementsView<Loop<Kernel, Tag, Args...>> {
    using LoopT = Loop<Kernel, Tag, Args...>;
    using Indices = std::index_sequence_for<Args...>;
    template <std::size_t i>
    using Arg = TupleElement<i, Tuple<Args...>>;

    ChainView<LoopT> loop;
    LocalIndex owned;
    LocalIndex stride;  ///< of `changes`
    ChangeView changes[sizeof...(Args)];

    template <class Visitor>
    void visit(Visitor&& visitor) {
        loop.visit(visitor);
        visitor.number(owned);
        visitor.number(stride);
        for (ChangeView& change : changes) {
            change.visit(visitor);
        }
    }
};

/// What one launch gets of a loop: loops on the targets themselves run as a chain of one.
template <class LoopT>
using StepView = std::conditional_t<runs_by_element<LoopT>, ElementsView<InMemory<LoopT>>,
                                    ChainView<InMemory<LoopT>>>;

template <class LoopT>
ChainView<LoopT>& chain_of(ElementsView<LoopT>& step) {
    return step.loop;
}
template <class LoopT>
ChainView<LoopT>& chain_of(ChainView<LoopT>& step) {
    return step;
}

/// Loops one after the other, and the one whose turn it is.
template <class... Loops>
struct OnceView {
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

}  // namespace halocline::device
