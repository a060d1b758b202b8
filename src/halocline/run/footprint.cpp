// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Sums over ranks and files.
#include "halocline/run/footprint.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "halocline/core/clock.hpp"
#include "halocline/core/process_memory.hpp"
#include "halocline/dist/exchange/link_speed.hpp"
#include "halocline/memory/memory_account.hpp"

namespace halocline::run {

namespace {

std::int64_t bytes_of(std::size_t count, std::size_t each) {
    return static_cast<std::int64_t>(count * each);
}

double transfer_s(const record::Prediction& link, double messages, double bytes) {
    return messages * link.latency_s + bytes / link.bytes_per_s;
}

}  // namespace

record::Memory start_memory(const Communicator& comm) {
    record::Memory memory;
    const auto resident = static_cast<double>(resident_memory_bytes());
    if (comm.min(resident) > 0.0) {
        memory.fixed_bytes = spread_of(comm, resident);
    }
    return memory;
}

void add_mesh_files(const Communicator& comm, const MgcfdInput& input, const std::string& directory,
                    record::Memory& memory) {
    std::int64_t bytes = 0;
    if (comm.is_root()) {
        for (const std::string& file : input.level_files) {
            std::error_code failed;
            const auto size = std::filesystem::file_size(in_directory(directory, file), failed);
            bytes += failed ? 0 : static_cast<std::int64_t>(size);
        }
    }
    memory.mesh_file_bytes = comm.sum(bytes);
}

std::optional<double> peak_over_share(const Communicator& comm, const record::Memory& memory) {
    const auto peak = static_cast<double>(comm.max(peak_memory_bytes()));
    if (!memory.fixed_bytes || memory.mesh_file_bytes.value_or(0) == 0) {
        return std::nullopt;
    }
    const double share = static_cast<double>(*memory.mesh_file_bytes) / comm.size();
    return (peak - memory.fixed_bytes->min) / share;
}

void add_peak(const Communicator& comm, record::Memory& memory) {
    memory.peak_rss_bytes = spread_of(comm, static_cast<double>(peak_memory_bytes()));
    memory.peak_over_share = peak_over_share(comm, memory);
}

void add_connectivity(const Communicator& comm, const MeshPart& part, record::Memory& memory) {
    std::int64_t maps = 0, ids = 0;
    for (const MapPart& map : part.maps) {
        maps += bytes_of(map.targets.size(), sizeof(LocalIndex));
    }
    for (const SetPart& set : part.sets) {
        const bool wide = set.global_size > std::numeric_limits<LocalIndex>::max();
        ids += bytes_of(set.global_ids.size(), wide ? sizeof(GlobalIndex) : sizeof(LocalIndex)) +
               bytes_of(set.halo.send_indices.size() + set.halo.recv_indices.size(),
                        sizeof(LocalIndex));
    }
    memory.parts.emplace();
    memory.parts->map_bytes = comm.sum(maps);
    memory.parts->id_bytes = comm.sum(ids);
}

void add_memory_parts(const Communicator& comm, record::Memory& memory) {
    if (!memory.fixed_bytes || !memory.parts) {
        memory.parts.reset();
        return;
    }
    record::MemoryParts& parts = *memory.parts;
    parts.program_bytes = std::llround(memory.fixed_bytes->mean * comm.size());
    parts.plan_bytes = comm.sum(buffer_bytes(MemoryUse::plans));
    parts.copy_bytes = comm.sum(buffer_bytes(MemoryUse::copies));
    parts.dat_bytes =
        std::max<std::int64_t>(comm.sum(buffer_bytes(MemoryUse::values)) - parts.map_bytes, 0);
    const std::int64_t named = parts.program_bytes + parts.map_bytes + parts.id_bytes +
                               parts.plan_bytes + parts.copy_bytes + parts.dat_bytes;
    // Arrays that were not touched yet are not resident.
    parts.rest_bytes = std::max<std::int64_t>(comm.sum(resident_memory_bytes()) - named, 0);
}

std::optional<record::Prediction> predict_halo(const Communicator& comm, const Options& options,
                                               const HaloSample& finest) {
    if (comm.size() == 1) {
        return std::nullopt;
    }
    record::Prediction prediction;
    if (options.network) {
        prediction.latency_s = options.network->latency_s;
        prediction.bytes_per_s = options.network->bytes_per_s;
        prediction.origin = "modelled network";
    } else {
        const dist::LinkSpeed link = dist::measure_link(comm);
        prediction.latency_s = link.latency_s;
        prediction.bytes_per_s = link.bytes_per_s;
        prediction.origin = "measured between two ranks";
    }
    const HaloPattern& halo = finest.set->halo;
    const double row_bytes = finest.dim * 8.0;
    const auto count_messages = [](const std::vector<LocalIndex>& offsets) {
        double messages = 0.0;
        for (std::size_t n = 0; n + 1 < offsets.size(); ++n) {
            messages += offsets[n + 1] > offsets[n] ? 1.0 : 0.0;
        }
        return messages;
    };
    const double sending = transfer_s(prediction, count_messages(halo.send_offsets),
                                      row_bytes * static_cast<double>(halo.send_indices.size()));
    const double receiving = transfer_s(prediction, count_messages(halo.recv_offsets),
                                        row_bytes * static_cast<double>(halo.recv_indices.size()));
    prediction.exchange_s = comm.max(std::max(sending, receiving));
    return prediction;
}

void predict_run(const Communicator& comm, const HaloLedger& ledger,
                 record::Prediction& prediction) {
    prediction.run_s = comm.max(transfer_s(prediction, static_cast<double>(ledger.messages),
                                           static_cast<double>(ledger.bytes)));
}

}  // namespace halocline::run
