// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Control variables of the MPI library, through MPI's tools interface.
#pragma once

#include "job.hpp"

#include <mpi.h>

#include <string>
#include <vector>

namespace halocline::tune_bench {

/// A value that an enumerated variable knows.
struct EnumItem {
    int value;
    std::string name;
};

struct VariableInfo {
    std::string name;
    std::string description;
    std::string type;  // int, text, other
    std::string value;
    bool writable;  // as the library says
    std::vector<EnumItem> items;
};

/// All variables that are not bound to an object.
std::vector<VariableInfo> all_variables();

/// Sets variables; puts the former values back when it goes.
class TemporaryValues {
public:
    explicit TemporaryValues(const std::vector<Assignment>& assignments);
    ~TemporaryValues();
    TemporaryValues(const TemporaryValues&) = delete;
    TemporaryValues& operator=(const TemporaryValues&) = delete;

    /// Whether the library took all of them.
    bool taken() const { return taken_; }

private:
    struct Former {
        MPI_T_cvar_handle handle;
        int value;
    };
    std::vector<Former> former_;
    bool taken_ = true;
};

}  // namespace halocline::tune_bench
