// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// First touch, proof, samples, proof again; for the host path also the judge.
#include "measure.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "message_data.hpp"
#include "plain_ping_pong.hpp"
#include "plans.hpp"

namespace halocline::p2p {

namespace {

void measure_network(const MachineMap& machine, bool one_host, Limits& limits) {
    if (one_host) {
        limits.network_evidence = "not used, all ranks are on one host";
        return;
    }
    double best = 0.0;
    std::string name;
    for (const PciDevice& card : machine.nics) {
        if (card.wire_bytes_per_s > best) {
            best = card.wire_bytes_per_s;
            name = card.name;
        }
    }
    if (best > 0.0) {
        limits.network_bytes_per_s = best;
        limits.network_evidence =
            fmt::format("{}: {:.0f} Gb/s, /sys/class/net/*/speed", name, best * 8e-9);
    } else {
        limits.network_evidence = "the system tells no rate (/sys/class/net/*/speed)";
    }
}

/// Payload that this rank compares in one proof.
std::int64_t received_bytes(const Plan& plan) {
    std::int64_t bytes = 0;
    for (const Phase& phase : plan.phases) {
        for (const Transfer& receive : phase.receives) {
            bytes += static_cast<std::int64_t>(receive.bytes);
        }
    }
    return bytes;
}

TransferCounts difference(const TransferCounts& after, const TransferCounts& before) {
    return {after.to_device_copies - before.to_device_copies,
            after.to_device_bytes - before.to_device_bytes,
            after.to_host_copies - before.to_host_copies,
            after.to_host_bytes - before.to_host_bytes,
            after.on_device_copies - before.on_device_copies,
            after.on_device_bytes - before.on_device_bytes};
}

/// Measures one row; `judge` also runs the plain ping-pong on the same memory.
class RowMeasurement {
public:
    RowMeasurement(const PathContext& context, Path& path, const PlanRequest& request,
                   Report& report)
        : context_(context),
          path_(path),
          request_(request),
          report_(report),
          made_(make_plan(*context.comm, request)) {}

    Row run() {
        const Communicator& comm = *context_.comm;
        Row row = described();
        path_.prepare(made_.plan, made_.receive_buffer.data());
        row.first_s = first_touch() / made_.plan.ways;
        path_.release(comm);
        row.checked_bytes = prove_apart(1);
        path_.prepare(made_.plan, made_.receive_buffer.data());
        row.copies = counted_iteration();
        sample(row);
        path_.release(comm);
        row.checked_bytes += prove_apart(2);
        finish(row);
        return row;
    }

private:
    /// An iteration in which each message has a place of its own: in a shared one, only the last
    /// message could be looked at. Returns the bytes compared.
    std::int64_t prove_apart(std::uint64_t round) {
        const Communicator& comm = *context_.comm;
        PlanRequest request = request_;
        request.distinct = true;
        const PreparedPlan apart = make_plan(comm, request);
        path_.prepare(apart.plan, apart.receive_buffer.data());
        prove(comm, path_, apart.plan, context_.device, round);
        path_.release(comm);
        return comm.sum(received_bytes(apart.plan));
    }

    Row described() const {
        Row row;
        row.path = path_.name();
        row.pattern = made_.plan.pattern;
        row.bytes = request_.bytes;
        row.window = made_.plan.window;
        row.pairs = made_.plan.pairs;
        row.distinct = made_.plan.distinct;
        row.messages = made_.plan.messages;
        row.iteration_bytes = made_.plan.bytes;
        if (row.pattern == "sparse" && row.messages > 0) {
            row.bytes = static_cast<std::size_t>(row.iteration_bytes / row.messages);
        }
        row.block = row.path == "pipelined" ? context_.blocks.block_for(row.bytes) : 0;
        return row;
    }

    /// The very first iteration, on memory that nobody has touched. Data are not looked at.
    double first_touch() {
        const Communicator& comm = *context_.comm;
        const std::vector<Step> once{step()};
        comm.barrier();
        const double start_s = MPI_Wtime();
        once.front()();
        return comm.max(MPI_Wtime() - start_s);
    }

    TransferCounts counted_iteration() {
        if (context_.device == nullptr) {
            step()();
            return {};
        }
        const TransferCounts before = context_.device->counts();
        step()();
        return difference(context_.device->counts(), before);
    }

    Step step() {
        return [this] { run_plan(path_, made_.plan, *context_.comm); };
    }

    void sample(Row& row) {
        std::vector<Step> steps{step()};
        const bool judged = row.path == "host" && row.pattern == "latency";
        if (judged) {
            steps.emplace_back([this] {
                plain_round_trip(context_.comm->get(), 0, context_.comm->size() / 2,
                                 made_.send_buffer.data(), made_.receive_buffer.data(),
                                 static_cast<int>(request_.bytes));
            });
        }
        SamplingOptions sampling;
        sampling.time_s = report_.options.time_s * static_cast<double>(steps.size());
        sampling.all_ranks = made_.plan.all_ranks;
        sampling.least_samples = judged ? 21 : 7;
        int batch = 1;
        auto samples = take_samples(*context_.comm, steps, sampling, batch);
        row.time = scaled(describe(std::move(samples[0]), batch));
        if (judged) {
            const Spread plain = scaled(describe(std::move(samples[1]), batch));
            report_.judge.push_back({row.bytes, plain.median_s, row.time.median_s});
        }
    }

