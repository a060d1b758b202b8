// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Device, schemes that can be, then each mesh with each number of fields; rank 0 tells.
#include "bench.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "box.hpp"
#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"
#include "halocline/core/standard_output.hpp"
#include "halocline/core/utc_time.hpp"
#include "halocline/machine/hosts.hpp"
#include "halocline/machine/mpi_transport.hpp"
#include "halocline/memory/cuda_device.hpp"
#include "halocline/memory/peer_memory.hpp"
#include "report.hpp"

namespace halocline::halo_bench {

namespace {

Capability pointers_to_mpi(const Options& options, const Device& device,
                           const std::vector<Evidence>& transport) {
    if (options.assume_gpu_aware || device.info().kind == "emulated") {
        return {true, options.assume_gpu_aware ? "--assume-gpu-aware" : "emulated"};
    }
    const GpuAwareness awareness = query_gpu_awareness(transport);
    return {awareness.aware, awareness.evidence};
}

void describe(const Communicator& comm, const std::vector<Evidence>& transport,
              const Device* device, Report& report) {
    report.started = utc_now();
    report.host = comm.broadcast(host_name());
    report.ranks = comm.size();
    report.one_host = comm.is_on_one_host();
    report.mpi = transport.empty() ? "unknown" : transport.front().value;
    const int sharing = ranks_on_this_host(comm).size;
    report.takes_turns =
        report.gpus > 0 && sharing > report.gpus && !device->runs_processes_together().possible;
}

/// Why a scheme cannot be here; empty when it can.
std::string refusal_of(const Bench& bench, const std::string& scheme) {
    if (scheme == "host") {
        return "";
    }
    if (bench.device == nullptr) {
        return "no device takes part";
    }
    if (scheme == "direct") {
        const Capability capability = bench.device->can_pass_to_mpi();
        return !capability.possible ? capability.evidence
               : !bench.mpi_takes_device_pointers.possible
                   ? bench.mpi_takes_device_pointers.evidence
                   : "";
    }
    return scheme == "peer" && !bench.peer_access.possible ? bench.peer_access.evidence : "";
}

/// Schemes asked for, or all; those that cannot be are kept with the reason. One named by the user is
/// an error, not a gap in a table.
std::vector<std::string> usable_schemes(const Bench& bench, const Options& options,
                                        Report& report) {
    std::vector<std::string> usable;
    for (const std::string& scheme : scheme_names()) {
        const auto& asked = options.schemes;
        const bool named = std::find(asked.begin(), asked.end(), scheme) != asked.end();
        if (!asked.empty() && !named) {
            continue;
        }
        const std::string refusal = refusal_of(bench, scheme);
        validate<EnvironmentError>(!named || refusal.empty(),
                                   fmt::format("halo scheme '{}' cannot be used ({}). Leave it out "
                                               "of --schemes.",
                                               scheme, refusal));
        if (refusal.empty()) {
            usable.push_back(scheme);
        } else {
            report.refused.push_back({scheme, refusal});
        }
    }
    return usable;
}

MeshReport describe_mesh(const Communicator& comm, const SetPart& vertices) {
    const HaloSize own = size_of(vertices);
    MeshReport mesh;
    mesh.vertices = vertices.global_size;
    mesh.whole_bytes = comm.max(own.whole_bytes);
    mesh.halo_bytes = comm.max(own.sent_bytes + own.received_bytes);
    mesh.sent_bytes = comm.max(own.sent_bytes);
    mesh.sent_to = comm.max(own.sent_to);
    mesh.directions = comm.max(own.sent_to + own.received_from);
    mesh.all_are_neighbours = comm.min(std::min(own.sent_to, own.received_from)) == comm.size() - 1;
    return mesh;
}

/// Rank 0's tables and how much is left to do.
class Console {
public:
    Console(const Communicator& comm, const Options& options)
        : speaks_(comm.is_root() && !options.quiet), start_s_(wall_seconds()) {
        for (const GlobalIndex vertices : options.vertices) {
            for (const int fields : options.fields) {
                work_ += static_cast<double>(vertices) * fields;
            }
        }
    }

