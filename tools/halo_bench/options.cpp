// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Flags by CLI11; lists and counts in forms that people type.
#include "options.hpp"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "costs.hpp"
#include "halocline/core/build_info.hpp"
#include "halocline/core/error.hpp"
#include "halocline/core/nearest.hpp"
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

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, ',');) {
        parts.push_back(part);
    }
    return parts;
}

/// Names of a list that are all known; "all" is the empty list.
std::vector<std::string> parse_schemes(const std::string& text) {
    const std::vector<std::string> names = split(text);
    if (names == std::vector<std::string>{"all"}) {
        return {};
    }
    validate<UsageError>(!names.empty(), "--schemes names none. Write e.g. whole,packed.");
    const std::vector<std::string> schemes = scheme_names();
    const std::vector<std::string_view> known(schemes.begin(), schemes.end());
    for (const std::string& name : names) {
        validate<UsageError>(
            std::find(known.begin(), known.end(), name) != known.end(),
            fmt::format("there is no halo scheme '{}'. {}", name, suggest_name(name, known)));
    }
    return names;
}

int parse_fields(const std::string& text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    validate<UsageError>(error == std::errc() && end == text.data() + text.size() && value >= 1 &&
                             value <= most_fields,
                         fmt::format("--fields {} is no number of fields (1 to {}). Write e.g. "
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
    for (const std::string& part : split(text)) {
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
    app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    app.add_option("--vertices", words.vertices, "Sizes of the meshes, e.g. 0.5M,2M (the default)");
    app.add_option("--fields", words.fields, "Fields exchanged at once, e.g. 1,3,9 (the default)");
    app.add_option("--schemes", words.schemes,
                   "whole,neighbour,packed,direct,peer,host or all that can be");
    app.add_option("--device", options.device, "auto | cuda | emulated | none")
        ->check(CLI::IsMember({"auto", "cuda", "emulated", "none"}));
    app.add_option("--link", words.link,
                   "Link of an emulated device: MICROSECONDS,GB_PER_S (5,6: half of PCIe 3.0 x16)");
    app.add_option("--partitioner", options.partitioner, "How the mesh is divided");
    app.add_option("--repetitions", options.repetitions, "Timed exchanges of each row")
        ->check(CLI::Range(1, 100000));
    app.add_flag("--assume-gpu-aware", options.assume_gpu_aware,
                 "Give MPI device pointers though it does not say that it takes them");
    app.add_option("--json", options.json_file, "Write all results")->type_name("FILE");
    app.add_flag("--quiet", options.quiet, "Print no tables");
}

void interpret(const Words& words, Options& options) {
    options.vertices = parse_list("--vertices", words.vertices, parse_count);
    options.fields = parse_list("--fields", words.fields, parse_fields);
    options.schemes = parse_schemes(words.schemes);
    options.link = parse_link(words.link);
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
        fmt::format("'{}' is no number of vertices (8 to 1000M). Write e.g. 500000, "
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
    app.set_version_flag("--version", fmt::format("halocline {} ({})", build_info::version,
                                                  build_info::git_describe));
    declare(app, options, words);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        return {std::nullopt, app.help()};
    } catch (const CLI::CallForVersion& version) {
        return {std::nullopt, std::string(version.what()) + "\n"};
    } catch (const CLI::ParseError& error) {
        throw UsageError(std::string(error.what()) + ". halocline-halo --help lists all flags.");
    }
    interpret(words, options);
    options.command.assign(argv, argv + argc);
    return {std::move(options), ""};
}

}  // namespace halocline::halo_bench
