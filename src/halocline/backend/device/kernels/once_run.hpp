// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A chain whose loops compute each element once: temporaries cleared in memory, then loop after loop;
// behind each loop the dats that it changed through maps collect.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "halocline/backend/device/emulated/emulated_once.hpp"
#include "halocline/backend/device/kernels/chain_run.hpp"
#if defined(HALOCLINE_GPU_COMPILER)
#include "halocline/backend/device/gpu/once.cuh"
#endif

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

/// Fills the view of a loop that changes dats through maps, and those of the dats that collect.
template <class LoopT>
class ElementsBuilder {
    using View = ElementsView<LoopT>;

public:
    ElementsBuilder(Context& context, const LoopT& loop, View& view)
        : context_(context), executor_(*context.device()), loop_(loop), view_(view) {}

    void build() {
        const SetPart& set = *loop_.set.part;
        view_.loop.shares = shares_for(set.owned);
        view_.loop.ticket = executor_.memory().ticket();
        view_.owned = set.owned;
        view_.stride = (set.exec + slice - 1) / slice * slice;
        get<0>(view_.loop.loops).kernel = loop_.kernel;
        changes_ =
            executor_.memory().contributions(std::int64_t{changed_components} * view_.stride);
        build_args(typename View::Indices{});
    }
    /// One for each dat that elements share; empty when they change their own alone.
    [[nodiscard]] std::vector<CollectView> collectors() {
        std::vector<CollectView> collectors;
        for (const Changed& changed : changed_) {
            collectors.push_back(collector_of(changed));
        }
        return collectors;
    }

private:
    struct Change {
        MapColumn column;
        const double* values;
    };
    struct Changed {
        DatStore* store;
        Access access;
        std::vector<Change> changes;
    };
    template <class Arg>
    static constexpr int components_of = halocline::detail::is_shared_change<Arg> ? Arg::size : 0;
    static constexpr int changed_components = []<std::size_t... a>(std::index_sequence<a...>) {
        return (0 + ... + components_of<typename View::template Arg<a>>);
    }
    (typename View::Indices{});

    template <std::size_t... a>
    void build_args(std::index_sequence<a...>) {
        (build_arg(get<a>(loop_.args), get<a>(get<0>(view_.loop.loops).args), view_.changes[a]),
         ...);
    }
    template <class Arg>
    void build_arg(const Arg& arg, ArgView<Arg>& view, ChangeView& change) {
        if constexpr (Arg::is_global) {
            fill_global(executor_, arg, view);
        } else {
            ensure_values(executor_, arg, view, false);
            change.owned = arg.store->set->owned;
            if constexpr (Arg::is_indirect) {
                view.targets = executor_.tables().targets(*arg.map);
            }
            if constexpr (halocline::detail::is_shared_change<Arg>) {
                change.changes = changes_ + offset_;
                offset_ += std::int64_t{Arg::size} * view_.stride;
                note_change(*arg.store, Arg::access, {{arg.map, Arg::slot}, change.changes});
            }
        }
    }
    void note_change(DatStore& store, Access access, const Change& change) {
        const auto same = [&](const Changed& changed) { return changed.store == &store; };
        auto found = std::find_if(changed_.begin(), changed_.end(), same);
        if (found == changed_.end()) {
            found = changed_.insert(changed_.end(), Changed{&store, access, {}});
        }
        found->changes.push_back(change);
    }

    /// Columns in the order of the arguments: that is the order in which one element adds.
    [[nodiscard]] std::vector<MapColumn> columns_to(const SetPart& targets) const {
        std::vector<MapColumn> columns;
        const auto add_column = [&]<class Arg>(const Arg& arg) {
            if constexpr (halocline::detail::is_shared_change<Arg>) {
                const MapColumn column{arg.map, Arg::slot};
                if (arg.to == &targets &&
                    std::find(columns.begin(), columns.end(), column) == columns.end()) {
                    columns.push_back(column);
                }
            }
        };
        loop_.for_each_arg(add_column);
        return columns;
    }

    [[nodiscard]] CollectView collector_of(const Changed& changed) {
        const SetPart& targets = *changed.store->set;
        const std::vector<MapColumn> columns = columns_to(targets);
        const Layout& layout = changed.store->device.layout;
        CollectView view{};
        view.values = reinterpret_cast<double*>(changed.store->device.values.data());
        view.type = changed.store->type;
        view.layout = layout;
        view.targets = targets.owned;
        view.dim = changed.store->dim;
        view.stride = view_.stride;
        view.access = changed.access;
        view.rows =
            executor_.tables()
                .rows(*loop_.set.part, targets, columns, context_.plans().order(*loop_.set.part))
                .view();
        std::size_t count = 0;
        for (std::size_t c = 0; c < columns.size(); ++c) {
            for (const Change& change : changed.changes) {
                if (change.column == columns[c]) {
                    view.changes[count++] = change.values;
                }
            }
            view.begin[c + 1] = static_cast<std::uint8_t>(count);
        }
        return view;
    }

