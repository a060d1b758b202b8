// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Asks the kernel for masks and hwloc for cores; each host judges its own ranks.
#include "halocline/run/placement.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <utility>

#include "halocline/core/error.hpp"
#include "halocline/machine/affinity.hpp"
#include "halocline/machine/binding.hpp"
#include "halocline/machine/hosts.hpp"
#include "halocline/machine/placement.hpp"
#include "halocline/machine/threads.hpp"

namespace halocline::run {

namespace {

/// Every rank's text on every rank.
std::vector<std::string> all_texts(const Communicator& comm, const std::string& mine) {
    const auto size = static_cast<std::int64_t>(mine.size());
    const std::vector<std::int64_t> sizes = comm.all_gather(std::span(&size, 1));
    const std::vector<int> counts(sizes.begin(), sizes.end());
    std::vector<int> offsets(counts.size(), 0);
    std::partial_sum(counts.begin(), counts.end() - 1, offsets.begin() + 1);
    std::string all(static_cast<std::size_t>(offsets.back() + counts.back()), ' ');
    check_mpi(MPI_Allgatherv(mine.data(), counts[static_cast<std::size_t>(comm.rank())], MPI_CHAR,
                             all.data(), counts.data(), offsets.data(), MPI_CHAR, comm.get()),
              "MPI_Allgatherv");
    std::vector<std::string> texts;
    for (std::size_t r = 0; r < counts.size(); ++r) {
        texts.push_back(
            all.substr(static_cast<std::size_t>(offsets[r]), static_cast<std::size_t>(counts[r])));
    }
    return texts;
}

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
        end = text.find(separator, begin);
        parts.push_back(text.substr(begin, end - begin));
    }
    return parts;
}

std::vector<CpuList> thread_masks(int threads) {
    std::vector<CpuList> masks(static_cast<std::size_t>(threads));
    int came = 0;  // OpenMP may give fewer than asked for
#pragma omp parallel num_threads(threads) reduction(+ : came)
    {
        masks[static_cast<std::size_t>(omp_get_thread_num())] = current_cpus();
        came = 1;
    }
    masks.resize(static_cast<std::size_t>(came));
    return masks;
}

CpuList united(const std::vector<CpuList>& masks) {
    std::set<int> cpus;
    for (const CpuList& mask : masks) {
        cpus.insert(mask.begin(), mask.end());
    }
    return {cpus.begin(), cpus.end()};
}

/// host;cpus;NUMA nodes;GPU;choice;mask of each thread
std::string describe_rank(const MachineMap& machine, const Affinity& own, int threads) {
    const std::vector<CpuList> masks = thread_masks(threads);
    const CpuList cpus = united(masks);
    std::string text =
        fmt::format("{};{};{};{};{}", host_name(), cpu_list_text(cpus),
                    cpu_list_text(machine.numa_nodes_of(cpus)), own.gpu_bus_id, own.sentence);
    for (const CpuList& mask : masks) {
        text += fmt::format(";{}", cpu_list_text(mask));
    }
    return text;
}

/// `halocline-p2p` names all launchers; a running job has one.
std::string launch_line(const MachineMap& machine, const std::vector<RankBinding>& ranks,
                        const record::Mpi& mpi) {
    PlacementRequest request;
    request.ranks = static_cast<int>(ranks.size());
    request.use_gpus = std::any_of(ranks.begin(), ranks.end(),
                                   [](const RankBinding& rank) { return rank.gpu_known; });
    for (const LaunchLine& line : launch_lines(machine, plan_placement(machine, request))) {
        if (mpi.library.rfind(line.launcher, 0) == 0) {
            const std::vector<std::string> rows = split(line.file, '\n');
            return " Start with: " + line.words +
                   (line.file.empty() ? ""
                                      : fmt::format(" (lines of halocline.rankfile: {})",
                                                    fmt::join(rows.begin(), rows.end() - 1, "; ")));
        }
    }
    return "";
}

bool matters(const BindingFinding& finding) {
    return finding.kind == "shared_core" || finding.kind == "straddles_numa" ||
           finding.kind == "far_gpu";
}

