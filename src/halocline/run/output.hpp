// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Files of results, and what writing them cost.
#pragma once

#include <string>

#include "halocline/core/communicator.hpp"
#include "halocline/io/run_record.hpp"
#include "halocline/mesh/dat.hpp"

namespace halocline::run {

class Output {
public:
    /// Notes every file in `io`. All three outlive the object.
    Output(const Communicator& comm, const std::string& prefix, record::Io& io)
        : comm_(comm), prefix_(prefix), io_(io) {}

    /// The finest state after `step` steps, as MG-CFD's flow file. Collective.
    void write_flow(int step, const DatStore& state);

    /// A quantity of one level after `steps` steps, as MG-CFD's result file. Collective.
    void write_level(const char* quantity, int level, const DatStore& values, int steps);

private:
    void write(const std::string& path, const std::string& dataset, const DatStore& values);

    const Communicator& comm_;
    const std::string& prefix_;
    record::Io& io_;
};

}  // namespace halocline::run
