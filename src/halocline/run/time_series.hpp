// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Numbers about a run over its steps, as lines of a table: <prefix>series.csv.
#pragma once

#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/core/output_file.hpp"
#include "halocline/run/options.hpp"
#include "halocline/run/probes.hpp"

namespace halocline::run {

class Solver;

/// A line every so many steps and one after the last: step, time, what the solver measures, fields at
/// probes. All calls are collective.
class TimeSeries {
public:
    /// Options and solver outlive the series. Throws UsageError where there is nothing to write, and for
    /// fields that the solver does not have.
    TimeSeries(const Communicator& comm, const Options& options, Solver& solver,
               std::vector<Probe> probes);

    /// Makes the file, with those lines of an older one that a run goes on from after `steps_done`
    /// steps. Throws InputError when these have other columns.
    void open(int steps_done);
    /// Writes the line of this step if it is time to. A reader sees it at once.
    void after_step(int step);
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    [[nodiscard]] std::string head() const;
    [[nodiscard]] std::string older_lines(int steps_done) const;
    [[nodiscard]] std::string line_of(int step);

    const Communicator& comm_;
    const Options& options_;
    Solver& solver_;
    std::vector<Probe> probes_;
    std::vector<OutputField> fields_;  ///< at probes
    std::string path_;
    std::string head_;
    OutputFile file_;  ///< on rank 0
};

}  // namespace halocline::run
