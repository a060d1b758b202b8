// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/machine/hosts.hpp"

#include <array>
#include <fstream>

namespace halocline {

HostRanks ranks_on_this_host(const Communicator& comm, bool counts) {
    MPI_Comm host = MPI_COMM_NULL;
    check_mpi(MPI_Comm_split_type(comm.get(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host),
              "MPI_Comm_split_type");
    HostRanks ranks;
    const int one = counts ? 1 : 0;
    MPI_Comm_size(host, &ranks.size);
    MPI_Comm_rank(host, &ranks.rank);
    MPI_Allreduce(&one, &ranks.counted, 1, MPI_INT, MPI_SUM, host);
    MPI_Comm_free(&host);
    return ranks;
}

std::string host_name() {
    std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
    int length = 0;
    check_mpi(MPI_Get_processor_name(name.data(), &length), "MPI_Get_processor_name");
    return {name.data(), static_cast<std::size_t>(length)};
}

std::string cpu_model() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (line.rfind("model name", 0) == 0) {
            return line.substr(line.find(':') + 2);
        }
    }
    return "";
}

std::vector<std::string> gather_texts(const Communicator& comm, const std::string& text) {
    constexpr int width = 256;
    std::array<char, width> mine{};
    text.copy(mine.data(), width - 1);
    std::vector<char> all(static_cast<std::size_t>(width) * static_cast<std::size_t>(comm.size()));
    check_mpi(MPI_Allgather(mine.data(), width, MPI_CHAR, all.data(), width, MPI_CHAR, comm.get()),
              "MPI_Allgather");
    std::vector<std::string> texts;
    texts.reserve(static_cast<std::size_t>(comm.size()));
    for (int r = 0; r < comm.size(); ++r) {
        texts.emplace_back(all.data() + static_cast<std::size_t>(r) * width);
    }
    return texts;
}

}  // namespace halocline
