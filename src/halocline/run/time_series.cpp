// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rank 0 writes; numbers have as many digits as their bits need.
#include "halocline/run/time_series.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <charconv>
#include <fstream>

#include "halocline/core/error.hpp"
#include "halocline/run/solver.hpp"

namespace halocline::run {

namespace {

std::string with_unit(const std::string& name, const std::string& unit) {
    return unit.empty() || unit == "1" ? name : fmt::format("{} [{}]", name, unit);
}

/// The number that a line begins with; 0 where it begins with none.
int step_of(const std::string& line) {
    int step = 0;
    std::from_chars(line.data(), line.data() + line.size(), step);
    return step;
}

}  // namespace

TimeSeries::TimeSeries(const Communicator& comm, const Options& options, Solver& solver,
                       std::vector<Probe> probes)
    : comm_(comm),
      options_(options),
      solver_(solver),
      probes_(std::move(probes)),
      fields_(choose_fields(solver.fields(), options.probe_fields)),
      path_(options.output_prefix + "series.csv"),
      head_(head()) {
    validate<UsageError>(!solver.series_columns().empty() || !probes_.empty(),
                         "output.series_interval asks for a series (this solver measures nothing "
                         "by itself, and there is no probe). Give output.probes.points, or leave "
                         "the interval out.");
}

std::string TimeSeries::head() const {
    std::vector<std::string> names{"step"};
    names.push_back(with_unit("time", solver_.time_unit()));
    for (const SeriesColumn& column : solver_.series_columns()) {
        names.push_back(with_unit(column.name, column.unit));
    }
    for (std::size_t p = 1; p <= probes_.size(); ++p) {
        for (const OutputField& field : fields_) {
            const std::string name = fmt::format("probe{}_{}", p, field.name);
            for (int c = 0; c < field.components; ++c) {
                const std::string part = field.components == 1   ? ""
                                         : field.components == 3 ? fmt::format("_{}", "xyz"[c])
                                                                 : fmt::format("_{}", c);
                names.push_back(with_unit(name + part, field.unit));
            }
        }
    }
    return fmt::format("{}\n", fmt::join(names, ","));
}

std::string TimeSeries::older_lines(int steps_done) const {
    std::ifstream file(path_, std::ios::binary);
    std::string line;
    std::string kept;
    if (steps_done == 0 || !std::getline(file, line)) {
        return kept;
    }
    validate<InputError>(line + "\n" == head_,
                         fmt::format("{} has other columns than this run would add to it (another "
                                     "solver, other probes). Move it away, or choose another "
                                     "output.prefix.",
                                     path_));
    // What a killed run wrote last may lack its end.
    while (std::getline(file, line) && !file.eof() && step_of(line) <= steps_done) {
        kept += line + "\n";
    }
    return kept;
}

void TimeSeries::open(int steps_done) {
    run_agreed(comm_, [&] {
        if (comm_.is_root()) {
            const std::string older = older_lines(steps_done);
            file_ = OutputFile::create_text(path_);
            file_.write(head_ + older);
            file_.publish_open();
        }
    });
}

void TimeSeries::after_step(int step) {
    if (step % options_.series_interval != 0 && !solver_.is_complete(step)) {
        return;
    }
    const std::string line = line_of(step);
    run_agreed(comm_, [&] {
        if (comm_.is_root()) {
            file_.write(line);
        }
    });
}

std::string TimeSeries::line_of(int step) {
    std::vector<double> values(solver_.series_columns().size());
    solver_.measure_series(values);
    if (!probes_.empty()) {
        const std::vector<double> at_probes =
            probe_values(comm_, probes_, fields_, solver_.state(0));
        values.insert(values.end(), at_probes.begin(), at_probes.end());
    }
    return fmt::format("{},{}{}{}\n", step, solver_.time(step), values.empty() ? "" : ",",
                       fmt::join(values, ","));
}

}  // namespace halocline::run
