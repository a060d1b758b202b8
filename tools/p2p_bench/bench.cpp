// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Phases in order: device, description, limits, then each pattern over each path at each size.
#include "bench.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "console.hpp"
#include "halocline/core/error.hpp"
#include "halocline/core/utc_time.hpp"
#include "halocline/machine/hosts.hpp"
#include "halocline/memory/cuda_device.hpp"
#include "measure.hpp"
#include "plans.hpp"
#include "sweep.hpp"

namespace halocline::p2p {

namespace {

/// The table of rank 0 on every rank: both ends of a message must cut it alike.
TransferBlocks agree_on_blocks(const Communicator& comm, const Options& options,
                               std::string& origin) {
    if (options.block > 0) {
        origin = "--block";
        return TransferBlocks({{0, options.block}});
    }
    TransferBlocks measured = TransferBlocks::of_root(comm);
    origin = measured.origin();
    return measured;
}

std::string mpi_gpu_refusal(const Report& report) {
    if (report.options.assume_gpu_aware || report.gpu_awareness.aware ||
        (report.device && report.device->kind == "emulated")) {
        return "";
    }
    return "the MPI library is not known to take device pointers (" +
           report.gpu_awareness.evidence +
           "). Use an MPI built with CUDA, or --assume-gpu-aware if you know better.";
}

std::string rdma_verdict(const Report& report, const Device* device) {
    const Capability capability =
        device == nullptr ? Capability{false, "no device takes part"} : device->supports_rdma();
    const bool module = !report.rdma.empty() && report.rdma.front().value == "loaded";
    const bool card = report.rdma.size() > 1 && report.rdma[1].value != "none";
    if (capability.possible && module && card && report.gpu_awareness.aware) {
        return "available: the GPU, the driver, a card and MPI are ready (" + capability.evidence +
               ")";
    }
    std::string lacks;
    const auto lack = [&](bool there, const std::string& what) {
        lacks += there ? "" : (lacks.empty() ? "" : "; ") + what;
    };
    lack(capability.possible, capability.evidence);
    lack(module, "no peer memory module is loaded");
    lack(card, "there is no RDMA network card");
    lack(report.gpu_awareness.aware, "MPI does not take device pointers");
    return "not available: " + lacks;
}

void describe_machine(const Communicator& comm, Report& report, Device* device) {
    report.started = utc_now();
    report.host = comm.broadcast(host_name());
    report.ranks = comm.size();
    report.one_host = comm.is_on_one_host();
    report.transport = describe_transport(comm);
    report.gpu_awareness = query_gpu_awareness(report.transport);
    report.rdma = rdma_evidence();
    if (device != nullptr) {
        report.device = device->info();
    }
    report.rdma_verdict = rdma_verdict(report, device);
    report.machine = read_machine();
    report.bindings = gather_bindings(comm, report.machine, report.affinity);
    report.findings = judge_bindings(report.machine, report.bindings);
}

/// Names asked for, or all; those that cannot be are kept with the reason. A path named by the user
/// that cannot be used is an error, not a gap in a table.
std::vector<std::string> usable_paths(const PathContext& context, const Options& options,
                                      Report& report) {
    std::vector<std::string> usable;
    for (const std::string_view known : path_names()) {
        const std::string name(known);
        const auto& asked = options.paths;
        const bool named = std::find(asked.begin(), asked.end(), name) != asked.end();
        if (!asked.empty() && !named) {
            continue;
        }
        const std::string refusal = path_refusal(name, context);
        validate<EnvironmentError>(!named || refusal.empty(),
                                   "path '" + name + "' cannot be used: " + refusal);
        report.paths.push_back({name, refusal, "", ""});
        if (refusal.empty()) {
            usable.push_back(name);
        }
    }
    return usable;
}

std::vector<std::string> usable_patterns(const Communicator& comm, const Options& options,
                                         const ExchangePattern* file, Report& report) {
    std::vector<std::string> usable;
    for (const std::string_view known : pattern_names()) {
        const std::string name(known);
        const auto& asked = options.patterns;
        const bool named = std::find(asked.begin(), asked.end(), name) != asked.end();
        if (!asked.empty() && !named) {
            continue;
        }
        const std::string refusal = pattern_refusal(name, comm.size(), file);
        validate<UsageError>(!named || refusal.empty(),
                             "pattern '" + name + "' cannot run: " + refusal);
        if (refusal.empty()) {
            usable.push_back(name);
        } else {
            report.pattern_refusals.emplace_back(name, refusal);
        }
    }
    return usable;
}

void run_sweep(const PathContext& context, const Options& options, const Console& console,
               Report& report) {
    const std::string refusal = path_refusal("pipelined", context);
    validate<EnvironmentError>(refusal.empty(),
                               "--sweep: path 'pipelined' cannot be used: " + refusal);
    validate<UsageError>(context.comm->size() >= 2,
                         "--sweep needs two ranks. Start with mpirun -n 2.");
    console.sweep_heading();
    for (const std::size_t bytes : options.sizes) {
        report.sweep.push_back(sweep_size(context, bytes, options));
        console.sweep_row(report.sweep.back());
    }
    if (options.blocks_file) {
        report.blocks_file = *options.blocks_file;
        run_agreed(*context.comm, [&] {
            if (context.comm->is_root()) {
                write_blocks(report.blocks_file, report);
            }
        });
    }
}

ExchangePattern read_pattern(const Communicator& comm, const std::string& path) {
    ExchangePattern pattern;
    run_agreed(comm, [&] { pattern = read_exchange_pattern(path); });
    return pattern;
}

}  // namespace

int run_benchmark(const Communicator& comm, const Options& options, const Affinity& affinity) {
    Report report;
    report.options = options;
    report.affinity = affinity;
    bench_parts::OpenedDevice opened = bench_parts::open_device(comm, options.device, affinity);
    report.device_note = opened.note;
    const std::unique_ptr<Device> device = std::move(opened.device);
    describe_machine(comm, report, device.get());
    PathContext context;
    context.comm = &comm;
    context.device = device.get();
    context.blocks = agree_on_blocks(comm, options, report.blocks_origin);
    context.mpi_gpu_refusal = mpi_gpu_refusal(report);
    context.one_host_refusal =
        report.one_host ? "" : "the ranks are on several hosts (CUDA IPC works inside one).";
    std::optional<ExchangePattern> pattern;
    if (!options.pattern_file.empty()) {
        pattern = read_pattern(comm, options.pattern_file);
    }
    const ExchangePattern* file = pattern ? &*pattern : nullptr;
    const std::vector<std::string> patterns = usable_patterns(comm, options, file, report);
    std::vector<std::string> paths;
    if (options.sweep) {
        report.paths.push_back({"pipelined", path_refusal("pipelined", context), "", ""});
    } else {
        paths = usable_paths(context, options, report);
    }
    validate<UsageError>(!patterns.empty() || options.sweep,
                         "no pattern can run on one rank. Start with mpirun -n 2.");
    measure_limits(comm, options, device.get(), report);
    const Console console(comm, options.quiet);
    console.heading(report);
    if (options.sweep) {
        run_sweep(context, options, console, report);
    } else {
        measure_all(context, paths, patterns, file, console, report);
    }
    console.closing(report);
    if (!options.json_file.empty()) {
        write_json(comm, report, options.json_file);
    }
    return 0;
}

}  // namespace halocline::p2p
