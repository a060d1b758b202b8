// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a solver implements so that a run can read its mesh, divide it, step, write and record.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/backend/device/launch/executor.hpp"
#include "halocline/dist/exchange/halo_choice.hpp"
#include "halocline/io/mesh_reader.hpp"
#include "halocline/io/run_record.hpp"
#include "halocline/mesh/mesh.hpp"
#include "halocline/run/console.hpp"
#include "halocline/run/output.hpp"
#include "halocline/run/output_field.hpp"
#include "halocline/run/solver_state.hpp"

namespace halocline::run {

/// The input file and the level files it names; each rank has a block.
struct LoadedMesh {
    MgcfdInput input;
    MgcfdMesh mesh;
};

/// A number that a solver measures over its steps.
struct SeriesColumn {
    std::string name;
    std::string unit;  ///< "1" where it has none
};

/// A solver on a divided mesh. All calls are collective.
class Solver {
public:
    Solver() = default;
    virtual ~Solver() = default;
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;

    /// One multigrid cycle or time step. `observe` is called where the finest level's state is complete;
    /// it may be empty. It may be called while work of a device is only gone through: it launches, and
    /// looks at nothing.
    /// @returns the norm of the change, for progress and record
    /// @throws DivergenceError when the state is none any more
    virtual double step(const std::function<void()>& observe) = 0;

    /// Some steps will be observed by `observe`: a device records them, too. Called before the first.
    virtual void expect_observer(const std::function<void()>& observe) {
        static_cast<void>(observe);
    }

    /// Steps of the whole run; an estimate, as good as it is now, where a solver chooses their length.
    [[nodiscard]] virtual int steps() const = 0;

    /// Whether the run is complete after `steps_done` steps.
    [[nodiscard]] virtual bool is_complete(int steps_done) const { return steps_done >= steps(); }

    [[nodiscard]] virtual int levels() const = 0;

    /// The state of a level (0 is the finest), brought to the host: what flow files, norms and shares
    /// of ranks are made of.
    [[nodiscard]] virtual const DatStore& state(int level) const = 0;

    /// The same without reading the values, which may be current on a device only.
    [[nodiscard]] virtual const DatStore& state_handle(int level) const = 0;

    /// Brings what `state_handle` shows up to date where the solver keeps its state in another form: called
    /// before a result is taken between steps, and only then, for it may cost as much as a loop. Collective.
    virtual void refresh_states() {}

    /// What the columns of a state are.
    [[nodiscard]] virtual std::vector<RowPart> state_parts() const = 0;

    /// What results can have at the points of a level, from a row of its state.
    [[nodiscard]] virtual std::vector<OutputField> fields() const = 0;

    /// Time at the end of a step, in `time_unit`; the number of the step where that is empty.
    [[nodiscard]] virtual double time(int step) const { return step; }
    [[nodiscard]] virtual std::string time_unit() const { return ""; }

    /// What `measure_series` gives, in its order.
    [[nodiscard]] virtual std::vector<SeriesColumn> series_columns() const { return {}; }

    /// Sets a value for each column, after a step; the same on all ranks.
    virtual void measure_series(std::span<double> values) { static_cast<void>(values); }

    /// What the next step depends on, beside the mesh.
    [[nodiscard]] virtual SolverState everything() = 0;

    /// `everything()` has been replaced by what it was after `steps` steps, possibly of another run.
    virtual void continue_after(int steps) { static_cast<void>(steps); }

    /// Owned elements of the finest level on this rank: its share of the work.
    [[nodiscard]] virtual LocalIndex owned_elements() const = 0;

    /// Loops by whose time on the finest level ranks are compared: such that wait for no reduction.
    [[nodiscard]] virtual std::span<const std::string_view> timed_loops() const = 0;

    /// How steps are submitted to a device; null where the solver has no repeated work.
    [[nodiscard]] virtual const device::RepeatedWork* repeated_work() const { return nullptr; }

    /// Writes the results that the options ask for, after `steps` steps.
    virtual void write_results(Output& output, int steps) = 0;

    /// Compares the state with a stored solution. Called when the options ask for it.
    [[nodiscard]] virtual std::optional<record::Validation> validate(const Console& console) {
        static_cast<void>(console);
        return std::nullopt;
    }

    /// Adds what only the solver knows. Called once, when everything else is in the record.
    virtual void complete(RunRecord& record) { static_cast<void>(record); }
};

/// A solver before there is a mesh. One object a run.
class Case {
public:
    Case() = default;
    virtual ~Case() = default;
    Case(const Case&) = delete;
    Case& operator=(const Case&) = delete;

    /// As cases name it (key solver.name).
    [[nodiscard]] virtual std::string_view name() const = 0;

    /// What progress counts, as in "Performing MG cycle 1 / 25".
    [[nodiscard]] virtual std::string_view step_name() const = 0;

    /// Options that decide what steps compute, as text: those of a checkpoint must be the same.
    [[nodiscard]] virtual std::string settings() const = 0;

    /// How the level files are to be read.
    [[nodiscard]] virtual ReadOptions reading(int ranks) const = 0;

    /// Whether it computes on all levels of a mesh, or on the finest alone.
    [[nodiscard]] virtual bool is_multigrid() const = 0;

    /// Adds what the solver needs beside the files, before the mesh is divided. `on_devices`: whether all
    /// ranks compute on devices. Collective.
    virtual void declare(const Communicator& comm, LoadedMesh& loaded, bool on_devices) {
        static_cast<void>(comm);
        static_cast<void>(loaded);
        static_cast<void>(on_devices);
    }

    /// What one step exchanges, the finest level's state first: halo schemes are tried on it, and times
    /// are foretold from it.
    [[nodiscard]] virtual std::vector<HaloSample> exchanges(
        const MeshPart& part, const std::vector<MgcfdLevel>& levels) const = 0;

    /// Loops and chains that change elements through maps, whose strategy on devices has a choice.
    [[nodiscard]] virtual std::span<const std::string_view> loops_with_strategies() const = 0;

    /// Throws UsageError for options of every run that this solver has no answer to.
    virtual void check_options() const {}

    /// Files that the solver writes by itself, so that a run can refuse before it begins.
    [[nodiscard]] virtual std::vector<std::string> own_files() const { return {}; }

    /// Adds the solver's settings to the record.
    virtual void describe(record::Settings& settings) const { static_cast<void>(settings); }

    /// Throws InputError for what is missing beside the mesh. Called when the mesh is ready. Collective.
    virtual void require_inputs(const Communicator& comm, int levels) const {
        static_cast<void>(comm);
        static_cast<void>(levels);
    }

    /// Puts the solver on a divided mesh. `any_device`: a rank of the job computes on a device. `mesh`,
    /// `context` and this case outlive the solver. Collective.
    [[nodiscard]] virtual std::unique_ptr<Solver> start(Context& context, Mesh& mesh,
                                                        const std::vector<std::string>& level_files,
                                                        bool any_device) = 0;

    /// Writes the solver's own files. Called after the results were written. Collective.
    virtual void write_own_files(const Communicator& comm, const RunRecord& record) {
        static_cast<void>(comm);
        static_cast<void>(record);
    }
};

}  // namespace halocline::run
