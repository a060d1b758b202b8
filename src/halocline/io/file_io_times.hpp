// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// MG-CFD's table of output times, to which every run adds a line.
#pragma once

#include <cstdint>
#include <string>

#include "halocline/core/communicator.hpp"

namespace halocline {

/// One line of `<prefix>P=0.FileIoTimes.csv`.
struct FileIoTimes {
    std::string partitioner;          ///< name and method, e.g. parmetis-kway
    std::int64_t write_interval = 0;  ///< cycles between outputs of the flow; 0: none
    std::int64_t writes = 0;          ///< files written
    double file_io_s = 0.0;           ///< wall seconds in calls of the file system
    double wall_s = 0.0;              ///< as `Max total runtime`
};

/// Adds the line, after a line of column names when the file is new. Rank 0 writes. Collective.
/// Throws RunError on every rank when the file cannot be written.
void append_file_io_times(const Communicator& comm, const std::string& prefix,
                          const FileIoTimes& times);

}  // namespace halocline
