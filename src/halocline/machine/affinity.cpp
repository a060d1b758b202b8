// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reads the launcher's variables and hwloc's map, and calls the kernel.
#include "halocline/machine/affinity.hpp"

#include <fmt/core.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <clocale>
#include <cstdlib>
#include <cstring>

#include "halocline/core/error.hpp"
#include "halocline/core/failure.hpp"
#include "halocline/core/print.hpp"
#include "halocline/core/process_memory.hpp"
#include "halocline/machine/binding.hpp"
#include "halocline/machine/threads.hpp"

namespace halocline {

namespace {

/// Cpu numbers beyond this do not occur: the largest kernels are built for 8192.
constexpr int most_cpus = 8192;

std::optional<std::vector<int>> usable_gpus(const MachineMap& machine,
                                            const AffinityRequest& request) {
    if (request.gpu_bus_ids.empty()) {
        const std::string variable = process_environment()("CUDA_VISIBLE_DEVICES");
        return variable.empty() ? std::nullopt : visible_gpus(machine, variable);
    }
    std::vector<int> places;
    for (const std::string& id : request.gpu_bus_ids) {
        const auto found = std::find_if(machine.gpus.begin(), machine.gpus.end(),
                                        [&](const PciDevice& gpu) { return gpu.pci_bus_id == id; });
        if (found == machine.gpus.end()) {
            return std::nullopt;  // a container may hide /sys/bus/pci
        }
        places.push_back(static_cast<int>(found - machine.gpus.begin()));
    }
    return places;
}

/// The GPU without a map. A number beyond the last is left to whoever opens it.
void choose_by_number(const AffinityRequest& request, Affinity& made) {
    const auto count = static_cast<int>(request.gpu_bus_ids.size());
    const LocalRank local = made.local.value_or(LocalRank{});
    made.gpu_index = request.gpu.value_or(gpu_of(local.rank, local.size, count));
    if (made.gpu_index < count) {
        made.gpu_bus_id = request.gpu_bus_ids[static_cast<std::size_t>(made.gpu_index)];
    }
    made.sentence = fmt::format("GPU {} ({}), cores as started", made.gpu_index, made.gpu_bus_id);
}

void bind(const CpuList& cpus, Affinity& made) {
    made.bound_here = bind_to(cpus);
    if (made.bound_here) {
        made.cpus = cpus;
        return;
    }
    made.warnings.push_back(fmt::format(
        "cpus {} ({}) cannot be used (sched_setaffinity: {}): the rank keeps its cores. "
        "Check the limits of the job or container.",
        cpu_list_text(cpus), made.sentence, std::strerror(errno)));
    made.sentence += ", which cannot be used: cores as started";
}

void take(const Placement& placement, const MachineMap& machine, bool force, Affinity& made) {
    made.sentence = placement.reason;
    if (placement.gpu >= 0) {
        made.gpu_index = placement.visible_gpu;
        made.gpu_bus_id = machine.gpus[static_cast<std::size_t>(placement.gpu)].pci_bus_id;
    }
    const bool wanted = force || (placement.gpu >= 0 && !made.bound_by_launcher);
    if (wanted && machine.this_machine && !placement.cpus.empty()) {
        bind(placement.cpus, made);
    } else if (placement.gpu >= 0) {
        made.sentence =
            fmt::format("GPU {} ({}), cores as {}", placement.visible_gpu, made.gpu_bus_id,
                        made.bound_by_launcher ? "the launcher bound them" : "started");
    } else {
        made.sentence = "as started (hwloc shows no GPU)";
    }
}

void place(const AffinityRequest& request, Affinity& made) {
    const std::string mode = process_environment()("HALOCLINE_AFFINITY");
    if (!mode.empty() && mode != "off" && mode != "force" && mode != "auto") {
        made.warnings.push_back("HALOCLINE_AFFINITY=" + mode +
                                " is not known (auto, force and off are); auto is used.");
    }
    if (mode == "off" || (!request.use_gpu && mode != "force")) {
        made.sentence = mode == "off" ? "left alone (HALOCLINE_AFFINITY=off)"
                                      : "as started (no GPU takes part)";
        if (request.use_gpu && !request.gpu_bus_ids.empty()) {
            choose_by_number(request, made);
        }
        return;
    }
    const MachineMap machine = read_machine();
    made.bound_by_launcher = machine.cores_of(made.cpus_before).size() < machine.cores.size();
    PlacementRequest wanted;
    wanted.ranks = made.local ? made.local->size : 1;
    wanted.use_gpus = request.use_gpu;
    wanted.visible_gpus = usable_gpus(machine, request);
    wanted.gpu = request.gpu;
    const auto rank = static_cast<std::size_t>(made.local ? made.local->rank : 0);
    const std::vector<Placement> placements = plan_placement(machine, wanted);
    take(placements[rank], machine, mode == "force", made);
    if (made.gpu_bus_id.empty() && !request.gpu_bus_ids.empty()) {
        choose_by_number(request, made);
        made.warnings.emplace_back(
            "hwloc does not show the GPUs of this host (/sys/bus/pci is hidden, as "
            "in some containers): cores near the GPU are not known.");
    }
}

}  // namespace

CpuList current_cpus() {
    cpu_set_t* mask = CPU_ALLOC(most_cpus);
    const std::size_t bytes = CPU_ALLOC_SIZE(most_cpus);
    CPU_ZERO_S(bytes, mask);
    CpuList cpus;
    if (sched_getaffinity(0, bytes, mask) == 0) {
        for (int cpu = 0; cpu < most_cpus; ++cpu) {
            if (CPU_ISSET_S(cpu, bytes, mask)) {
                cpus.push_back(cpu);
            }
        }
    }
    CPU_FREE(mask);
    return cpus;
}

bool bind_to(const CpuList& cpus) {
    cpu_set_t* mask = CPU_ALLOC(most_cpus);
    const std::size_t bytes = CPU_ALLOC_SIZE(most_cpus);
    CPU_ZERO_S(bytes, mask);
    for (const int cpu : cpus) {
        CPU_SET_S(cpu, bytes, mask);
    }
    const bool done = sched_setaffinity(0, bytes, mask) == 0;
    CPU_FREE(mask);
    return done;
}

Affinity place_process(const AffinityRequest& request) {
    Affinity made;
    made.cpus_before = current_cpus();
    made.cpus = made.cpus_before;
    made.local = find_local_rank(process_environment());
    try {
        place(request, made);
    } catch (const Error& error) {
        made.warnings.emplace_back(error.what());
    }
    return made;
}

namespace {

/// Threads that a program may come to run, before it knows the other ranks. A wrong word in the
/// environment is reported later, when all ranks can do so together.
int most_threads_of(const AffinityRequest& request, const Affinity& affinity) {
    if (request.threads > 0) {
        return request.threads;
    }
    try {
        return threads_from_environment().value_or(static_cast<int>(affinity.cpus.size()));
    } catch (const Error&) {
        return static_cast<int>(affinity.cpus.size());
    }
}

}  // namespace

int run_placed_program(
    int argc, char** argv, const char* name, const AffinityRequest& request,
    const std::function<int(const Communicator&, const Affinity&, int, char**)>& program) {
    yield_when_oversubscribed(request.threads, argv);
    return_large_blocks_at_once();
    if (request.use_gpu) {
        // UCX remembers what kind of memory an address was, also after the runtime has given it back
        // and the C library has taken it: host messages then break off (seen with UCX 1.22).
        setenv("UCX_MEMTYPE_CACHE", "n", 0);
    }
    if (!request.may_spawn) {
        // Without mpirun Open MPI 4 starts a daemon beside the program, for MPI_Comm_spawn alone.
        setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
    }
    // Before MPI and the first thread: both take the mask as they find it.
    const Affinity affinity = place_process(request);
    if (!affinity.local || affinity.local->rank == 0) {
        for (const std::string& warning : affinity.warnings) {
            print(stderr, "{}: warning: {}\n", name, warning);
        }
    }
    const int level = request.threads_call_mpi
                          ? MPI_THREAD_MULTIPLE
                          : thread_level_for(most_threads_of(request, affinity));
    return run_mpi_program(argc, argv, level, name,
                           [&](const Communicator& comm, int count, char** words) {
                               // What MPI has loaded may have set another: numbers have points.
                               std::setlocale(LC_ALL, "C");
                               return program(comm, affinity, count, words);
                           });
}

std::vector<RankBinding> gather_bindings(const Communicator& comm, const MachineMap& machine,
                                         const Affinity& own) {
    MPI_Comm raw = MPI_COMM_NULL;
    check_mpi(
        MPI_Comm_split_type(comm.get(), MPI_COMM_TYPE_SHARED, comm.rank(), MPI_INFO_NULL, &raw),
        "MPI_Comm_split_type");
    constexpr int width = 2048;
    std::array<char, width> mine{};
    const std::string text =
        fmt::format("{} {} {}", comm.rank(), own.gpu_bus_id.empty() ? "-" : own.gpu_bus_id,
                    cpu_list_text(current_cpus()));
    text.copy(mine.data(), width - 1);
    int ranks = 0;
    MPI_Comm_size(raw, &ranks);
    std::vector<char> all(static_cast<std::size_t>(ranks) * width);
    check_mpi(MPI_Allgather(mine.data(), width, MPI_CHAR, all.data(), width, MPI_CHAR, raw),
              "MPI_Allgather");
    MPI_Comm_free(&raw);
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    std::vector<RankBinding> bindings;
    for (int r = 0; r < ranks; ++r) {
        const std::string line(all.data() + static_cast<std::size_t>(r) * width);
        const std::size_t a = line.find(' ');
        const std::size_t b = line.find(' ', a + 1);
        RankBinding binding;
        binding.rank = std::stoi(line.substr(0, a));
        binding.host = host.data();
        binding.cpus = parse_cpu_list(line.substr(b + 1));
        const std::string bus_id = line.substr(a + 1, b - a - 1);
        binding.gpu_known = bus_id != "-";
        for (std::size_t k = 0; k < machine.gpus.size(); ++k) {
            if (machine.gpus[k].pci_bus_id == bus_id) {
                binding.gpus.push_back(static_cast<int>(k));
            }
        }
        bindings.push_back(std::move(binding));
    }
    return bindings;
}

}  // namespace halocline
