// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The list of a run's results files, one a step, that ParaView opens as a series over time.
#pragma once

#include <map>
#include <string>

#include "halocline/core/communicator.hpp"

namespace halocline::run {

/// Removes results of an older run that this one, from `first_step` on, replaces: files of one step each,
/// and from the beginning all that belongs to them. Collective. Throws RunError when that fails.
void remove_older_steps(const Communicator& comm, const std::string& flow, int first_step);

/// `<flow>.vtkhdf.series`: names and times of files `<flow>.step=<n>.vtkhdf`.
class StepIndex {
public:
    /// Keeps of an older list what lies before `first_step`. Collective. Throws RunError when the list
    /// cannot be written.
    StepIndex(const Communicator& comm, std::string flow, int first_step);

    [[nodiscard]] std::string path() const { return flow_ + ".vtkhdf.series"; }
    [[nodiscard]] std::string path_of(int step) const;
    /// The file of a step is there: adds it to the list. Collective.
    void add(const Communicator& comm, int step, double time);

private:
    void read_older(int first_step);
    void write() const;

    std::string flow_;
    std::map<int, double> times_;  ///< by step; of rank 0
};

}  // namespace halocline::run
