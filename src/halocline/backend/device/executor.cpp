// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Modes of the executor, and dats between host and device.
#include "halocline/backend/device/executor.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "halocline/backend/context.hpp"
#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"

namespace halocline::device {

namespace {

constexpr std::size_t ticket_bytes = 64;

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
      strategies_(options.strategies) {}

unsigned* Executor::ticket(int stream) {
    while (tickets_.size() <= static_cast<std::size_t>(stream)) {
        const Buffer<std::uint64_t> zeros(ticket_bytes / sizeof(std::uint64_t), 0);
        tickets_.emplace_back(MemoryKind::device, ticket_bytes, &device_);
        copy_now(device_, tickets_.back().data(), zeros.data(), ticket_bytes,
                 CopyDirection::to_device);
    }
    return reinterpret_cast<unsigned*>(tickets_[static_cast<std::size_t>(stream)].data());
}

void Executor::make_room(DatStore& dat, const Layout& layout, std::int64_t values) {
    dat.device.fetcher = this;
    dat.device.layout = layout;
    dat.device.values = SpaceBuffer(MemoryKind::device,
                                    static_cast<std::size_t>(values) * sizeof(double), &device_);
    dat.device.device_current = false;
}

void Executor::upload(DatStore& dat, const Buffer<double>& staged) {
    validate<ContractError>(mode_ == Mode::run || mode_ == Mode::prepare,
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

void Executor::set_mode(Mode mode) {
    mode_ = mode;
    globals_.allow_looking(mode == Mode::run || mode == Mode::prepare);
}

Executor::ModeScope::ModeScope(Executor& executor, Mode mode) : executor_(executor) {
    executor_.set_mode(mode);
}

Executor::ModeScope::~ModeScope() { executor_.set_mode(Mode::run); }

void Executor::fetch(DatStore& dat) {
    validate<ContractError>(mode_ == Mode::run || mode_ == Mode::prepare,
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
    const Layout layout = dat.device.layout;
#pragma omp parallel for schedule(static)
    for (LocalIndex i = 0; i < dat.set->total; ++i) {
        for (int d = 0; d < dat.dim; ++d) {
            dat.at(i, d) = staged[static_cast<std::size_t>(layout.offset(i, d))];
        }
    }
    dat.device.host_current = true;
}

void Executor::note_used(const DatStore& dat) {
    if (watched_ != nullptr &&
        std::find(watched_->begin(), watched_->end(), &dat) == watched_->end()) {
        watched_->push_back(&dat);
    }
}

void Executor::note_written(DatStore& dat) {
    if (queues_ranks()) {
        remember_halo(dat);
    }
    // Ranks on cores go through no dry run: beside them halos stay as they were.
    if (!is_dry() || queues_ranks()) {
        dat.halo_valid = false;
    }
    ++dat.version;
    dat.device.device_current = true;
    if (dat.device.host_current && options_.poison) {
        std::fill(dat.values.begin(), dat.values.end(), std::numeric_limits<double>::quiet_NaN());
    }
    dat.device.host_current = false;
}

/// While nothing runs, halos only seem to change.
void Executor::remember_halo(DatStore& dat) {
    if (is_preparing()) {
        halos_before_.try_emplace(&dat, dat.halo_valid);
    }
}

void Executor::restore_halos() {
    for (const auto& [dat, valid] : halos_before_) {
        dat->halo_valid = valid;
    }
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
    validate<ContractError>(
        mode_ == Mode::run || is_dry() || context.comm().size() == 1 || queues_ranks(),
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
        std::for_each(dats.begin(), dats.end(), [this](DatStore* dat) { remember_halo(*dat); });
        work = is_dry() ? Work::prepare : mode_ == Mode::replay ? Work::count : Work::exchange;
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
    if (!is_dry() && mode_ != Mode::replay) {
        order_.end(StreamOrder::main, travelling_);
    }
}

void Executor::launch(const LaunchOrder& order, Signature signature,
                      const std::function<void(Stream&)>& submit) {
    globals_.forget();
    if (mode_ == Mode::prepare) {
        return;
    }
    if (mode_ == Mode::replay) {
        validate<ContractError>(
            position_ < current_->launches.size() && current_->launches[position_] == signature,
            "loop '" + order.name.text() +
                "' differs from the recorded one (recorded work must be the same every time).");
        ++position_;
        return;
    }
    if (mode_ == Mode::capture) {
        current_->launches.push_back(std::move(signature));
    }
    const bool timed = mode_ == Mode::run && order.part != LaunchPart::join && is_sampled(order);
    order_.run(order.stream, order.uses, [&](Stream& stream) {
        timed ? launch_timed(order, stream, submit) : submit(stream);
    });
}

/// The first launch of a loop is never a sample: it loads the kernel.
bool Executor::is_sampled(const LaunchOrder& order) {
    if (options_.loop_times != LoopTimes::sample || repeating_) {
        return timing_ || options_.loop_times == LoopTimes::all;
    }
    int& launches = launched_[{order.name.name, order.name.level}];
    // Both launches of a call in two parts, or none.
    launches += order.part == LaunchPart::rest ? 0 : 1;
    return launches % sample_interval == 2;
}

void Executor::launch_timed(const LaunchOrder& order, Stream& stream,
                            const std::function<void(Stream&)>& submit) {
    if (timed_.size() == most_timers) {
        read_timers(most_timers / 2);  // the older half: nobody waits long for it
    }
    timed_.push_back({order.name, order.part, device_.make_timer()});
    timed_.back().timer->start(stream);
    submit(stream);
    timed_.back().timer->stop(stream);
}

bool Executor::begin_host_loop(const LoopName& name) {
    validate<ContractError>(mode_ == Mode::run || mode_ == Mode::prepare,
                            "loop '" + name.text() + "' has no device form but is recorded.");
    if (mode_ == Mode::prepare) {
        host_loop_ = name.text();
    }
    return mode_ == Mode::run;
}

/// Nothing runs until memory lies as it did; all that `body` needs is on the device then.
void Executor::run_dry(const std::vector<const void*>& first, const Arrangement& start,
                       const std::function<void()>& body) {
    const ModeScope scope(*this, Mode::prepare);
    do {
        body();
    } while (start() != first);
}

void Executor::prepare(RepeatedWork& work, const Arrangement& start,
                       const std::function<void()>& body, const std::string& obstacle) {
    const double start_s = wall_seconds();
    const std::vector<const void*> first = start();
    halos_before_.clear();
    run_dry(first, start, body);
    restore_halos();
    for (const auto& [dat, valid] : halos_before_) {
        work.halos_.push_back(dat);
    }
    if (!host_loop_.empty()) {
        work.obstacle_ = "loop '" + host_loop_ + "' runs on the host";
        return;
    }
    order_.synchronize();
    if (!obstacle.empty() || strategies_.pending()) {
        work.obstacle_ = obstacle.empty() ? "strategies are being measured" : obstacle;
        graph_s_ += wall_seconds() - start_s;
        return;
    }
    record_all(work, start, body);
    // Halos are another way only at the very start, so one recording may be odd.
    if (start() != first) {
        run_dry(first, start, body);
    }
    restore_halos();
    // Recording has loaded the kernels, too: a first launch takes milliseconds, which no cycle pays.
    const bool keep = options_.graphs && options_.loop_times != LoopTimes::all;
    work.obstacle_ = keep ? "" : options_.graphs ? "all loops are timed" : "switched off";
    if (!keep) {
        work.recordings_.clear();
    }
    graph_s_ += wall_seconds() - start_s;
}

/// Every arrangement, with the halos that are current in it, until one comes again.
void Executor::record_all(RepeatedWork& work, const Arrangement& start,
                          const std::function<void()>& body) {
    std::vector<const void*> from = with_halos(work, start());
    while (find_recording(work, from) == work.recordings_.end()) {
        record(work, from, body);
        from = with_halos(work, start());
    }
}

std::vector<RepeatedWork::Recording>::iterator Executor::find_recording(
    RepeatedWork& work, const std::vector<const void*>& from) {
    return std::find_if(work.recordings_.begin(), work.recordings_.end(),
                        [&](const auto& recording) { return recording.start == from; });
}

/// What a repetition starts from: the arrangement of memory, and which halos are current.
std::vector<const void*> Executor::with_halos(const RepeatedWork& work,
                                              std::vector<const void*> start) {
    for (const DatStore* dat : work.halos_) {
        start.push_back(dat->halo_valid ? dat : nullptr);
    }
    return start;
}

void Executor::record(RepeatedWork& work, const std::vector<const void*>& start,
                      const std::function<void()>& body) {
    work.recordings_.push_back({start, {}, nullptr});
    current_ = &work.recordings_.back();
    device_.begin_capture(main_stream());
    order_.fork();
    try {
        const ModeScope scope(*this, Mode::capture);
        body();
    } catch (...) {
        // The stream is of use again; what was recorded is not.
        order_.join();
        static_cast<void>(device_.end_capture(main_stream()));
        order_.forget();
        current_ = nullptr;
        work.recordings_.pop_back();
        throw;
    }
    order_.join();
    current_->graph = device_.end_capture(main_stream());
    order_.forget();
    current_ = nullptr;
}

void Executor::repeat(RepeatedWork& work, const std::vector<const void*>& start,
                      const std::function<void()>& body) {
    const int turn = work.repetitions_++;
    const auto found = find_recording(work, with_halos(work, start));
    repeating_ = true;
    timing_ = options_.loop_times == LoopTimes::sample && turn % sample_interval == 1;
    if (found == work.recordings_.end() || timing_) {
        body();
    } else {
        replay(*found, body);
    }
    timing_ = false;
    repeating_ = false;
}

/// The device works while the host goes through the same loops to note what has changed, and checks
/// that they are the recorded ones.
void Executor::replay(RepeatedWork::Recording& recording, const std::function<void()>& body) {
    order_.join();
    recording.graph->launch(main_stream());
    order_.fork();
    current_ = &recording;
    position_ = 0;
    {
        const ModeScope scope(*this, Mode::replay);
        body();
    }
    current_ = nullptr;
    validate<ContractError>(position_ == recording.launches.size(),
                            "recorded work ended before its recording did (it must be the same "
                            "every time).");
}

void Executor::read_timers(std::size_t count) {
    const auto end = timed_.begin() + static_cast<std::ptrdiff_t>(count);
    for (auto call = timed_.begin(); call != end; ++call) {
        const LoopName& name = call->name;
        auto sum = std::find_if(timed_sums_.begin(), timed_sums_.end(), [&](const TimedSum& each) {
            return each.name.level == name.level && std::string_view(each.name.name) == name.name;
        });
        if (sum == timed_sums_.end()) {
            timed_sums_.push_back({name});
            sum = std::prev(timed_sums_.end());
        }
        sum->seconds += call->timer->seconds();
        sum->calls += call->part == LaunchPart::rest ? 0 : 1;
    }
    timed_.erase(timed_.begin(), end);
}

void Executor::collect_times(LoopTable& table) {
    read_timers(timed_.size());
    for (const TimedSum& sum : timed_sums_) {
        LoopStatistics& row = table.row(sum.name);
        row.timed_s += sum.seconds;
        row.timed_calls += sum.calls;
    }
    timed_sums_.clear();
    for (LoopStatistics& row : table.rows()) {
        if (row.on_device) {
            row.seconds = row.timed_calls == 0
                              ? 0.0
                              : row.timed_s / static_cast<double>(row.timed_calls) *
                                    static_cast<double>(row.calls);
        }
    }
}

}  // namespace halocline::device
