// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Flags by CLI11; lists and counts in forms that people type.
#include "options.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "bench_parts/command_line.hpp"
#include "costs.hpp"
#include "halocline/core/error.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/dist/exchange/halo_exchange.hpp"

namespace halocline::halo_bench {

namespace {

constexpr const char* description =
    "Halo exchanges of 1, 3 and 9 fields by every scheme: values and counts checked, then timed.";

constexpr const char* examples = R"(
Examples:
  mpirun -n 4 halocline-halo
  mpirun -n 2 halocline-halo --vertices 0.5M --fields 1,9 --schemes whole,packed,host
  mpirun -n 2 halocline-halo --device emulated --link 5,6 --json halo.json

Definitions of every figure: docs/halo.md. All domain counts at once, with a page: halocline halo.
Exit codes: 0 ok, 2 usage, 4 a scheme asked for by name cannot be used, 5 wrong values, 6 bytes or
copies differ from the formulae.)";

constexpr GlobalIndex largest_mesh = 1'000'000'000;
constexpr int most_fields = 64;

int parse_fields(const std::string& text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    validate<UsageError>(error == std::errc() && end == text.data() + text.size() && value >= 1 &&
                             value <= most_fields,
                         fmt::format("--fields {} is not a number of fields (1 to {}). Write e.g. "
                                     "1,3,9.",
                                     text, most_fields));
    return value;
}

/// In the form of a modelled network, which is read alike.
LinkModel parse_link(const std::string& text) {
    try {
        const NetworkModel link = network_model_from_text(text);
        return {link.latency_s, link.bytes_per_s};
    } catch (const UsageError&) {
        throw UsageError(
            fmt::format("--link {} is not LATENCY,RATE (microseconds from 0, GB/s above "
                        "0). Give for example 5,6 for half of PCIe 3.0.",
                        text));
    }
}

/// Each item of a list, read by `parse`, ascending and once.
template <class Parse>
auto parse_list(const std::string& flag, const std::string& text, Parse parse) {
    std::vector<decltype(parse(text))> values;
    for (const std::string& part : bench_parts::split(text)) {
        values.push_back(parse(part));
    }
    validate<UsageError>(!values.empty(), flag + " is an empty list. Name one number at least.");
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

struct Words {
    std::string vertices = "0.5M,2M";
    std::string fields = "1,3,9";
    std::string schemes = "all";
    std::string link = "5,6";
};

void declare(CLI::App& app, Options& options, Words& words) {
    app.add_option("--vertices", words.vertices, "Sizes of the meshes, e.g. 0.5M,2M (the default)");
    app.add_option("--fields", words.fields, "Fields exchanged at once, e.g. 1,3,9 (the default)");
    app.add_option("--schemes", words.schemes,
                   "whole,neighbour,packed,direct,peer,host (default: all possible)");
    app.add_option("--device", options.device.kind, "auto | cuda | emulated | none")
        ->check(CLI::IsMember({"auto", "cuda", "emulated", "none"}));
    app.add_option(
        "--link", words.link,
        "Link of an emulated device: MICROSECONDS,GB_PER_S\n(default: 5,6, half of PCIe 3.0 x16)");
    app.add_option("--partitioner", options.partitioner, "How the mesh is divided");
    app.add_option("--repetitions", options.repetitions, "Timed exchanges of each row")
        ->check(CLI::Range(1, 100000));
    app.add_flag("--assume-gpu-aware", options.assume_gpu_aware,
                 "Give MPI device pointers though it does not report support");
    app.add_option("--json", options.json_file, "Write all results")->type_name("FILE");
    app.add_flag("--quiet", options.quiet, "Print no tables");
}

void interpret(const Words& words, Options& options) {
    options.vertices = parse_list("--vertices", words.vertices, parse_count);
    options.fields = parse_list("--fields", words.fields, parse_fields);
    const std::vector<std::string> schemes = scheme_names();
    options.schemes =
        bench_parts::parse_names("--schemes", words.schemes, "halo scheme",
                                 std::vector<std::string_view>(schemes.begin(), schemes.end()));
    options.device.link = parse_link(words.link);
    options.device.mpi_access = true;
    static_cast<void>(resolve_partition(options.partitioner, "auto"));
}

}  // namespace

GlobalIndex parse_count(const std::string& text) {
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const std::string unit(end, text.data() + text.size());
    const double scale = unit == "M" ? 1e6 : unit == "K" ? 1e3 : 1.0;
    const double count = std::round(value * scale);
    validate<UsageError>(
        error == std::errc() && (unit.empty() || scale > 1.0) && count >= 8.0 &&
            count <= static_cast<double>(largest_mesh),
        fmt::format("'{}' is not a number of vertices (8 to 1000M). Write e.g. 500000, "
                    "500K or 0.5M.",
                    text));
    return static_cast<GlobalIndex>(count);
}

ParsedOptions parse_options(int argc, char** argv) {
    Options options;
    Words words;
    CLI::App app{description};
    app.name("halocline-halo");
    app.footer(examples);
    bench_parts::prepare(app);
    declare(app, options, words);
    if (std::optional<std::string> text = bench_parts::parse(app, argc, argv)) {
        return {std::nullopt, std::move(*text)};
    }
    interpret(words, options);
    options.command.assign(argv, argv + argc);
    return {std::move(options), ""};
}

}  // namespace halocline::halo_bench
