// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Device forms of chains, made where their types are listed: from arguments to a view, then a launch.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <typeindex>
#include <typeinfo>
#include <utility>
#include <vector>

#include "halocline/backend/around.hpp"
#include "halocline/backend/device/dispatch.hpp"
#include "halocline/backend/device/emulated_launch.hpp"
#include "halocline/backend/device/views.hpp"
#include "halocline/backend/reduce.hpp"

namespace halocline::device {

/// Starts a view's kernel on a stream of the CUDA runtime (a `cudaStream_t`).
template <class View>
using CudaLaunch = void (*)(const View&, void* stream);

namespace detail {

/// Turns a view into numbers.
struct SignatureWriter {
    Signature& out;
    template <class T>
    void pointer(T* value) {
        out.push_back(reinterpret_cast<std::uintptr_t>(value));
    }
    void number(LocalIndex value) { out.push_back(static_cast<std::uint64_t>(value)); }
    void number(double value) { out.push_back(std::bit_cast<std::uint64_t>(value)); }
    template <class T>
    void bytes(const T& value) {
        if constexpr (!std::is_empty_v<T>) {
            const std::size_t first = out.size();
            out.resize(first + (sizeof(T) + 7) / 8, 0);
            std::memcpy(&out[first], &value, sizeof(T));
        }
    }
};

/// Where the dats of a chain's loops lie, with all they need on the device.
template <class DatT>
Layout layout_on_device(const SetPart& set) {
    switch (shape_of<DatT>()) {
        case Shape::full_rows:
            return Layout::rows(simd_lanes);
        case Shape::rows:
            return Layout::rows(DatT::dim);
        default:
            return Layout::columns((set.total + slice - 1) / slice * slice);
    }
}

/// Values as the device lays them out, derived ones included.
template <class DatT>
Buffer<double> stage(const DatStore& dat) {
    const Layout layout = dat.device.layout;
    Buffer<double> staged(dat.device.values.size_bytes() / sizeof(double), 0.0);
#pragma omp parallel for schedule(static)
    for (LocalIndex i = 0; i < dat.set->total; ++i) {
        Values<double, DatT::dim> values;
        for (int d = 0; d < DatT::dim; ++d) {
            values[d] = dat.at(i, d);
            staged[static_cast<std::size_t>(layout.offset(i, d))] = values[d];
        }
        if constexpr (halocline::detail::has_derived<typename DatT::Storage>) {
            using Function = typename DatT::Storage::Function;
            Values<double, Function::size> extra;
            Function{}(values, extra);
            for (int d = 0; d < Function::size; ++d) {
                staged[static_cast<std::size_t>(layout.offset(i, DatT::dim + d))] = extra[d];
            }
        }
    }
    return staged;
}

/// Memory for a dat, and its values unless all of them are about to be written.
template <class DatT>
void bring_to_device(Executor& executor, DatStore& dat, bool all_written) {
    if (dat.device.values.data() == nullptr) {
        const Layout layout = layout_on_device<DatT>(*dat.set);
        executor.make_room(dat, layout, layout.size(dat.set->total, DatT::dim));
    }
    if constexpr (halocline::detail::has_derived<typename DatT::Storage>) {
        dat.device.derived = &typeid(DatT);
    }
    if (!dat.device.device_current && !all_written) {
        executor.upload(dat, stage<DatT>(dat));
    }
}

/// Whether rows bring copies of an argument's values, in the order of their entries.
template <class LoopT, class Arg>
inline constexpr bool comes_in_row_order =
    is_swap_symmetric<typename LoopT::Kernel> && !Arg::is_indirect && Arg::access == Access::read;

/// A global that recorded work reads must be on the device: its value may differ each time.
template <class Arg>
void settle_read(Executor& executor, const Arg& arg) {
    if (Arg::access == Access::read && executor.is_dry() && !arg.home->device_current) {
        executor.globals().store(*arg.home, arg.value->v, Arg::size);
    }
}

/// Fills the view of one loop.
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
        (build_arg(std::get<a>(loop_.args), field<a>(view_.args)), ...);
    }

