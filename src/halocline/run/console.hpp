// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a person sees of a run: phases, progress with time left, the closing table.
#pragma once

#include <string>
#include <string_view>

#include "halocline/core/communicator.hpp"
#include "halocline/io/run_record.hpp"
#include "halocline/run/options.hpp"

namespace halocline::run {

/// Rank 0's voice. On a terminal one line moves; elsewhere a line appears now and then.
class Console {
public:
    /// `name` is the program's, in front of warnings.
    Console(const Communicator& comm, std::string name, Progress progress);

    void line(const std::string& text) const;
    void warning(const std::string& text) const;
    /// "Performing MG cycle i / n", rms and seconds left; `name` is what a step is called.
    void progress(std::string_view name, int step, int steps, double rms);
    void end_progress();
    /// Loops with time, ns per element, bandwidth and share of the triad.
    void summary(const RunRecord& record) const;

private:
    bool prints_ = false;
    std::string name_;
    Progress progress_ = Progress::log;
    bool line_open_ = false;
    double start_s_ = 0.0;
    double last_s_ = 0.0;
};

}  // namespace halocline::run
