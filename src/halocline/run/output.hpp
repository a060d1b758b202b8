// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a run writes: MG-CFD's files, beside the loops or at its end, and what that cost.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/io/field_writer.hpp"
#include "halocline/io/run_record.hpp"
#include "halocline/mesh/dat_store.hpp"
#include "halocline/output/writer.hpp"
#include "halocline/run/checkpoints.hpp"
#include "halocline/run/options.hpp"
#include "halocline/run/results_series.hpp"
#include "halocline/run/time_series.hpp"

namespace halocline::run {

class Solver;

/// All calls are collective.
class Output {
public:
    /// Context, options, solver and record outlive the object.
    /// @param identity  of this run, for checkpoints
    /// @param level_files  for cells and boundaries in results
    /// @param probes  of the series
    Output(Context& context, const Options& options, CheckpointHead identity, Solver& solver,
           const std::vector<std::string>& level_files, std::vector<Probe> probes, record::Io& io);
    /// Waits for the writer's thread, also behind an error: what it writes is described here.
    ~Output();
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    /// Replaces the solver's state by that of the checkpoint that the options ask for. Returns what had
    /// been done then.
    [[nodiscard]] Progressed restart(const Console& console);

    /// Does `step` (from 1), in which the solver is observed where that step's flow is asked for.
    double run_step(int step, const std::function<double(const std::function<void()>&)>& work);

    /// After a step: writes the results, the line and the checkpoint that are due.
    void after_step(const Progressed& done);
    /// The loop ends early after these steps: another run will go on from there.
    void keep(const Progressed& done) { checkpoints_.write(done); }
    [[nodiscard]] const std::string& newest_checkpoint() const { return checkpoints_.newest(); }

    /// Whether writing has failed on this rank; `finish_loop` tells all why.
    [[nodiscard]] bool has_failed() const { return writer_.has_failed(); }
    /// All that was handed over is on the disk; notes in the record what it cost. Throws what writing
    /// threw.
    void finish_loop();

    /// The state of one level after `steps` steps, as MG-CFD's result file. Waits for the disk.
    void write_state(int level, int steps);
    /// The same of another quantity; `parts` of its rows.
    void write_level(const char* quantity, int level, const DatStore& values, int steps,
                     std::vector<RowPart> parts = {});

private:
    void note_account();

    Context& context_;
    const Communicator& comm_;
    const Options& options_;
    Solver& solver_;
    record::Io& io_;
    SolverState everything_;
    output::Writer writer_;
    Checkpoints checkpoints_;
    std::unique_ptr<ResultsSeries> results_;  ///< null where none are asked for
    std::unique_ptr<TimeSeries> series_;      ///< null where none is asked for
    std::unique_ptr<output::Snapshot> flow_;  ///< null where no flow is asked for
    Hdf5Image flow_image_;
    std::int64_t flow_bytes_ = 0;
};

}  // namespace halocline::run
