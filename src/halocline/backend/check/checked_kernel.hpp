// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A loop's kernel as the check back end calls it, which checks every value and is compiled once.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include "halocline/backend/scalar.hpp"

namespace halocline::detail {

/// A value of any type as its bits: doubles, also of floats, and 64-bit integers.
using ValueBits = std::uint64_t;

/// Values of all arguments of one element lie one after the other.
class CheckedKernel {
public:
    CheckedKernel() = default;
    virtual ~CheckedKernel() = default;
    CheckedKernel(const CheckedKernel&) = delete;
    CheckedKernel& operator=(const CheckedKernel&) = delete;

    /// What the kernel gets for an element: values read, zeros to add to, room to write.
    virtual void load(LocalIndex element, ValueBits* values) const = 0;
    /// The same as seen from the other end of an edge. False where the kernel stands for one end only.
    virtual bool load_from_other_end(LocalIndex element, ValueBits* values) const = 0;
    virtual void call(ValueBits* values) const = 0;
    /// Puts back what the kernel changed; reduces what elements owned here give.
    virtual void store(LocalIndex element, const ValueBits* values, bool owned) = 0;
    /// Collective.
    virtual void finish_reductions(const Communicator& comm) = 0;
};

/// What a kernel gets for one argument when the ends are exchanged.
template <class ArgT>
ArgValues<ArgT, double> load_exchanged(const ArgT& arg, LocalIndex element) {
    if constexpr (ArgT::is_indirect) {
        using Other = DatArg<ArgT::access, typename ArgT::DatT, typename ArgT::MapT, 1 - ArgT::slot,
                             ArgT::is_derived, false>;
        return load_scalar(Other{arg.store, arg.map, arg.from, arg.to}, element);
    } else {
        ArgValues<ArgT, double> values = load_scalar(arg, element);
        for (int d = 0; ArgT::is_oriented && d < ArgT::size; ++d) {
            values[d] = -values[d];
        }
        return values;
    }
}

template <class LoopT, class Indices = std::make_index_sequence<LoopT::arg_count>>
class CheckedKernelOf;
template <class LoopT, std::size_t... i>
class CheckedKernelOf<LoopT, std::index_sequence<i...>> final : public CheckedKernel {
    using ArgTuple = typename LoopT::ArgTuple;
    template <std::size_t k>
    using Arg = TupleElement<k, ArgTuple>;
    using ValueTuple = Tuple<ArgValues<Arg<i>, double>...>;
    static_assert(sizeof(ValueTuple) == sizeof(ValueBits) * (0 + ... + Arg<i>::size) ||
                  LoopT::arg_count == 0);

public:
    explicit CheckedKernelOf(const LoopT& loop) : loop_(loop) {}

    void load(LocalIndex element, ValueBits* values) const override {
        put({load_scalar(get<i>(loop_.args), element)...}, values);
    }
    bool load_from_other_end(LocalIndex element, ValueBits* values) const override {
        if constexpr (is_swap_symmetric<typename LoopT::Kernel>) {
            put({load_exchanged(get<i>(loop_.args), element)...}, values);
        }
        return is_swap_symmetric<typename LoopT::Kernel>;
    }
    void call(ValueBits* values) const override {
        ValueTuple tuple = take(values);
        loop_.kernel(as_kernel_sees<Arg<i>>(get<i>(tuple))...);
        put(tuple, values);
    }
    void store(LocalIndex element, const ValueBits* values, bool owned) override {
        const ValueTuple tuple = take(values);
        (store_scalar(get<i>(loop_.args), element, get<i>(tuple), owned), ...);
        if (owned) {
            (get<i>(reductions_).add(get<i>(tuple)), ...);
        }
    }
    void finish_reductions(const Communicator& comm) override {
        (finish_reduction(comm, loop_.name, get<i>(loop_.args), get<i>(reductions_)), ...);
    }

private:
    static ValueTuple take(const ValueBits* values) {
        ValueTuple tuple;
        std::memcpy(static_cast<void*>(&tuple), values, sizeof(tuple));
        return tuple;
    }
    static void put(const ValueTuple& tuple, ValueBits* values) {
        std::memcpy(values, static_cast<const void*>(&tuple), sizeof(tuple));
    }

    const LoopT& loop_;
    ScalarReductions<ArgTuple> reductions_;
};

}  // namespace halocline::detail
