// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Two runs that write the same files: the second is refused before it writes anything.
#pragma once

#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"

namespace halocline {

/// `<folder>/.halocline.lock`, with `.<name>` behind it where the prefix is more than a folder.
[[nodiscard]] std::string output_lock_path(const std::string& prefix);

/// While one lives, no other run writes files with this prefix, nor this record, which may lie
/// elsewhere; other prefixes and readers are free.
///
/// Rank 0 holds a lock of the kernel (flock) on the lock file, which names the holder for people; a lock
/// ends with its process, so that the file of a dead run holds nobody up. Where the file system
/// knows no locks, the file itself is the lock, and the owner's process says whether it still counts.
class OutputLock final {
public:
    /// Collective. Throws EnvironmentError on every rank, naming the owner, while another run has the
    /// lock, and what `require_output_folder` throws.
    /// @param command  words of this run, for whoever meets the lock
    /// @param record   empty: none; what is not a regular file (/dev/stdout) needs no lock
    OutputLock(const Communicator& comm, const std::string& prefix,
               const std::vector<std::string>& command, const std::string& record = "");
    ~OutputLock();
    OutputLock(const OutputLock&) = delete;
    OutputLock& operator=(const OutputLock&) = delete;

private:
    struct Held {
        std::string path;
        int file = -1;
    };
    void release() noexcept;

    std::vector<Held> held_;  ///< on rank 0
};

}  // namespace halocline
