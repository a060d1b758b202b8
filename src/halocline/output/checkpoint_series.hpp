// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints of one run: written beside its loops, the newest kept, the newest intact one read.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "halocline/io/checkpoint_file.hpp"
#include "halocline/output/writer.hpp"

namespace halocline::output {

/// All calls are collective. Communicator, writer and dats outlive the series.
class CheckpointSeries {
public:
    /// @param prefix    put in front of `checkpoint.step=<n>.h5` as it stands
    /// @param keep      checkpoints that stay, at least 1
    /// @param identity  program, settings and mesh that a checkpoint must have
    CheckpointSeries(const Communicator& comm, Writer& writer, std::string prefix, int keep,
                     CheckpointHead identity, std::vector<FieldToRead> dats);

    /// What was read, and from where.
    struct Found {
        CheckpointHead head;
        std::string path;
    };
    /// Fills the dats. Throws InputError as `read_checkpoint` does.
    [[nodiscard]] Found read(const std::string& path);
    /// The same from the newest intact one; nothing where there is none at all. `warn` hears of each
    /// that cannot be used. Throws InputError when that are all of them: nothing is computed anew.
    [[nodiscard]] std::optional<Found> read_newest(
        const std::function<void(const std::string&)>& warn);

    /// Writes the dats as they are now, unless that has been done for this step; then removes what is
    /// too old.
    void write(std::int64_t step, std::vector<double> numbers);

    /// Before the loops: makes what writing takes.
    void prepare();

    /// The one that was written or read last; "" none.
    [[nodiscard]] const std::string& newest() const { return newest_; }

private:
    void make_snapshot();
    [[nodiscard]] std::vector<std::string> candidates() const;
    [[nodiscard]] std::vector<std::string> take_outdated(const std::string& path);

    const Communicator& comm_;
    Writer& writer_;
    std::string prefix_;
    int keep_;
    CheckpointHead identity_;
    std::vector<FieldToRead> dats_;
    std::vector<Hdf5Image::Shape> shapes_;
    std::int64_t bytes_ = 0;
    std::unique_ptr<Snapshot> snapshot_;  ///< made when it is first needed
    std::vector<std::string> kept_;       ///< oldest first
    std::string newest_;
    std::int64_t newest_step_ = 0;
};

}  // namespace halocline::output
