// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Times several ways of doing one thing in turns, so that a disturbance hits all of them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/core/error.hpp"
#include "halocline/core/types.hpp"
#include "numbering.hpp"

namespace halocline::benchmarks {

/// Flags that the loop benchmarks share, and `size`, which each names in its own way.
struct RaceFlags {
    GlobalIndex size = 0;
    std::vector<Numbering> numberings{Numbering::natural, Numbering::shuffled};
    int repetitions = 5;
    int iterations = 5;  ///< a repetition of one way
    int threads = 2;     ///< of the runs on more than one
    std::string only{};  ///< part of the names that run; the yardsticks always do
    std::string json{};  ///< file for all samples; empty: none

    [[nodiscard]] bool wants(const std::string& name) const {
        return name.find(only) != std::string::npos;
    }
};

/// `--<size_name>=N --numbering=natural|shuffled|both --repetitions=N --iterations=N --threads=N
/// --only=TEXT --json=FILE`. Throws UsageError for anything else.
[[nodiscard]] RaceFlags read_race_flags(int argc, char** argv, const std::string& size_name,
                                        RaceFlags defaults);

/// One way of doing the work.
struct Runner {
    std::string name;
    std::vector<std::string> yardsticks;  ///< names of others that it is compared with, if they run
    std::function<void()> prepare;        ///< before each repetition, not timed; may be empty
    std::function<void()> run;            ///< all iterations of a repetition
};

/// What one repetition of one runner took on the slowest rank [s].
struct Sample {
    double wall_s;
    double cpu_s;  ///< of all threads
};

/// Runners of one mesh and their samples.
class Race {
public:
    /// `unit` names what `unit_s` seconds are one of, e.g. "ns a cell and iteration".
    Race(const Communicator& comm, Numbering numbering, std::string title, std::string unit,
         double unit_s)
        : comm_(comm),
          numbering_(numbering),
          title_(std::move(title)),
          unit_(std::move(unit)),
          unit_s_(unit_s) {}

    void add(Runner runner);
    /// Runs each once without a clock: plans are made. Collective.
    void warm_up();
    /// Runs all in turns. Collective.
    void run(int repetitions);
    /// A row a runner: median, smallest and largest, and how many times as fast as its yardsticks,
    /// by the median of the ratios within a repetition, on the wall and in CPU time. Rank 0 prints.
    void print() const;
    /// This race as a JSON object.
    [[nodiscard]] std::string json() const;

private:
    [[nodiscard]] const std::vector<Sample>* find(const std::string& name) const;
    [[nodiscard]] Sample time(const Runner& runner) const;

    Communicator comm_;
    Numbering numbering_;
    std::string title_;
    std::string unit_;
    double unit_s_;
    std::vector<Runner> runners_;
    std::vector<std::vector<Sample>> samples_;
};

/// Writes the races of one program as a JSON array. Rank 0 writes; does nothing for an empty path.
void write_json(const Communicator& comm, const std::string& path,
                const std::vector<std::string>& races);

[[nodiscard]] double median(std::vector<double> values);

/// Two ways of doing one thing disagree: no time of theirs counts.
struct DiffersError final : Error {
    explicit DiffersError(const std::string& message)
        : Error(ExitCode::comparison_differs, message) {}
};

/// Throws DiffersError unless two results have the same bits, with the first difference.
void require_same_bits(std::string_view what, const std::vector<double>& expected,
                       const std::vector<double>& found);

/// Largest difference of two results over the largest value of the first.
[[nodiscard]] double relative_difference(const std::vector<double>& expected,
                                         const std::vector<double>& found);

}  // namespace halocline::benchmarks
