// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Appending of output times.
#include "halocline/io/file_io_times.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "halocline/core/error.hpp"
#include "halocline/io/result_names.hpp"

namespace halocline {

namespace {

void append_line(const std::string& path, const FileIoTimes& times) {
    errno = 0;
    std::ofstream file(path, std::ios::app);
    if (file && file.tellp() == std::streampos(0)) {
        file << "rank,partitioner,level,writeInterval,numberOfWrites,fileIoTime,wallTime\n";
    }
    file << "0," << times.partitioner << ",0," << times.write_interval << ',' << times.writes << ','
         << times.file_io_s << ',' << times.wall_s << '\n';
    file.close();
    validate<RunError>(!file.fail(), "'" + path + "' cannot be written (" + std::strerror(errno) +
                                         "). Check that the folder exists and has free space.");
}

}  // namespace

void append_file_io_times(const Communicator& comm, const std::string& prefix,
                          const FileIoTimes& times) {
    run_agreed(comm, [&] {
        if (comm.is_root()) {
            append_line(side_path(prefix, "P=0.FileIoTimes.csv"), times);
        }
    });
}

}  // namespace halocline
