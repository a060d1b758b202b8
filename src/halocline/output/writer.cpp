// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/output/writer.hpp"

#include <algorithm>
#include <utility>

#include "halocline/backend/device/launch/executor.hpp"
#include "halocline/core/clock.hpp"

namespace halocline::output {

namespace {

std::string find_obstacle(const Context& context, const WriterOptions& options) {
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    const bool enough =
        context.comm().min(std::int64_t{level >= MPI_THREAD_MULTIPLE}) != 0;  // on all ranks
    return options.mode == IoMode::async && context.comm().size() > 1 && !enough
               ? "MPI was started without MPI_THREAD_MULTIPLE"
               : "";
}

Device* device_of(Context& context) {
    return context.device() != nullptr ? &context.device()->device() : nullptr;
}

}  // namespace

Writer::Writer(Context& context, const WriterOptions& options)
    : context_(context),
      obstacle_(find_obstacle(context, options)),
      async_(options.mode == IoMode::async && obstacle_.empty()),
      comm_(context.comm(), async_ ? Waiting::asleep : Waiting::awake),
      patterns_(context.comm(), options.writers),
      pool_(async_ ? std::max(1, options.buffers) : 1, device_of(context)),
      thread_(async_) {
    if (Device* const device = device_of(context); device != nullptr && async_) {
        thread_.push([device] { device->use(); });
    }
}

Writer::~Writer() = default;

std::unique_ptr<Snapshot> Writer::make_snapshot(const char* name, std::vector<const DatStore*> dats,
                                                std::int64_t grain) {
    return std::make_unique<Snapshot>(name, context_, patterns_, pool_, std::move(dats), grain);
}

void Writer::prepare(Snapshot& snapshot) {
    const ScopedTimer timer(account_.blocked_s);
    snapshot.prepare();
}

void Writer::take(Snapshot& snapshot) {
    const ScopedTimer timer(account_.copied_s);
    snapshot.take();
}

void Writer::hand_over(Snapshot& snapshot, std::int64_t bytes, Work work) {
    const ScopedTimer timer(account_.blocked_s);
    // Held by the work itself: work that is dropped after a failure gives its buffer back, too, or the
    // loop would wait for it forever.
    const std::shared_ptr<StagingBuffer> lease(
        &snapshot.hand_over(), [this](StagingBuffer* done) { pool_.release(*done); });
    ++account_.writes;
    account_.bytes += bytes;
    // Nothing of the snapshot: an error on its way out may end it before the thread comes to this work.
    thread_.push([this, lease, rows = snapshot.rows(*lease), work = std::move(work)] {
        lease->await();
        std::string file = work(comm_.get(), rows);
        if (!file.empty()) {
            files_.push_back(std::move(file));
        }
    });
    account_.deepest_queue =
        std::max(account_.deepest_queue, static_cast<std::int64_t>(thread_.depth()));
}

void Writer::write(Snapshot& snapshot, std::int64_t bytes, Work work) {
    prepare(snapshot);
    take(snapshot);
    hand_over(snapshot, bytes, std::move(work));
}

void Writer::drain() {
    const ScopedTimer timer(account_.drained_s);
    thread_.drain();
}

void Writer::require_sound(const Communicator& comm) {
    if (comm.max(std::int64_t{has_failed()}) != 0) {
        finish();
    }
}

void Writer::finish() {
    drain();
    thread_.rethrow();
}

Account Writer::account() const {
    Account account = account_;
    account.written_s = thread_.seconds();
    account.files = files_;
    return account;
}

}  // namespace halocline::output
