// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints of a program of one's own: dats and numbers, written whole, read by any number of ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "halocline/io/checkpoint_file.hpp"
#include "halocline/runtime/runtime.hpp"

namespace halocline {

/// What `restart` found.
struct Restart {
    std::int64_t step = 0;        ///< that the checkpoint was written after
    std::vector<double> numbers;  ///< what `write` was given beside dats
    std::string path;             ///< of the file
};

/// The dats of a program that it continues from:
///
///     halocline::Checkpoints checkpoints(runtime, "run.", "my_program", {q, p});
///     const auto last = checkpoints.restart();
///     for (long step = last ? last->step + 1 : 1; step <= steps; ++step) {
///         ...
///         if (step % 100 == 0) checkpoints.write(step);
///     }
///
/// Files are `<prefix>checkpoint.step=<n>.h5`, each whole or not there, with checksums; the newest
/// `keep` stay. Values come back bit for bit on any ranks, partitioner and back end. All calls are collective.
/// Runtime and dats outlive the object.
class Checkpoints {
public:
    /// Names the dats of a program's state. Throws ContractError for temporaries, for two dats of one name,
    /// and when none would be kept.
    /// @param prefix   of the files' names, a folder included
    /// @param program  what a checkpoint must be of, to be continued from
    /// @param keep     newest checkpoints that stay, at least 1
    Checkpoints(Runtime& runtime, std::string prefix, std::string program,
                std::vector<FieldToRead> dats, int keep = 2);
    ~Checkpoints();
    Checkpoints(const Checkpoints&) = delete;
    Checkpoints& operator=(const Checkpoints&) = delete;

    /// Takes the values as they are and goes on; the runtime's writer writes them. Throws ContractError when
    /// a dat or its mesh is gone, and for a negative step.
    /// @param numbers  what the program keeps beside dats, the same on all ranks
    void write(std::int64_t step, std::vector<double> numbers = {});
    /// Fills the dats from the newest intact checkpoint; nothing where there is none at all. Throws
    /// InputError when there are some, and none of them can be used.
    [[nodiscard]] std::optional<Restart> restart();

private:
    struct Work;
    Runtime& runtime_;
    std::unique_ptr<Work> work_;
};

}  // namespace halocline
