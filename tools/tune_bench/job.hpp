// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What is to be measured, as the driver wrote it (docs/formats/tune-bench.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace halocline::tune_bench {

/// A control variable of the MPI library and the value it gets.
struct Assignment {
    std::string variable;
    int value;
};

/// A way to run a point: variables that are set while its communicator is made and its calls run.
struct Candidate {
    std::string name;
    std::vector<Assignment> assignments;
};

/// A function on communicators of so many members with messages of this size.
struct Point {
    std::string name;
    std::string function;  // without `MPI_`
    int members;
    std::int64_t bytes;                 // as docs/formats/snapshot-raw.md counts them
    std::vector<Candidate> candidates;  // the first is what the others are compared with
};

struct Job {
    int rounds = 10;
    std::int64_t sample_ns = 2'000'000;  // calls are repeated until a sample takes about as long
    double give_up = 3.0;  // a candidate that is so many times slower is not measured to the end
    std::uint64_t seed = 1;
    std::vector<Point> points;
};

/// Throws std::runtime_error with a sentence.
Job parse_job(const std::string& text);

}  // namespace halocline::tune_bench
