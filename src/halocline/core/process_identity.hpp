// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Processes as others know them by a name on a shared disk: who made a file, and whether he lives.
#pragma once

#include <cstdint>
#include <string>

namespace halocline {

/// A process, distinct from all others that ever had its number.
struct ProcessIdentity {
    std::string host;      ///< for people
    std::string machine;   ///< 16 hexadecimal digits: host, its start, its table of processes
    std::int64_t pid = 0;  ///< process number on that machine
    std::int64_t start =
        0;  ///< clock ticks from the machine's start to the process's; 0: not known
};

/// The identity of the calling process.
[[nodiscard]] ProcessIdentity this_process();

/// `unknown`: of another machine, or of another table of processes on this one.
enum class Life { alive, dead, unknown };
/// Whether that process still runs, as far as this process can see.
[[nodiscard]] Life life_of(const ProcessIdentity& process);

}  // namespace halocline
