// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Fields of a run over its steps, in files that ParaView opens.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/io/results_file.hpp"
#include "halocline/output/writer.hpp"
#include "halocline/run/options.hpp"
#include "halocline/run/output_field.hpp"
#include "halocline/run/schedule.hpp"
#include "halocline/run/step_index.hpp"

namespace halocline::run {

class Solver;

/// One file for all steps, or one a step and one for the mesh. All calls are collective.
class ResultsSeries {
public:
    /// Writer, options and solver outlive the series. Throws UsageError for fields and levels that the
    /// solver does not have, naming the nearest.
    ResultsSeries(const Communicator& comm, output::Writer& writer, const Options& options,
                  Solver& solver, ResultsHead head, const std::vector<std::string>& level_files);

    /// Steps are counted from `first` to `last`, as far as is known before the first: makes the file if
    /// one of them will be written.
    void open(int first, int last);
    /// Writes the step if it is time to, and makes a file where there is none or the last one is full.
    void after_step(int step);
    /// Files made so far.
    [[nodiscard]] const std::vector<std::string>& files() const { return files_; }

private:
    void describe_blocks();
    [[nodiscard]] int most_steps_a_file() const;
    [[nodiscard]] int moments_from(int step) const;
    void open_files(int moments);
    void open_next(int moments);
    void open_steps();
    void write_next(int step);
    void write_alone(int step);

    const Communicator& comm_;
    output::Writer& writer_;
    const Options& options_;
    Solver& solver_;
    ResultsHead head_;
    std::vector<std::string> level_files_;
    std::vector<OutputField> fields_;
    std::vector<FieldFunction> functions_;  ///< of `fields_`
    std::vector<int> levels_;
    std::unique_ptr<output::Snapshot> snapshot_;
    std::vector<ResultBlock> blocks_;
    Schedule schedule_;
    int first_step_ = 1;
    std::int64_t taken_ = 0;  ///< moments in the present file
    std::int64_t bytes_ = 0;
    std::shared_ptr<ResultsFile> file_;                 ///< null where each step has its own
    std::shared_ptr<const ResultsLayout> step_layout_;  ///< of those
    std::unique_ptr<StepIndex> index_;                  ///< of those; of the writer's thread
    std::vector<std::string> files_;
};

}  // namespace halocline::run