/// What this host's first rank has to say: one line a finding, warnings marked by '!', what is only
/// told by '>'.
std::string judge_host(const Communicator& comm, const MachineMap& machine, const Affinity& own,
                       const record::Mpi& mpi, int threads) {
    const std::vector<RankBinding> ranks = gather_bindings(comm, machine, own);
    if (ranks.front().rank != comm.rank()) {
        return "";
    }
    const bool fits = ranks.size() <= machine.cores.size();
    std::vector<std::string> lines;
    if (!fits || ranks.size() * static_cast<std::size_t>(threads) > machine.all_cpus().size()) {
        lines.push_back(fmt::format(">{} rank{}{} on the {} cores of {}: they take turns{}.",
                                    ranks.size(), ranks.size() == 1 ? "" : "s",
                                    threads == 1 ? "" : fmt::format(" x {} threads", threads),
                                    machine.cores.size(), ranks.front().host,
                                    threads > 1 && waits_passively() ? " and wait passively" : ""));
    }
    for (const BindingFinding& finding : judge_bindings(machine, ranks)) {
        const bool warn = fits && matters(finding);
        lines.push_back((warn ? "!" : "-") + finding.sentence +
                        (warn ? launch_line(machine, ranks, mpi) : "") +
                        (finding.kind == "far_gpu" ? " Or set HALOCLINE_AFFINITY=force." : ""));
    }
    return fmt::format("{}", fmt::join(lines, "\n"));
}

record::Binding binding_from(int rank, const std::string& text) {
    const std::vector<std::string> parts = split(text, ';');
    record::Binding made;
    made.rank = rank;
    made.host = parts[0];
    made.cpus = parts[1];
    made.numa_nodes = parts[2];
    if (!parts[3].empty()) {
        made.gpu = parts[3];
    }
    made.choice = parts[4];
    made.threads.assign(parts.begin() + 5, parts.end());
    return made;
}

/// A line a rank, of so many ranks as a screen holds; the record has all.
void show_gpus(const std::vector<record::Binding>& bindings, const Console& console) {
    constexpr std::size_t most = 16;
    for (std::size_t r = 0; r < std::min(bindings.size(), most); ++r) {
        console.line(fmt::format("  rank {} on {}, cpus {}: {}", bindings[r].rank, bindings[r].host,
                                 bindings[r].cpus, bindings[r].choice));
    }
    if (bindings.size() > most) {
        console.line(fmt::format("  … and {} ranks more (see the record)", bindings.size() - most));
    }
}

/// GPUs that ranks have opened, each once.
int count_gpus(const std::vector<record::Binding>& bindings) {
    std::set<std::string> gpus;
    for (const record::Binding& binding : bindings) {
        if (binding.gpu) {
            gpus.insert(binding.host + ' ' + *binding.gpu);
        }
    }
    return static_cast<int>(gpus.size());
}

}  // namespace

void describe_placement(const Communicator& comm, const Affinity& own, const record::Mpi& mpi,
                        const Console& console, record::Layout& layout) {
    MachineMap machine;
    try {
        machine = read_machine();
    } catch (const EnvironmentError& error) {
        console.warning(error.what());  // masks are still known, without cores and NUMA nodes
    }
    const auto threads = static_cast<int>(layout.threads_per_rank);
    int rank = 0;
    bool shown = false;
    for (const std::string& text : all_texts(comm, describe_rank(machine, own, threads))) {
        layout.bindings.push_back(binding_from(rank++, text));
    }
    if (const int gpus = count_gpus(layout.bindings); gpus > 0) {
        layout.gpus = layout.gpus > 0 ? gpus : 0;  // an emulated device opens none
        show_gpus(layout.bindings, console);
    }
    for (const std::string& text : all_texts(comm, judge_host(comm, machine, own, mpi, threads))) {
        for (const std::string& line : split(text, '\n')) {
            if (line.empty()) {
                continue;
            }
            layout.findings.push_back(line.substr(1));
            if (line.front() == '!') {
                console.warning(line.substr(1));
            } else if (line.front() == '>' && !std::exchange(shown, true)) {
                console.line("  " + line.substr(1));  // of the first such host
            }
        }
    }
}

}  // namespace halocline::run
