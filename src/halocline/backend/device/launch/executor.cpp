// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Dats between host and device, launches, and halos around them.
#include "halocline/backend/device/launch/executor.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "halocline/backend/context.hpp"
#include "halocline/backend/device/views/dat_placement.hpp"
#include "halocline/core/error.hpp"

namespace halocline::device {

namespace {

constexpr std::size_t ticket_bytes = ticket_words * sizeof(unsigned);

std::size_t value_count(const DatStore& dat) {
    return dat.device.values.size_bytes() / sizeof(double);
}

}  // namespace

Executor::Executor(Device& device, Stream* compute, const DeviceOptions& options)
    : device_(device),
      is_cuda_(device.info().kind == "cuda"),
      options_(options),
      halos_on_device_(compute != nullptr),
      own_stream_(compute == nullptr ? device.make_stream() : nullptr),
      order_(device, compute == nullptr ? *own_stream_ : *compute),
      tables_(device),
      globals_(device, order_),
      strategies_(options.strategies),
      times_(device, options.loop_times),
      recorder_({device, order_, globals_, times_}, options_) {}

unsigned* Executor::ticket(int stream) {
    while (tickets_.size() <= static_cast<std::size_t>(stream)) {
        const Buffer<std::uint64_t> zeros(ticket_bytes / sizeof(std::uint64_t), 0);
        tickets_.emplace_back(MemoryKind::device, ticket_bytes, &device_);
        copy_now(device_, tickets_.back().data(), zeros.data(), ticket_bytes,
                 CopyDirection::to_device);
    }
    return reinterpret_cast<unsigned*>(tickets_[static_cast<std::size_t>(stream)].data());
}

double* Executor::memory_for_changes(int stream, std::int64_t values) {
    const auto number = static_cast<std::size_t>(stream);
    changes_.resize(std::max(changes_.size(), number + 1));
    std::vector<SpaceBuffer>& buffers = changes_[number];
    const std::size_t bytes = static_cast<std::size_t>(values) * sizeof(double);
    if (buffers.empty() || buffers.back().size_bytes() < bytes) {
        buffers.emplace_back(MemoryKind::device, bytes, &device_);
    }
    return reinterpret_cast<double*>(buffers.back().data());
}

void Executor::make_room(DatStore& dat, const Layout& layout, std::int64_t values) {
    dat.device.fetcher = this;
    dat.device.layout = layout;
    const std::size_t words = words_for(static_cast<std::size_t>(values), bytes_of(dat.type));
    dat.device.values = SpaceBuffer(MemoryKind::device, words * sizeof(double), &device_);
    dat.device.device_current = false;
}

void Executor::upload(DatStore& dat, const Buffer<double>& staged) {
    validate<ContractError>(recorder_.may_look(),
                            "dat '" + dat.name +
                                "' is wanted on the device while work is recorded or repeated "
                                "(it changed on the host in between).");
    if (!staged.empty()) {
        order_.join();
        main_stream().copy(dat.device.values.data(), staged.data(), staged.size() * sizeof(double),
                           CopyDirection::to_device);
        main_stream().synchronize();
    }
    dat.device.device_current = true;
}

void Executor::fetch(DatStore& dat) {
    validate<ContractError>(recorder_.may_look(),
                            "dat '" + dat.name +
                                "' is looked at on the host while loops are recorded or repeated "
                                "(its values are not there yet). Look at it between repetitions.");
    Buffer<double> staged(value_count(dat));
    if (!staged.empty()) {
        order_.join();
        main_stream().copy(staged.data(), dat.device.values.data(), staged.size() * sizeof(double),
                           CopyDirection::to_host);
        main_stream().synchronize();
    }
    visit_element_type(dat.type, [&]<class T>(T) {
        detail::move_values<T>(*dat.set, {staged.data(), dat.dim, dat.device.layout, dat.type},
                               dat.raw());
    });
    dat.device.host_current = true;
}

void Executor::refresh(DatStore& dat) {
    if (dat.device.fetcher == nullptr || dat.device.device_current) {
        return;
    }
    Buffer<double> staged(dat.device.values.size_bytes() / sizeof(double), 0.0);
    visit_element_type(dat.type, [&]<class T>(T) {
        detail::move_values<T>(*dat.set, dat.raw(),
                               {staged.data(), dat.dim, dat.device.layout, dat.type});
    });
    upload(dat, staged);
}

void Executor::note_used(const DatStore& dat) {
    if (watched_ != nullptr &&
        std::find(watched_->begin(), watched_->end(), &dat) == watched_->end()) {
        watched_->push_back(&dat);
    }
}

void Executor::note_written(DatStore& dat) {
    if (queues_ranks()) {
        recorder_.remember_halo(dat);
    }
    // Ranks on cores go through no dry run: beside them halos stay as they were.
    if (!is_dry() || queues_ranks()) {
        dat.halo_valid = dat.set->is_replicated;
    }
    ++dat.version;
    dat.device.device_current = true;
    if (dat.device.host_current && options_.poison) {
        std::fill(dat.values.begin(), dat.values.end(), std::numeric_limits<double>::quiet_NaN());
    }
    dat.device.host_current = false;
}

void Executor::join_ranks(const LoopName& name, std::span<const JoinItem> items) {
    const JoinView view = join_->view(items);
    LaunchOrder order{name, StreamOrder::main, LaunchPart::join};
    for (const JoinItem& item : items) {
        order.uses.push_back({item.place, DatRegion::whole, true});
    }
    launch(order, signature_of(view), [&](Stream& stream) { join_->queue(stream, view); });
}

void Executor::require_no_recording(const Context& context) const {
    validate<ContractError>(recorder_.may_look() || context.comm().size() == 1 || queues_ranks(),
                            "loops of several ranks cannot be recorded (halos travel between "
                            "them).");
}

void Executor::update_halos_on_host(Context& context, const std::vector<DatStore*>& dats) {
    require_no_recording(context);
    // A dry run that all ranks go through brings what stays as it is, so that copies of it can be made.
    if ((is_dry() && !queues_ranks()) || context.comm().size() == 1) {
        return;
    }
    for (DatStore* dat : dats) {
        if (!dat->halo_valid) {
            dat->fetch();
        }
    }
    if (context.begin_halo(dats)) {
        context.end_halo();
    }
}

/// The exchange starts from the main stream and ends there: for the order of streams it is work on it.
bool Executor::begin_halos(Context& context, const std::vector<DatStore*>& dats) {
    require_no_recording(context);
    if (is_dry() && !queues_ranks()) {
        return false;
    }
    using Work = Context::HaloWork;
    Work work = Work::exchange;
    if (queues_ranks()) {
        std::for_each(dats.begin(), dats.end(),
                      [this](DatStore* dat) { recorder_.remember_halo(*dat); });
        work = is_dry() ? Work::prepare : recorder_.is_replaying() ? Work::count : Work::exchange;
    }
    if (work != Work::exchange) {
        return context.begin_halo(dats, MemoryKind::device, work);
    }
    travelling_.clear();
    for (const DatStore* dat : dats) {
        if (has_streams() && !dat->halo_valid) {
            const void* values = dat->device.values.data();
            travelling_.push_back({values, DatRegion::owned, false});
            travelling_.push_back({values, DatRegion::halo, true});
        }
    }
    order_.begin(StreamOrder::main, travelling_);
    return context.begin_halo(dats, MemoryKind::device);
}

void Executor::end_halos(Context& context) {
    context.end_halo();
    if (!is_dry() && !recorder_.is_replaying()) {
        order_.end(StreamOrder::main, travelling_);
    }
}

void Executor::launch(const LaunchOrder& order, Signature signature,
                      const std::function<void(Stream&)>& submit) {
    globals_.forget();
    if (!recorder_.admit(order.name, std::move(signature))) {
        return;
    }
    order_.run(order.stream, order.uses, [&](Stream& stream) {
        recorder_.is_running() ? times_.submit(order, stream, submit) : submit(stream);
    });
}

}  // namespace halocline::device