    Context& context_;
    Executor& executor_;
    const LoopT& loop_;
    View& view_;
    double* changes_ = nullptr;
    std::int64_t offset_ = 0;
    std::vector<Changed> changed_;
};

template <class LoopT>
std::vector<CollectView> build_step(Context& context, const LoopT& loop,
                                    ElementsView<LoopT>& view) {
    ElementsBuilder<LoopT> builder(context, loop, view);
    builder.build();
    return builder.collectors();
}
template <class LoopT>
std::vector<CollectView> build_step(Context& context, const LoopT& loop, ChainView<LoopT>& view) {
    view.shares = shares_for(loop.set.part->owned);
    view.ticket = context.device()->memory().ticket();
    ViewBuilder<LoopT>(context, loop, get<0>(view.loops)).build();
    return {};
}

template <class... Loops>
class OnceRun {
    using View = OnceView<Loops...>;

public:
    OnceRun(Context& context, const LoopName& name, const LoopPointers<Loops...>& loops)
        : context_(context), executor_(*context.device()), name_(name), loops_(loops) {}

    void run() {
        const HaloLedger before = context_.halo_ledger();
        const std::vector<DatStore*> halos = prepare_halos(context_, loops_);
        make_temporaries();
        build(std::index_sequence_for<Loops...>{});
        clear_temporaries();
        travels_ = executor_.halos().begin(context_, halos);
        run_steps(std::index_sequence_for<Loops...>{});
        wait_for_halos();
        constexpr bool collects = (changes_through_maps<Loops> || ...);
        finish_chain(context_, name_, loops_, before, collects ? "once" : "direct");
    }

private:
    template <class Work>
    void for_each_temporary(Work&& work) {
        std::vector<DatStore*> seen;
        const auto look_at = [&](const auto& arg) {
            using Arg = std::remove_cvref_t<decltype(arg)>;
            if constexpr (Temporary<Arg>) {
                const bool is_new = std::find(seen.begin(), seen.end(), arg.store) == seen.end();
                if (arg.store->temporary && is_new) {  // else a dat, which keeps its values
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
            if (!executor_.dats().hold(store)) {
                using DatT = typename InMemoryDat<typename Arg::DatT>::type;
                const Layout layout = layout_on_device<DatT>(*store.set);
                executor_.dats().make_room(store, layout,
                                           layout.size(store.set->rows(), DatT::dim));
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
        ((collectors_[l] = build_step(context_, in_memory(*get<l>(loops_)), get<l>(view_.steps))),
         ...);
    }
    template <std::size_t... l>
    void run_steps(std::index_sequence<l...>) {
        (run_step_of(*get<l>(loops_), static_cast<LocalIndex>(l), get<l>(view_.steps)), ...);
    }

    /// Loops that read no halo run while halos travel, and of the first one that does the core.
    template <class LoopT, class Step>
    void run_step_of(const LoopT& loop, LocalIndex number, Step& step) {
        const SetPart& set = *loop.set.part;
        const LocalIndex end = changes_through_maps<LoopT> ? set.exec : set.owned;
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
        for (const CollectView& collector : collectors_[static_cast<std::size_t>(number)]) {
            run_collector(collector);
        }
    }

    template <class Step>
    void run_range(Step& step, LocalIndex first, LocalIndex end, bool is_last) {
        auto& chain = chain_of(step);
        chain.first = first;
        chain.end = end;
        chain.is_last = is_last ? 1 : 0;
        launch(signature_of(view_), [&](Stream& stream) { queue(executor_, stream, view_); });
    }
    void run_collector(const CollectView& collector) {
        if (collector.targets > 0) {
            launch(signature_of(collector),
                   [&](Stream& stream) { queue(executor_, stream, collector); });
        }
    }

    void wait_for_halos() {
        if (travels_) {
            executor_.halos().end(context_);
        }
        travels_ = false;
    }

    /// All launches but the first belong to a call that is counted already.
    template <class Submit>
    void launch(Signature&& signature, Submit&& submit) {
        const LaunchPart part = launched_ ? LaunchPart::rest : LaunchPart::whole;
        launched_ = true;
        executor_.launch({name_, part}, std::move(signature), submit);
    }

    Context& context_;
    Executor& executor_;
    LoopName name_;
    const LoopPointers<Loops...>& loops_;
    View view_{};
    std::array<std::vector<CollectView>, sizeof...(Loops)> collectors_;
    bool travels_ = false;
    bool launched_ = false;
};

}  // namespace halocline::device::detail
