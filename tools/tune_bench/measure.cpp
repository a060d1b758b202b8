// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A round times every candidate once, next to each other, so that what slows the machine down slows
// them all; a candidate has a communicator of its own, made while its variables are set.
#include "measure.hpp"

#include "operation.hpp"
#include "variables.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <numeric>
#include <random>

namespace halocline::tune_bench {

namespace {

constexpr std::int64_t most_calls = 2000;
constexpr std::int64_t most_batches = 5;  // of a sample
constexpr int rounds_before_giving_up = 3;

std::int64_t now_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// The largest value over all ranks, on all of them: so they all decide alike.
std::int64_t largest(std::int64_t value) {
    std::int64_t found = 0;
    MPI_Allreduce(&value, &found, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    return found;
}

/// Members of the world in groups of consecutive ranks; MPI_COMM_NULL on what is left over.
MPI_Comm make_group(int members) {
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const bool takes_part = rank / members < ranks / members;
    MPI_Comm group = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, takes_part ? rank / members : MPI_UNDEFINED, rank, &group);
    return group;
}

/// A candidate of a point with its communicator and what was measured of it.
class Contender {
public:
    Contender(const Candidate& candidate, MPI_Comm group) : candidate_(candidate) {
        const TemporaryValues values(candidate.assignments);
        taken_ = largest(values.taken() ? 0 : 1) == 0;
        if (taken_ && group != MPI_COMM_NULL) {
            MPI_Comm_dup(group, &comm_);
            MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
        }
    }
    ~Contender() {
        if (comm_ != MPI_COMM_NULL) {
            MPI_Comm_free(&comm_);
        }
    }
    Contender(const Contender&) = delete;
    Contender& operator=(const Contender&) = delete;

    /// Calls once and checks the result, then finds how many calls fill a sample. Collective.
    void prepare(Operation* operation, std::int64_t sample_ns) {
        if (!taken_) {
            state_ = "refused";
            return;
        }
        int error = MPI_SUCCESS;
        if (comm_ != MPI_COMM_NULL) {
            const TemporaryValues values(candidate_.assignments);
            operation->clear();
            error = operation->run(comm_);
        }
        if (largest(error != MPI_SUCCESS ? 1 : 0) != 0) {
            state_ = "error";
            return;
        }
        const bool right = comm_ == MPI_COMM_NULL || operation->correct();
        if (largest(right ? 0 : 1) != 0) {
            state_ = "wrong";
            return;
        }
        state_ = "ok";
        time(operation);  // warms up
        const std::int64_t call_ns = std::max<std::int64_t>(time(operation), 1);
        batches_ = std::clamp<std::int64_t>(sample_ns / call_ns, 1, most_batches);
        calls_ = std::clamp<std::int64_t>(sample_ns / batches_ / call_ns, 1, most_calls);
    }

    /// Time of a call (ns): of each batch the mean on the slowest rank, of a few batches the least. A
    /// batch that lost a core to somebody else says nothing of the call. Collective.
    std::int64_t time(Operation* operation) {
        std::int64_t least = std::numeric_limits<std::int64_t>::max();
        const TemporaryValues values(candidate_.assignments);
        for (std::int64_t batch = 0; batch < batches_; ++batch) {
            std::int64_t elapsed = 0;
            MPI_Barrier(MPI_COMM_WORLD);
            if (comm_ != MPI_COMM_NULL) {
                const std::int64_t begin = now_ns();
                for (std::int64_t i = 0; i < calls_; ++i) {
                    operation->run(comm_);
                }
                elapsed = now_ns() - begin;
            }
            least = std::min(least, largest(elapsed));
        }
        return least / calls_;
    }

    void add_sample(std::int64_t ns) { samples_.push_back(std::max<std::int64_t>(ns, 1)); }

    bool runs() const { return state_ == "ok"; }
    void give_up() { state_ = "slow"; }
    const std::vector<std::int64_t>& samples() const { return samples_; }
    const std::string& name() const { return candidate_.name; }
    const std::string& state() const { return state_; }
    std::int64_t calls() const { return calls_; }

private:
    const Candidate& candidate_;
    MPI_Comm comm_ = MPI_COMM_NULL;
    bool taken_ = true;
    std::string state_ = "not tried";
    std::int64_t calls_ = 1;  // of a batch
    std::int64_t batches_ = 1;
    std::vector<std::int64_t> samples_;
};

using Contenders = std::vector<std::unique_ptr<Contender>>;

void write_result(const Point& point, const Contender& contender, Output& output) {
    output.line("{\"point\":" + quoted(point.name) + ",\"candidate\":" + quoted(contender.name()) +
                ",\"state\":" + quoted(contender.state()) + ",\"calls\":" +
                std::to_string(contender.calls()) + ",\"ns\":" + listed(contender.samples()) + "}");
}

/// Whether a few samples show that a candidate cannot win: its best is far from the first one's worst.
bool is_hopeless(const Contender& contender, const Contender& first, double factor) {
    const auto& own = contender.samples();
    const auto& base = first.samples();
    if (&contender == &first || !first.runs() || own.size() != rounds_before_giving_up ||
        base.size() < rounds_before_giving_up) {
        return false;
    }
    const double best = static_cast<double>(*std::min_element(own.begin(), own.end()));
    return best > factor * static_cast<double>(*std::max_element(base.begin(), base.end()));
}

void run_round(Contenders& contenders, Operation* operation, std::mt19937_64& random) {
    std::vector<std::size_t> order(contenders.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t place : order) {
        Contender& contender = *contenders[place];
        if (contender.runs()) {
            contender.add_sample(contender.time(operation));
        }
    }
}

void measure_point(const Point& point, const Job& job, Output& output, std::mt19937_64& random) {
    MPI_Comm group = make_group(point.members);
    Call call{0, point.members, point.bytes};
    if (group != MPI_COMM_NULL) {
        MPI_Comm_rank(group, &call.rank);
    }
    const auto operation = make_operation(point.function, call);
    if (operation == nullptr) {
        output.line("{\"point\":" + quoted(point.name) + ",\"state\":\"not known\"}");
    } else {
        Contenders contenders;
        for (const Candidate& candidate : point.candidates) {
            // The last such line names what crashed or hung.
            output.line("{\"point\":" + quoted(point.name) +
                        ",\"begin\":" + quoted(candidate.name) + "}");
            contenders.push_back(std::make_unique<Contender>(candidate, group));
            contenders.back()->prepare(operation.get(), job.sample_ns);
        }
        output.line("{\"point\":" + quoted(point.name) + ",\"begin\":null}");
        for (int round = 0; round < job.rounds; ++round) {
            run_round(contenders, operation.get(), random);
            for (auto& each : contenders) {
                if (is_hopeless(*each, *contenders.front(), job.give_up)) {
                    each->give_up();
                }
            }
        }
        for (const auto& each : contenders) {
            write_result(point, *each, output);
        }
    }
    if (group != MPI_COMM_NULL) {
        MPI_Comm_free(&group);
    }
}

}  // namespace

void measure(const Job& job, Output& output) {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::mt19937_64 random(job.seed);  // the same numbers on all ranks
    for (const Point& point : job.points) {
        if (point.members >= 1 && point.members <= ranks) {
            measure_point(point, job, output, random);
        } else {
            output.line("{\"point\":" + quoted(point.name) + ",\"state\":\"too few ranks\"}");
        }
    }
    output.line("{\"end\":true}");
}

}  // namespace halocline::tune_bench
