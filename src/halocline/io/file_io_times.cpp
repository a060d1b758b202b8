// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Appending of output times.
#include "halocline/io/file_io_times.hpp"

#include <sstream>

#include "halocline/core/output_file.hpp"
#include "halocline/io/result_names.hpp"

namespace halocline {

namespace {

constexpr const char* head =
    "rank,partitioner,level,writeInterval,numberOfWrites,fileIoTime,wallTime\n";

std::string line_of(const FileIoTimes& times) {
    std::ostringstream line;
    line << "0," << times.partitioner << ",0," << times.write_interval << ',' << times.writes << ','
         << times.file_io_s << ',' << times.wall_s << '\n';
    return line.str();
}

}  // namespace

void append_file_io_times(const Communicator& comm, const std::string& prefix,
                          const FileIoTimes& times) {
    run_agreed(comm, [&] {
        if (comm.is_root()) {
            append_line(file_io_times_path(prefix), head, line_of(times));
        }
    });
}

}  // namespace halocline