    Spread scaled(Spread spread) const {
        for (double* value : {&spread.min_s, &spread.median_s, &spread.p99_s, &spread.max_s}) {
            *value /= made_.plan.ways;
        }
        return spread;
    }

    void finish(Row& row) const {
        if (row.time.median_s > 0.0) {
            row.bytes_per_s = static_cast<double>(row.iteration_bytes) / row.time.median_s;
        }
        const Ceiling ceiling = ceiling_of(row.path, row.bytes, report_.limits, report_.one_host);
        const int directions = row.pattern == "bidirectional" ? 2 : 1;
        if (ceiling.bytes_per_s > 0.0 && row.pattern != "sparse") {
            row.percent_of_limit =
                100.0 * row.bytes_per_s / (ceiling.bytes_per_s * directions * row.pairs);
        }
    }

    const PathContext& context_;
    Path& path_;
    PlanRequest request_;
    Report& report_;
    PreparedPlan made_;
};

/// What network interfaces do while 16 messages of 1 MiB travel over a path.
std::string observe_traffic(const PathContext& context, Path& path) {
    const Communicator& comm = *context.comm;
    constexpr std::size_t bytes = std::size_t{1} << 20;
    const PreparedPlan made =
        make_plan(comm, {"bandwidth", bytes, 16, path.memory(), context.device, nullptr});
    path.prepare(made.plan, made.receive_buffer.data());
    const auto before = bytes_sent_by_interface();
    prove(comm, path, made.plan, context.device, 3);
    const auto after = bytes_sent_by_interface();
    path.release(comm);
    return comm.broadcast(traffic_sentence(before, after, made.plan.bytes));
}

std::string limit_text(const std::string& path, const Report& report) {
    const Ceiling ceiling =
        ceiling_of(path, report.options.sizes.back(), report.limits, report.one_host);
    return ceiling.bytes_per_s > 0.0
               ? fmt::format("{} {:.1f} GB/s", ceiling.name, ceiling.bytes_per_s * 1e-9)
               : "";
}

PathState& state_of(Report& report, const std::string& name) {
    return *std::find_if(report.paths.begin(), report.paths.end(),
                         [&](const PathState& path) { return path.name == name; });
}

}  // namespace

void measure_limits(const Communicator& comm, const Options& options, Device* device,
                    Report& report) {
    Limits& limits = report.limits;
    measure_network(report.machine, report.one_host, limits);
    const double share_s = std::min(0.02, options.time_s);
    std::vector<double> rates;
    if (comm.is_root()) {
        rates.push_back(measure_triad());
        for (const std::size_t bytes : options.sizes) {
            rates.push_back(measure_memcpy(bytes, share_s));
        }
        for (const CopyDirection direction :
             {CopyDirection::to_host, CopyDirection::to_device, CopyDirection::on_device}) {
            rates.push_back(device == nullptr ? 0.0 : measure_copy(*device, direction));
        }
    }
    rates.resize(options.sizes.size() + 4);
    check_mpi(MPI_Bcast(rates.data(), static_cast<int>(rates.size()), MPI_DOUBLE, 0, comm.get()),
              "MPI_Bcast");
    limits.triad_bytes_per_s = rates.front();
    for (std::size_t k = 0; k < options.sizes.size(); ++k) {
        limits.memcpy_bytes_per_s[options.sizes[k]] = rates[k + 1];
    }
    const std::size_t device_rates = options.sizes.size() + 1;
    limits.to_host_bytes_per_s = rates[device_rates];
    limits.to_device_bytes_per_s = rates[device_rates + 1];
    limits.on_device_bytes_per_s = rates[device_rates + 2];
}

void measure_all(const PathContext& context, const std::vector<std::string>& paths,
                 const std::vector<std::string>& patterns, const ExchangePattern* file,
                 const Console& console, Report& report) {
    for (const PathState& path : report.paths) {
        if (!path.refusal.empty()) {
            console.refusal("path", path.name, path.refusal);
        }
    }
    for (const auto& [name, reason] : report.pattern_refusals) {
        console.refusal("pattern", name, reason);
    }
    for (const std::string& name : paths) {
        const std::unique_ptr<Path> path = make_path(name, context);
        PathState& state = state_of(report, name);
        state.limit = limit_text(name, report);
        if (context.comm->size() > 1) {
            state.traffic = observe_traffic(context, *path);
        }
        for (const std::string& pattern : patterns) {
            console.begin_table(pattern, name, report.options.distinct_buffers);
            const std::vector<std::size_t> once{0};
            for (const std::size_t bytes : pattern == "sparse" ? once : report.options.sizes) {
                const PlanRequest request{
                    pattern,        bytes, report.options.window,          path->memory(),
                    context.device, file,  report.options.distinct_buffers};
                report.rows.push_back(RowMeasurement(context, *path, request, report).run());
                console.row(report.rows.back());
            }
        }
    }
}

}  // namespace halocline::p2p
