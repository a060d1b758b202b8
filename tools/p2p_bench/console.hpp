// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Tables for a terminal; rank 0 prints.
#pragma once

#include "report.hpp"

namespace halocline::p2p {

class Console {
public:
    Console(const Communicator& comm, bool quiet) : speaks_(comm.is_root() && !quiet) {}

    void heading(const Report& report) const;
    void begin_table(const std::string& pattern, const std::string& path, bool distinct) const;
    void row(const Row& row) const;
    void refusal(const std::string& what, const std::string& name, const std::string& reason) const;
    void sweep_heading() const;
    void sweep_row(const SweepRow& row) const;
    void closing(const Report& report) const;

private:
    bool speaks_;
};

}  // namespace halocline::p2p
