// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The writer of a run: what it is asked for appears on the disk while loops go on.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/core/communicator.hpp"
#include "halocline/output/account.hpp"
#include "halocline/output/snapshot.hpp"
#include "halocline/output/writer_thread.hpp"

namespace halocline::output {

enum class IoMode { async, sync };

struct WriterOptions {
    IoMode mode = IoMode::async;
    int buffers = 2;  ///< staging buffers: moments that may wait to be written
    int writers = 0;  ///< ranks that write; 0: all
};

/// Takes values and writes them: beside the loops, by a thread that has a communicator of its own, or
/// at once. Both write the same bytes.
///
/// An asynchronous writer of several ranks needs MPI_THREAD_MULTIPLE; where MPI was started with less
/// it writes at once and `obstacle` says so. One a run. All calls are collective.
class Writer {
public:
    Writer(Context& context, const WriterOptions& options);
    ~Writer();
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    /// Dats to be written together, again and again. `name` is that of the kernel on a device; `grain`
    /// as in `RowPattern`.
    [[nodiscard]] std::unique_ptr<Snapshot> make_snapshot(const char* name,
                                                          std::vector<const DatStore*> dats,
                                                          std::int64_t grain = 1);
    /// Before the loops: makes the staging buffers large enough for this snapshot.
    void reserve(const Snapshot& snapshot) { pool_.reserve(snapshot.size_bytes()); }

    /// What becomes of the rows of a snapshot, and a file that is new by then ("" none). Runs on any
    /// thread, so it calls no HDF5: images are made before. Collective over `comm`, which is the
    /// writer's.
    using Work =
        std::function<std::string(const Communicator& comm, const std::vector<FieldRows>& rows)>;

    /// `prepare`, timed: waiting for a staging buffer is time the loop was blocked.
    void prepare(Snapshot& snapshot);
    /// `take`, timed.
    void take(Snapshot& snapshot);
    /// Hands over what the snapshot took.
    /// @param bytes  of values that the work writes, over all ranks
    void hand_over(Snapshot& snapshot, std::int64_t bytes, Work work);
    /// All three: for values as they are now.
    void write(Snapshot& snapshot, std::int64_t bytes, Work work);

    /// Whether writing has failed on this rank. All ranks learn it from `finish`. Not collective.
    [[nodiscard]] bool has_failed() const { return thread_.has_failed(); }
    /// Throws on all ranks what writing threw on any. Collective over `comm`, not the writer's.
    void require_sound(const Communicator& comm);
    /// Waits for what was handed over, timed; what it threw waits for `finish`.
    void drain();
    /// All that was handed over is on the disk. Throws what writing threw.
    void finish();

    [[nodiscard]] bool is_async() const { return async_; }
    /// Why it is not asynchronous although that was asked for; empty else.
    [[nodiscard]] const std::string& obstacle() const { return obstacle_; }
    /// Of this rank, after `finish`.
    [[nodiscard]] Account account() const;
    /// What the staging buffers of this rank take.
    [[nodiscard]] std::size_t staging_bytes() const { return pool_.size_bytes(); }
    [[nodiscard]] RowPatterns& patterns() { return patterns_; }

private:
    Context& context_;
    std::string obstacle_;
    bool async_;
    OwnedCommunicator comm_;
    RowPatterns patterns_;
    StagingPool pool_;
    Account account_;
    std::vector<std::string> files_;  ///< of the writer's thread
    WriterThread thread_;             ///< last: it ends first
};

}  // namespace halocline::output
