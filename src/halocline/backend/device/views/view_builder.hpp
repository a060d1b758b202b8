// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// From the arguments of a loop to its view: every dat in place, every table made.
#pragma once

#include <algorithm>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/backend/device/launch/executor.hpp"
#include "halocline/backend/device/views/dat_placement.hpp"
#include "halocline/backend/device/views/registers.hpp"
#include "halocline/loop/loop.hpp"

namespace halocline::device {

namespace detail {

/// Globals of recorded work must be on the device: what they hold before it may differ each time. Only
/// what a global holds at its first use counts: later ones find what work left that has not run.
template <class Arg>
void ensure_global_on_device(Executor& executor, const Arg& arg) {
    executor.globals().adopt(*arg.storage, arg.value->v, Arg::size);
    const bool is_first = executor.recorder().note_use(*arg.storage);
    if (is_first && !arg.storage->device_current) {
        executor.globals().store(*arg.storage, arg.value->v, Arg::size);
    }
}

template <class Arg>
void fill_global(Executor& executor, const Arg& arg, ArgView<Arg>& view) {
    ensure_global_on_device(executor, arg);
    view.is_given = arg.storage->device_current ? 0 : 1;
    if (view.is_given != 0) {
        view.given = *arg.value;
    }
    if (view.is_given == 0 || Arg::access != Access::read) {
        view.place = executor.globals().places(*arg.storage, Arg::size);
    }
}

/// Makes a dat current on the device and points the view at it.
template <class Arg>
void ensure_values(Executor& executor, const Arg& arg, ArgView<Arg>& view, bool all_written) {
    ensure_on_device<typename Arg::DatT>(executor.dats(), *arg.store, all_written);
    view.values = reinterpret_cast<double*>(arg.store->device.values.data());
    view.stride = arg.store->device.layout.stride();
}

/// Fills the view of one loop. `build` brings dats to the device and makes tables, so it may wait; it
/// throws what `DeviceDats::upload` and `Tables` do.
template <class LoopT>
class ViewBuilder {
    using L = LoopView<LoopT>;

public:
    ViewBuilder(Context& context, const LoopT& loop, L& view)
        : context_(context), executor_(*context.device()), loop_(loop), view_(view) {}

    void build() {
        view_.kernel = loop_.kernel;
        if constexpr (LoopT::has_indirect_change) {
            loop_.for_each_arg([&](const auto& arg) { add_column(arg); });
            rows_ = &executor_.tables().rows(*loop_.set.part, *loop_.target_set(), columns_,
                                             context_.plans().order(*loop_.set.part));
            view_.rows = rows_->view();
        }
        build_args(typename L::Indices{});
    }

private:
    template <class Arg>
    void add_column(const Arg& arg) {
        if constexpr (Arg::is_indirect && Arg::access != Access::read) {
            const MapColumn column{arg.map, Arg::slot};
            if (std::find(columns_.begin(), columns_.end(), column) == columns_.end()) {
                columns_.push_back(column);
            }
        }
    }

    template <std::size_t... a>
    void build_args(std::index_sequence<a...>) {
        (build_arg(get<a>(loop_.args), get<a>(view_.args)), ...);
    }

    template <class Arg>
    void build_arg(const Arg& arg, ArgView<Arg>& view) {
        if constexpr (Arg::is_global) {
            fill_global(executor_, arg, view);
        } else {
            if constexpr (comes_in_row_order<LoopT, Arg>) {
                // A dry run must not keep a copy of halos that no exchange has brought yet.
                const bool complete = arg.store->halo_valid || context_.comm().size() == 1;
                if (complete || !executor_.recorder().is_dry()) {
                    view.in_row_order = executor_.tables().in_row_order(*rows_, *arg.store);
                }
            } else if constexpr (shape_of<typename Arg::DatT>() != Shape::none) {
                ensure_values(executor_, arg, view,
                              Arg::access == Access::write && context_.comm().size() == 1);
            }
            if constexpr (Arg::is_indirect) {
                build_map(arg, view);
            }
        }
    }

    template <class Arg>
    void build_map(const Arg& arg, ArgView<Arg>& view) {
        if constexpr (Arg::access == Access::read && !is_swap_symmetric<typename LoopT::Kernel>) {
            view.targets = executor_.tables().targets(*arg.map);
        } else if constexpr (Arg::access != Access::read) {
            const MapColumn column{arg.map, Arg::slot};
            view.column = static_cast<LocalIndex>(
                std::find(columns_.begin(), columns_.end(), column) - columns_.begin());
        }
    }

    Context& context_;
    Executor& executor_;
    const LoopT& loop_;
    L& view_;
    std::vector<MapColumn> columns_;
    const Rows* rows_ = nullptr;
};

}  // namespace detail

}  // namespace halocline::device
