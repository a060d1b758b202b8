// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Two checked exchanges by each scheme (the first makes plans and connections), then the turns.
#include "measure.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "fields.hpp"
#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"
#include "halocline/dist/exchange/device_halo.hpp"
#include "halocline/dist/exchange/halo_exchange.hpp"

namespace halocline::halo_bench {

namespace {

/// A scheme ready to exchange.
struct Subject {
    std::string scheme;
    Fields* fields = nullptr;
    std::vector<HaloItem> items;
    std::unique_ptr<HaloExchange> exchange;
    Stream* compute = nullptr;  ///< null on the host

    void run() const {
        exchange->begin(items);
        exchange->end();
        if (compute != nullptr) {
            compute->synchronize();
        }
    }
};

Subject make_subject(const Bench& bench, const std::string& scheme, Fields& fields) {
    if (scheme == "host") {
        return {scheme, &fields, fields.items(), make_halo_exchange(bench.comm), nullptr};
    }
    return {scheme, &fields, fields.items(),
            make_device_halo_exchange(
                bench.comm, *bench.device, *bench.compute,
                {scheme, whole_messages(), bench.mpi_takes_device_pointers, bench.peer_access}),
            bench.compute};
}

/// One exchange of values of their own; returns what it cost.
Cost prove(const Bench& bench, const Subject& subject, int round) {
    subject.fields->fill(round);
    const HaloLedger before = subject.exchange->ledger();
    subject.run();
    const HaloLedger exchange = subject.exchange->ledger().since(before);
    run_agreed(bench.comm, [&] {
        const std::int64_t wrong = subject.fields->count_wrong(round);
        validate<RunError>(
            wrong == 0,
            fmt::format("halo scheme '{}' brought {} wrong values (of {} fields) to rank "
                        "{} (the exchange or the transport is broken). Run halocline "
                        "p2p to test the transport.",
                        subject.scheme, wrong, subject.items.size(), bench.comm.rank()));
    });
    return cost_of(exchange);
}

void require_formula(const Bench& bench, const Subject& subject, const Cost& counted,
                     const HaloSize& size) {
    run_agreed(bench.comm, [&] {
        const auto fields = static_cast<int>(subject.items.size());
        const std::string differs =
            difference(counted, cost_by_formula(subject.scheme, fields, size));
        if (!differs.empty()) {
            throw Error(ExitCode::comparison_differs,
                        fmt::format("halo scheme '{}' with {} fields did not cost on rank {} what "
                                    "its formula says: {} (docs/halo.md has the formulae). Do not "
                                    "use its figures; report the command.",
                                    subject.scheme, fields, bench.comm.rank(), differs));
        }
    });
}

Cost largest(const Communicator& comm, const Cost& cost) {
    return {comm.max(cost.link_copies), comm.max(cost.link_bytes), comm.max(cost.messages),
            comm.max(cost.message_bytes)};
}

/// Seconds by subject and repetition, slowest rank. Turns change, or one scheme would always inherit
/// the caches of the same other one.
std::vector<std::vector<double>> time_in_turns(const Bench& bench,
                                               const std::vector<Subject>& subjects) {
    std::vector<std::vector<double>> seconds(subjects.size());
    for (int repetition = 0; repetition < bench.repetitions; ++repetition) {
        for (std::size_t k = 0; k < subjects.size(); ++k) {
            const std::size_t turn = (k + static_cast<std::size_t>(repetition)) % subjects.size();
            bench.comm.barrier();
            const double start_s = wall_seconds();
            subjects[turn].run();
            seconds[turn].push_back(wall_seconds() - start_s);
        }
    }
    for (std::vector<double>& of_subject : seconds) {
        check_mpi(MPI_Allreduce(MPI_IN_PLACE, of_subject.data(), bench.repetitions, MPI_DOUBLE,
                                MPI_MAX, bench.comm.get()),
                  "MPI_Allreduce");
    }
    return seconds;
}

}  // namespace

Spread spread_of(std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    const std::size_t last = seconds.size() - 1;
    return {seconds.front(), seconds[last / 4], seconds[last / 2], seconds[last - last / 4],
            seconds.back()};
}

std::vector<Row> measure(const Bench& bench, const SetPart& vertices, int fields,
                         const std::vector<std::string>& schemes) {
    const HaloSize size = size_of(vertices);
    Fields on_host(nullptr, vertices, fields);
    Fields on_device(bench.device, vertices, bench.device == nullptr ? 0 : fields);
    std::vector<Subject> subjects;
    std::vector<Row> rows;
    int round = 0;
    for (const std::string& scheme : schemes) {
        subjects.push_back(make_subject(bench, scheme, scheme == "host" ? on_host : on_device));
        static_cast<void>(prove(bench, subjects.back(), ++round));
        const Cost cost = prove(bench, subjects.back(), ++round);
        require_formula(bench, subjects.back(), cost, size);
        const std::int64_t values = std::int64_t{2} * fields * vertices.total;
        rows.push_back({scheme, fields, largest(bench.comm, cost), bench.comm.sum(values), {}});
    }
    const std::vector<std::vector<double>> seconds = time_in_turns(bench, subjects);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        rows[k].time = spread_of(seconds[k]);
    }
    return rows;
}

}  // namespace halocline::halo_bench
