// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A chain with atomics: temporaries cleared in memory, then one launch after the other.
#pragma once

#include <vector>

#include "halocline/backend/device/chain_run.hpp"
#include "halocline/backend/device/emulated_elements.hpp"

namespace halocline::device::detail {

/// The descriptor of the same loop with temporaries in memory.
template <class Kernel, class Tag, class... Args>
InMemory<Loop<Kernel, Tag, Args...>> in_memory(const Loop<Kernel, Tag, Args...>& loop) {
    const auto convert = []<class Arg>(const Arg& arg) {
        if constexpr (Arg::is_global) {
            return arg;
        } else {
            return typename InMemoryArg<Arg>::type{arg.store, arg.map, arg.from, arg.to};
        }
    };
    return {loop.name, loop.set, loop.kernel,
            apply_to([&](const auto&... arg) { return Tuple{convert(arg)...}; }, loop.args)};
}

/// Fills the view of a loop that changes dats through maps.
template <class LoopT>
class ScatterBuilder {
    using View = ScatterView<LoopT>;

public:
    ScatterBuilder(Context& context, const LoopT& loop, View& view)
        : executor_(*context.device()), loop_(loop), view_(view) {}

    void build() {
        view_.kernel = loop_.kernel;
        view_.owned = loop_.set.part->owned;
        view_.owned_targets = loop_.target_set()->owned;
        build_args(typename View::Indices{});
    }

private:
    template <std::size_t... a>
    void build_args(std::index_sequence<a...>) {
        (build_arg(get<a>(loop_.args), get<a>(view_.args)), ...);
    }
    template <class Arg>
    void build_arg(const Arg& arg, ArgView<Arg>& view) {
        if constexpr (Arg::is_global) {
            fill_global(executor_, arg, view);
        } else {
            bring_values(executor_, arg, view, false);
            if constexpr (Arg::is_indirect) {
                view.targets = executor_.tables().targets(*arg.map);
            }
        }
    }

    Executor& executor_;
    const LoopT& loop_;
    View& view_;
};

template <class LoopT>
void build_step(Context& context, int /*stream*/, const LoopT& loop, ScatterView<LoopT>& view) {
    ScatterBuilder<LoopT>(context, loop, view).build();
}
template <class LoopT>
void build_step(Context& context, int stream, const LoopT& loop, ChainView<LoopT>& view) {
    view.ticket = context.device()->ticket(stream);
    ViewBuilder<LoopT>(context, loop, get<0>(view.loops)).build();
}

template <class... Loops>
class AtomicsRun {
    using View = AtomicsView<Loops...>;

public:
    AtomicsRun(Context& context, const LoopName& name, const LoopPointers<Loops...>& loops,
               CudaLaunch<View> cuda)
        : context_(context),
          executor_(*context.device()),
          name_(name),
          loops_(loops),
          cuda_(cuda) {}

    void run() {
        const HaloLedger before = context_.halo_ledger();
        const std::vector<DatStore*> halos = prepare_halos(context_, loops_);
        make_temporaries();
        build(std::index_sequence_for<Loops...>{});
        order_ = order_of(executor_, name_, loops_, Temporaries::in_memory);
        clear_temporaries();
        travels_ = executor_.begin_halos(context_, halos);
        run_steps(std::index_sequence_for<Loops...>{});
        wait_for_halos();
        finish_chain(context_, name_, loops_, before, "atomics");
    }

private:
    template <class Work>
    void for_each_temporary(Work&& work) {
        std::vector<DatStore*> seen;
        const auto look_at = [&](const auto& arg) {
            using Arg = std::remove_cvref_t<decltype(arg)>;
            if constexpr (IsTemporary<Arg>::value) {
                if (std::find(seen.begin(), seen.end(), arg.store) == seen.end()) {
                    seen.push_back(arg.store);
                    work(arg);
                }
            }
        };
        apply_to([&](const auto*... loop) { (loop->for_each_arg(look_at), ...); }, loops_);
    }

    void make_temporaries() {
        for_each_temporary([&]<class Arg>(const Arg& arg) {
            DatStore& store = *arg.store;
            if (store.device.fetcher == nullptr) {
                using DatT = typename InMemoryDat<typename Arg::DatT>::type;
                const Layout layout = layout_on_device<DatT>(*store.set);
                executor_.make_room(store, layout, layout.size(store.set->rows(), DatT::dim));
            }
            store.device.device_current = true;  // nothing of the host's is ever wanted
        });
    }

    void clear_temporaries() {
        for_each_temporary([&](const auto& arg) {
            const SpaceBuffer& values = arg.store->device.values;
            launch(Signature{reinterpret_cast<std::uintptr_t>(values.data())},
                   [&](Stream& stream) { stream.clear(values.data(), values.size_bytes()); });
        });
    }

    template <std::size_t... l>
    void build(std::index_sequence<l...>) {
        const int stream = executor_.stream_of(name_);
        (build_step(context_, stream, in_memory(*get<l>(loops_)), get<l>(view_.steps)), ...);
    }
    template <std::size_t... l>
    void run_steps(std::index_sequence<l...>) {
        (run_step_of(*get<l>(loops_), static_cast<LocalIndex>(l), get<l>(view_.steps)), ...);
    }

    /// Loops that read no halo run while halos travel, and of the first one that does the core.
    template <class LoopT, class Step>
    void run_step_of(const LoopT& loop, LocalIndex number, Step& step) {
        const SetPart& set = *loop.set.part;
        const LocalIndex end = LoopT::has_indirect_change ? set.exec : set.owned;
        std::vector<DatStore*> halos;
        halocline::detail::append_halo_reads(loop.uses, halos);
        const bool waits = travels_ && !halos.empty();
        const bool overlaps = runs_core_first(context_, waits, set.core);
        view_.current = number;
        if (overlaps) {
            run_range(step, 0, set.core, false);
        }
        if (waits) {
            wait_for_halos();
        }
        run_range(step, overlaps ? set.core : 0, end, true);
    }

    template <class Step>
    void run_range(Step& step, LocalIndex first, LocalIndex end, bool is_last) {
        step.first = first;
        step.end = end;
        if constexpr (requires { step.is_last; }) {
            step.is_last = is_last ? 1 : 0;
        }
        Signature signature;
        view_.visit(SignatureWriter{signature});
        launch(std::move(signature), [&](Stream& stream) {
            if (executor_.is_cuda()) {
                cuda_(view_, stream.native());
            } else {
                launch_emulated_step(executor_.device(), stream, view_);
            }
        });
    }

    void wait_for_halos() {
        if (travels_) {
            executor_.end_halos(context_);
        }
        travels_ = false;
    }

    /// All launches but the first belong to a call that is counted already.
    template <class Submit>
    void launch(Signature&& signature, Submit&& submit) {
        order_.part = launched_ ? LaunchPart::rest : LaunchPart::whole;
        launched_ = true;
        executor_.launch(travels_ ? before_halos(order_) : order_, std::move(signature), submit);
    }

    Context& context_;
    Executor& executor_;
    LoopName name_;
    const LoopPointers<Loops...>& loops_;
    CudaLaunch<View> cuda_;
    View view_{};
    LaunchOrder order_{name_};
    bool travels_ = false;
    bool launched_ = false;
};

}  // namespace halocline::device::detail
