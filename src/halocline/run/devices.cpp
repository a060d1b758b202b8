// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The words of the command line, and what devices did, in the record.
#include "halocline/run/devices.hpp"

#include <fmt/core.h>

#include <string>
#include <vector>

#include "halocline/backend/device/launch/executor.hpp"
#include "halocline/machine/hosts.hpp"

namespace halocline::run {

DeviceRequest device_request(const Options& options) {
    DeviceRequest request;
    request.backend = options.backend;
    request.device = options.device;
    request.device_ranks = options.device_ranks;
    request.gpu = options.gpu;
    request.assume_gpu_aware = options.assume_gpu_aware;
    request.words = {"--backend ", "--device ", "--device-ranks", "--halo-scheme ",
                     "--assume-gpu-aware"};
    return request;
}

bool writes_in_loop(const Options& options) {
    return options.flow_interval > 0 || !options.output_interval.empty() ||
           options.checkpoint_interval > 0 || options.checkpoint_seconds > 0.0;
}

AffinityRequest affinity_request_of(const Options& options) {
    AffinityRequest request = affinity_request(device_request(options), options.threads);
    request.threads_call_mpi = options.io_mode == output::IoMode::async && writes_in_loop(options);
    return request;
}

std::vector<std::string> describe_devices(const Communicator& comm, const RankDevice& rank,
                                          RunRecord& record) {
    if (!rank.any()) {
        return {};
    }
    const DeviceInfo info = rank.device != nullptr ? rank.device->info() : DeviceInfo{};
    const std::vector<std::string> names = gather_texts(comm, info.name);
    const std::vector<std::string> backends = gather_texts(comm, backend_name(rank.backend));
    const std::vector<std::int64_t> memory = comm.all_gather(std::span(&info.memory_bytes, 1));
    for (std::size_t r = 0; r < names.size(); ++r) {
        record::Rank entry;
        entry.rank = static_cast<int>(r);
        entry.backend = backends[r];
        if (!names[r].empty()) {
            entry.device = names[r];
            record.devices.push_back({rank.gpus[r].host, names[r], memory[r]});
            record.layout.gpus += backends[r] == "cuda" ? 1 : 0;
        }
        record.ranks.push_back(std::move(entry));
    }
    if (rank.mixed()) {
        record.backend = "mixed";
    }
    return gpu_sharing_notices(rank.gpus);
}

void finish_devices(const Communicator& comm, Context& context, const Solver& solver,
                    const TransferCounts& before, RunRecord& record) {
    device::Executor* const executor = context.device();
    TransferCounts now = before;
    record::DeviceUse use;
    if (executor != nullptr) {
        context.collect_kernel_times();
        now = executor->device().counts();
        if (const device::RepeatedWork* work = solver.repeated_work()) {
            use.graph = work->obstacle().empty();
            if (!use.graph) {
                use.no_graph_because = work->obstacle();
            }
            use.launches_per_cycle = work->launches();
        }
        use.prepare_s = executor->recorder().seconds() + executor->tables().build_seconds();
    }
    use.to_device_copies = comm.sum(now.to_device_copies - before.to_device_copies);
    use.to_device_bytes = comm.sum(now.to_device_bytes - before.to_device_bytes);
    use.to_host_copies = comm.sum(now.to_host_copies - before.to_host_copies);
    use.to_host_bytes = comm.sum(now.to_host_bytes - before.to_host_bytes);
    record.device_use = use;
}

}  // namespace halocline::run
