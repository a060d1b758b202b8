// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "bench_parts/command_line.hpp"
#include "halocline/core/error.hpp"

namespace halocline::cores {

namespace {

constexpr const char* description =
    "What busy cores of a host do to each other: how fast each computes and moves memory while 1, "
    "2, "
    "4, ... all of them do the same.";

constexpr const char* examples = R"(
Examples:
  halocline-cores
  halocline-cores --cores 1,4,8,16 --json cores.json

Definitions of every figure: docs/cores.md.
Exit codes: 0 ok, 2 usage, 4 not enough memory.)";

constexpr int most_cores = 4096;

std::vector<int> parse_cores(const std::string& text) {
    std::vector<int> counts;
    for (const std::string& part : bench_parts::split(text)) {
        int value = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
        validate<UsageError>(error == std::errc() && end == part.data() + part.size() &&
                                 value >= 1 && value <= most_cores,
                             fmt::format("--cores {}: '{}' is not a number of cores (1 to {}). "
                                         "Write e.g. --cores 1,2,4.",
                                         text, part, most_cores));
        counts.push_back(value);
    }
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    return counts;
}

}  // namespace

ParsedOptions parse_options(int argc, char** argv) {
    Options options;
    std::string cores;
    CLI::App app(description, "halocline-cores");
    app.footer(examples);
    bench_parts::prepare(app);
    app.add_option("--cores", cores, "Numbers of busy cores (default: powers of 2 and all)");
    app.add_option("--time", options.time_s, "Seconds of a row")->check(CLI::Range(0.001, 10.0));
    app.add_option("--repeats", options.repeats, "How often all rows are measured; the best counts")
        ->check(CLI::Range(1, 1000));
    app.add_option("--json", options.json_file, "File for results");
    app.add_flag("--quiet", options.quiet, "Print no table");
    if (auto text = bench_parts::parse(app, argc, argv)) {
        return {std::nullopt, *text};
    }
    if (!cores.empty()) {
        options.cores = parse_cores(cores);
    }
    options.command.assign(argv, argv + argc);
    return {options, ""};
}

}  // namespace halocline::cores