    template <class Arg>
    void build_arg(const Arg& arg, ArgView<Arg>& view) {
        if constexpr (Arg::is_global) {
            build_global(arg, view);
        } else {
            if constexpr (comes_in_row_order<LoopT, Arg>) {
                view.slots = executor_.tables().in_row_order(*rows_, *arg.store, Arg::is_oriented);
            } else if constexpr (shape_of<typename Arg::DatT>() != Shape::none) {
                bring_to_device<typename Arg::DatT>(
                    executor_, *arg.store,
                    Arg::access == Access::write && context_.comm().size() == 1);
                view.values = reinterpret_cast<double*>(arg.store->device.values.data());
                view.stride = arg.store->device.layout.component_stride;
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

    template <class Arg>
    void build_global(const Arg& arg, ArgView<Arg>& view) {
        settle_read(executor_, arg);
        view.is_given = arg.home->device_current ? 0 : 1;
        if (view.is_given != 0) {
            view.given = *arg.value;
        }
        if (view.is_given == 0 || Arg::access != Access::read) {
            view.place = executor_.globals().places(*arg.home, Arg::size);
        }
    }

    Context& context_;
    Executor& executor_;
    const LoopT& loop_;
    L& view_;
    std::vector<MapColumn> columns_;
    const Rows* rows_ = nullptr;
};

/// Threads know the dats they keep in registers by type, so one type must mean one dat: temporaries in
/// the whole chain, dats changed through maps in each loop.
class OneStoreAType {
public:
    template <class LoopT>
    void add(const LoopT& loop) {
        gathered_.clear();
        loop.for_each_arg([&](const auto& arg) {
            using Arg = std::remove_cvref_t<decltype(arg)>;
            if constexpr (IsTemporary<Arg>::value) {
                note(temporaries_, typeid(typename Arg::DatT), arg.store);
                holds_ = holds_ && arg.store->temporary;
            } else if constexpr (IsGathered<Arg>::value) {
                note(gathered_, typeid(typename Arg::DatT), arg.store);
            }
        });
    }
    [[nodiscard]] bool holds() const { return holds_; }

private:
    using Seen = std::map<std::type_index, const DatStore*>;
    void note(Seen& seen, std::type_index type, const DatStore* store) {
        holds_ = holds_ && seen.try_emplace(type, store).first->second == store;
    }

    Seen temporaries_;
    Seen gathered_;
    bool holds_ = true;
};

template <class Arg>
void note_result(Executor& executor, const Arg& arg) {
    if constexpr (Arg::access == Access::read) {
        return;
    } else if constexpr (Arg::is_global) {
        arg.home->host_current = false;
        arg.home->device_current = true;
    } else if (!arg.store->temporary) {
        executor.note_written(*arg.store);
    }
}

/// Joins this rank's part of a reduction with the others'; the result is on the host. Collective.
template <class Arg>
void join_ranks(const Communicator& comm, Executor& executor, const Arg& arg) {
    if constexpr (is_reduction<Arg>) {
        for (int d = 0; d < Arg::size; ++d) {
            const GlobalPlace& place = executor.globals().read(arg.home->place + d);
            if constexpr (Arg::access == Access::inc) {
                ExactSum::State state{place.rank_sum[0], {}, place.rank_sum[1]};
                std::copy_n(place.rank_sum + 2, ExactSum::digits, state.digit.begin());
                ExactSum sum(state);
                (*arg.value)[d] = place.before + sum_over_ranks(comm, sum);
            } else {
                constexpr bool smallest = Arg::access == Access::min;
                (*arg.value)[d] = from_extreme_key<smallest>(smallest ? comm.min(place.rank_key)
                                                                      : comm.max(place.rank_key));
            }
        }
        arg.home->host_current = true;
        arg.home->device_current = false;
    }
}

template <class View>
void queue(Executor& executor, const View& view, CudaLaunch<View> cuda) {
    if (executor.is_cuda()) {
        cuda(view, executor.stream().native());
    } else {
        launch_emulated(executor.device(), executor.stream(), view);
    }
}

template <class View>
void submit(Executor& executor, const LoopName& name, LaunchPart part, const View& view,
            CudaLaunch<View> cuda) {
    Signature signature;
    View copy = view;
    copy.visit(SignatureWriter{signature});
    executor.launch(name, part, std::move(signature), [&] { queue(executor, view, cuda); });
}

/// Whether the halos that a loop reads can be exchanged on the device: copies in row order are made
/// from the host's values.
template <class LoopT>
bool exchanges_on_device(const Executor& executor, const LoopT& loop) {
    bool possible = true;
    loop.for_each_arg([&](const auto& arg) {
        using Arg = std::remove_cvref_t<decltype(arg)>;
        if constexpr (!Arg::is_global) {
            using DatT = typename Arg::DatT;
            const std::type_info* type =
                halocline::detail::has_derived<typename DatT::Storage> ? &typeid(DatT) : nullptr;
            possible = possible && (arg.store->halo_valid || (!comes_in_row_order<LoopT, Arg> &&
                                                              executor.exchanges_on_device(type)));
        }
    });
    return possible;
}

/// Launches a chain for all targets; those that need no halo run while halos travel.
template <class View>
void submit_around_exchange(Context& context, const LoopName& name, const SetPart& set, View& view,
                            CudaLaunch<View> cuda, const std::vector<DatStore*>& halos) {
    Executor& executor = *context.device();
    const bool travels = executor.begin_halos(context, halos);
    view.first = 0;
    view.end = set.core;
    view.is_last = 0;
    const bool overlaps = travels && context.overlap() == Overlap::on && set.core > 0;
    if (overlaps) {
        submit(executor, name, LaunchPart::core, view, cuda);
    }
    if (travels) {
        executor.end_halos(context);
    }
    view.first = overlaps ? set.core : 0;
    view.end = set.owned;
    view.is_last = 1;
    submit(executor, name, overlaps ? LaunchPart::rest : LaunchPart::whole, view, cuda);
}

/// One call in the account; seconds come from the device later.
inline void count_call(Context& context, const LoopName& name, const SetPart& set,
                       std::int64_t bytes, const HaloLedger& halo) {
    if (context.device()->is_preparing()) {
        return;
    }
    LoopStatistics& row = context.loops().row(name);
    if (row.calls++ == 0) {
        row.set = set.name;
        row.on_device = true;
    }
    row.elements += set.owned;
    row.bytes += bytes;
    row.halo += halo;
}

template <class... Loops, std::size_t... l>
void build_views(Context& context, const std::tuple<const Loops*...>& loops,
                 ChainView<Loops...>& view, std::index_sequence<l...>) {
    (ViewBuilder<Loops>(context, *std::get<l>(loops), field<l>(view.loops)).build(), ...);
}

template <class... Loops>
bool run_chain(Context& context, const LoopName& name, const SetPart& set,
               const std::tuple<const Loops*...>& loops, CudaLaunch<ChainView<Loops...>> cuda) {
    Executor& executor = *context.device();
    OneStoreAType types;
    std::apply([&](const auto*... loop) { (types.add(*loop), ...); }, loops);
    if (!types.holds()) {
        return false;
    }
    const HaloLedger before = context.halo_ledger();
    std::vector<DatStore*> halos;
    bool on_device = true;
    const auto collect_halos = [&](const auto& loop) {
        halocline::detail::append_halo_reads(loop, halos);
        on_device = on_device && exchanges_on_device(executor, loop);
    };
    std::apply([&](const auto*... loop) { (collect_halos(*loop), ...); }, loops);
    if (!on_device) {
        executor.update_halos_on_host(context, halos);
    }
    ChainView<Loops...> view{};
    view.ticket = executor.ticket();
    build_views(context, loops, view, std::index_sequence_for<Loops...>{});
    submit_around_exchange(context, name, set, view, cuda, halos);

    const auto for_each_arg = [&](auto&& work) {
        std::apply([&](const auto*... loop) { (loop->for_each_arg(work), ...); }, loops);
    };
    for_each_arg([&](const auto& arg) { note_result(executor, arg); });
    if (context.comm().size() > 1) {
        for_each_arg([&](const auto& arg) { join_ranks(context.comm(), executor, arg); });
    }
    std::apply(
        [&](const auto*... loop) {
            count_call(context, name, *std::get<0>(loops)->set.part,
                       halocline::detail::count_bytes(*loop...),
                       context.halo_ledger().since(before));
        },
        loops);
    return true;
}

template <class Kernel, class... Args, std::size_t... a>
void run_update(Context& context, const GlobalUpdate<Kernel, Args...>& update,
                CudaLaunch<UpdateView<Kernel, Args...>> cuda, std::index_sequence<a...>) {
    Executor& executor = *context.device();
    UpdateView<Kernel, Args...> view{};
    view.kernel = update.kernel;
    const auto fill = [&](const auto& arg, auto& arg_view) {
        using Arg = std::remove_cvref_t<decltype(arg)>;
        settle_read(executor, arg);
        arg_view.is_given = Arg::access == Access::read && !arg.home->device_current ? 1 : 0;
        if (arg_view.is_given != 0) {
            arg_view.given = *arg.value;
        } else {
            arg_view.place = executor.globals().places(*arg.home, Arg::size);
        }
    };
    (fill(std::get<a>(update.args), field<a>(view.args)), ...);
    submit(executor, update.name, LaunchPart::whole, view, cuda);
    (note_result(executor, std::get<a>(update.args)), ...);
    if (!executor.is_preparing()) {
        LoopStatistics& row = context.loops().row(update.name);
        row.set = "globals";
        row.on_device = true;
        ++row.calls;
        ++row.elements;
    }
}

}  // namespace detail

/// Gives chains of type `ChainT` (as `make_chain` returns it) a device form. `cuda` null: not on CUDA.
template <class ChainT>
struct ChainForm;
template <class Tag, class... Loops>
struct ChainForm<Chain<Tag, Loops...>> {
    using View = ChainView<Loops...>;
    static void add(Executor& executor, CudaLaunch<View> cuda) {
        if (executor.is_cuda() && cuda == nullptr) {
            return;
        }
        executor.add(typeid(ChainKey<Tag, Loops...>), [cuda](Context& context, const LoopName& name,
                                                             const SetPart* set,
                                                             const void* loops) {
            return detail::run_chain<Loops...>(
                context, name, *set, *static_cast<const std::tuple<const Loops*...>*>(loops), cuda);
        });
    }
};

/// A loop by itself is a chain of one.
template <class Kernel, class Tag, class... Args>
struct ChainForm<Loop<Kernel, Tag, Args...>> : ChainForm<Chain<Tag, Loop<Kernel, Tag, Args...>>> {};

/// Lets halos of dats of type `DatT` travel without the host.
template <class DatT>
struct ChainForm<HaloRefresh<DatT>> {
    using View = RefreshView<DatT>;
    static void add(Executor& executor, CudaLaunch<View> cuda) {
        if (executor.is_cuda() && cuda == nullptr) {
            return;
        }
        executor.add_refresh(typeid(DatT), [cuda](Executor& on, const DatStore& dat) {
            const RawDat raw = dat.raw_on_device();
            const View view{raw.values, raw.layout.component_stride, dat.set->owned,
                            dat.set->total};
            detail::queue(on, view, cuda);
        });
    }
};

template <class Kernel, class... Args>
struct ChainForm<GlobalUpdate<Kernel, Args...>> {
    using View = UpdateView<Kernel, Args...>;
    static void add(Executor& executor, CudaLaunch<View> cuda) {
        if (executor.is_cuda() && cuda == nullptr) {
            return;
        }
        executor.add(typeid(ChainKey<NoSet, GlobalUpdate<Kernel, Args...>>),
                     [cuda](Context& context, const LoopName&, const SetPart*, const void* update) {
                         detail::run_update(
                             context, *static_cast<const GlobalUpdate<Kernel, Args...>*>(update),
                             cuda, std::index_sequence_for<Args...>{});
                         return true;
                     });
    }
};

}  // namespace halocline::device