    void heading(const Report& report) const {
        if (!speaks_) {
            return;
        }
        say("{} domains on {}, divided by {}; {}\n", report.ranks,
            report.device ? report.device->name : "host ranks", report.partitioner, report.mpi);
        if (report.takes_turns) {
            say("ranks take turns on {} GPU(s), which costs more than small halos: see "
                "docs/device-halos.md, \"Ranks that share a GPU\"\n",
                report.gpus);
        }
        for (const SchemeRefusal& refusal : report.refused) {
            say("scheme {} cannot be used: {}\n", refusal.scheme, refusal.reason);
        }
    }

    void rows(GlobalIndex vertices, int fields, const std::vector<Row>& rows) {
        done_ += static_cast<double>(vertices) * fields;
        if (!speaks_) {
            return;
        }
        const double left_s = (wall_seconds() - start_s_) * (work_ / done_ - 1.0);
        say("\n{} vertices, {} field{} at once{}\n", vertices, fields, fields == 1 ? "" : "s",
            left_s >= 1.0 ? fmt::format(" (about {:.0f} s left)", left_s) : "");
        say("{:<10} {:>10} {:>19} {:>9} {:>7} {:>13} {:>9}\n", "scheme", "us", "quartiles",
            "of " + rows.front().scheme, "copies", "link bytes", "messages");
        for (const Row& row : rows) {
            say("{:<10} {:>10.1f} {:>9.1f}-{:<9.1f} {:>8.3f} {:>7} {:>13} {:>9}\n", row.scheme,
                1e6 * row.time.median_s, 1e6 * row.time.lower_s, 1e6 * row.time.upper_s,
                row.time.median_s / rows.front().time.median_s, row.cost.link_copies,
                row.cost.link_bytes, row.cost.messages);
        }
    }

    void closing() const {
        if (speaks_) {
            say("\nall values right, all bytes and copies as the formulae say; times are medians, "
                "slowest rank; counts those of the rank that has most\n");
        }
    }

private:
    bool speaks_;
    double start_s_;
    double work_ = 0.0;
    double done_ = 0.0;
};

}  // namespace

int run_experiment(const Communicator& comm, const Options& options, const Affinity& affinity) {
    validate<UsageError>(comm.size() > 1, "one domain exchanges nothing. Start it by mpirun -n 2.");
    Report report;
    report.options = options;
    report.partitioner = options.partitioner;
    bench_parts::OpenedDevice opened = bench_parts::open_device(comm, options.device, affinity);
    report.device_note = opened.note;
    report.gpus = opened.gpus;
    const std::unique_ptr<Device> device = std::move(opened.device);
    if (device != nullptr) {
        report.device = device->info();
    }
    const std::unique_ptr<Stream> compute = device ? device->make_stream() : nullptr;
    const std::vector<Evidence> transport = describe_transport(comm);
    describe(comm, transport, device.get(), report);
    const Bench bench{comm,
                      device.get(),
                      compute.get(),
                      device ? pointers_to_mpi(options, *device, transport) : Capability{},
                      find_peer_access(comm, device.get()),
                      options.repetitions};
    const std::vector<std::string> schemes = usable_schemes(bench, options, report);
    Console console(comm, options);
    console.heading(report);
    for (const GlobalIndex wanted : options.vertices) {
        const Distribution box = divide_box(comm, wanted, options.partitioner);
        const SetPart& vertices = box.part.sets.front();
        MeshReport mesh = describe_mesh(comm, vertices);
        for (const int fields : options.fields) {
            const std::vector<Row> rows = measure(bench, vertices, fields, schemes);
            console.rows(wanted, fields, rows);
            mesh.rows.insert(mesh.rows.end(), rows.begin(), rows.end());
        }
        report.meshes.push_back(std::move(mesh));
    }
    console.closing();
    if (!options.json_file.empty()) {
        write_json(comm, report, options.json_file);
    }
    return 0;
}

}  // namespace halocline::halo_bench
