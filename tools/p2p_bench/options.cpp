// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Flags by CLI11; sizes and the modelled link in forms that people type.
#include "options.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include "bench_parts/command_line.hpp"
#include "halocline/core/error.hpp"
#include "halocline/core/nearest.hpp"
#include "path.hpp"
#include "plans.hpp"

namespace halocline::p2p {

using bench_parts::parse_names;
using bench_parts::split;

namespace {

constexpr const char* description =
    "Transfers between the memories of ranks: every path, checked byte by byte, against its limit.";

constexpr const char* examples = R"(
Examples:
  mpirun -n 2 halocline-p2p
  mpirun -n 2 halocline-p2p --path host,pipelined --pattern latency --sizes 1:4M:4
  mpirun -n 2 halocline-p2p --sweep --write-blocks
  mpirun -n 8 halocline-p2p --pattern sparse --pattern-file rotor37-8.json
  mpirun -n 2 halocline-p2p --device emulated --emulate bandwidth=12e9,latency=5e-6

Definitions of every figure: docs/p2p.md.
Exit codes: 0 ok, 2 usage, 3 bad pattern file, 4 a path asked for by name cannot be used, 5 wrong data.)";

constexpr std::size_t largest_message = (std::size_t{1} << 31) - 1;  // MPI counts are int

double parse_number(const std::string& text, const std::string& key) {
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    validate<UsageError>(
        error == std::errc() && end == text.data() + text.size() && value >= 0.0,
        fmt::format("--emulate {}={} is not a number of 0 or more (bytes a second, seconds). Write "
                    "e.g. --emulate bandwidth=12e9,latency=5e-6.",
                    key, text));
    return value;
}

void parse_emulation(const std::string& text, Options& options) {
    constexpr std::array<std::string_view, 4> keys{"bandwidth", "latency", "mpi-access", "none"};
    for (const std::string& part : split(text, ',')) {
        const std::size_t equals = part.find('=');
        const std::string key = part.substr(0, equals);
        const std::string value = equals == std::string::npos ? "" : part.substr(equals + 1);
        if (key == "mpi-access") {
            options.device.mpi_access = true;
        } else if (key == "none") {
            options.device.link = {};
        } else if (key == "bandwidth") {
            options.device.link.bytes_per_s = parse_number(value, key);
        } else if (key == "latency") {
            options.device.link.latency_s = parse_number(value, key);
        } else {
            throw UsageError(
                fmt::format("--emulate knows no '{}'. {}", key, suggest_name(key, keys)));
        }
    }
}

/// Texts as typed, turned into options after parsing, so that each fault is one sentence.
struct Words {
    std::string paths = "all";
    std::string patterns = "all";
    std::string sizes = "1:64M:4";
    std::string buffers = "reused";
    std::vector<std::string> emulate;
    std::string block;
    std::string sweep_blocks = "4K:4M";
    std::string blocks_file;
};

void declare(CLI::App& app, Options& options, Words& words) {
    app.add_option("--path", words.paths,
                   "Paths: host,staged,pipelined,direct,peer (default: all possible)");
    app.add_option("--pattern", words.patterns,
                   "latency,bandwidth,bidirectional,pairs,sparse (default: all possible)");
    app.add_option("--sizes", words.sizes, "Bytes: list 1,8,64K, range 1:64M, with factor 1:64M:4");
    app.add_option("--window", options.window, "Messages in flight of the bandwidth patterns")
        ->check(CLI::Range(1, 4096));
    app.add_option("--buffers", words.buffers,
                   "reused: one buffer a side for all messages of a window, as OSU's\n"
                   "benchmarks do; distinct: one for each message")
        ->check(CLI::IsMember({"reused", "distinct"}));
    app.add_option("--time", options.time_s, "Seconds of measurement a row")
        ->check(CLI::Range(0.001, 60.0));
    app.add_option("--device", options.device.kind, "auto | cuda | emulated | none")
        ->check(CLI::IsMember({"auto", "cuda", "emulated", "none"}));
    app.add_option("--gpu", options.device.gpu, "GPU number (default: by local rank)")
        ->check(CLI::Range(0, 1023));
    app.add_option("--emulate", words.emulate,
                   "Emulated device: bandwidth=B/s, latency=s, mpi-access, none")
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    app.add_option("--block", words.block, "Block of the pipelined path (0: whole messages)");
    app.add_flag("--sweep", options.sweep, "Measure block sizes of the pipelined path instead");
    app.add_option("--sweep-blocks", words.sweep_blocks, "Blocks of the sweep");
    app.add_option("--write-blocks", words.blocks_file,
                   "With --sweep: write the best blocks (default: the file that all\n"
                   "programs of this user read)")
        ->expected(0, 1)
        ->type_name("[FILE]");
    app.add_option("--pattern-file", options.pattern_file, "Messages of the sparse pattern")
        ->type_name("FILE");
    app.add_flag("--assume-gpu-aware", options.assume_gpu_aware,
                 "Give MPI device pointers though it does not report support");
    app.add_option("--json", options.json_file, "Write all results")->type_name("FILE");
    app.add_flag("--quiet", options.quiet, "Print no tables");
    app.add_flag("--capabilities", options.capabilities,
                 "Print as JSON what this build and MPI can do with GPUs, and stop");
}

void interpret(const CLI::App& app, const Words& words, Options& options) {
    options.paths = parse_names("--path", words.paths, "path", path_names());
    options.patterns = parse_names("--pattern", words.patterns, "pattern", pattern_names());
    options.sizes = parse_sizes(words.sizes);
    options.distinct_buffers = words.buffers == "distinct";
    options.sweep_blocks = parse_sizes(words.sweep_blocks);
    validate<UsageError>(options.sweep_blocks.front() > 0,
                         "--sweep-blocks has a block of 0 bytes. The whole message is always "
                         "measured; name larger blocks.");
    // Half of PCIe 3.0 with 16 lanes: the copies run on cores of this machine, and the model, not the
    // cores, shall decide.
    options.device.link = {.latency_s = 5e-6, .bytes_per_s = 6e9};
    for (const std::string& word : words.emulate) {
        parse_emulation(word, options);
    }
    if (!words.block.empty()) {
        options.block = parse_size(words.block);
        options.block = options.block == 0 ? largest_message + 1 : options.block;
    }
    if (app.count("--write-blocks") > 0) {
        validate<UsageError>(options.sweep,
                             "--write-blocks needs --sweep (only a sweep finds the "
                             "best blocks). Add --sweep.");
        options.blocks_file =
            words.blocks_file.empty() ? TransferBlocks::default_path() : words.blocks_file;
        validate<UsageError>(!options.blocks_file->empty(),
                             "--write-blocks finds no folder of this user ($HOME is not set). Name "
                             "a file.");
    }
}

}  // namespace

std::size_t parse_size(const std::string& text) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    std::string unit(end, text.data() + text.size());
    std::transform(unit.begin(), unit.end(), unit.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    if (unit == "KIB" || unit == "MIB" || unit == "GIB") {
        unit.resize(1);
    }
    constexpr std::string_view units = "KMG";
    const std::size_t place = unit.size() == 1 ? units.find(unit[0]) : std::string_view::npos;
    const bool good = error == std::errc() && (unit.empty() || place != std::string_view::npos);
    const std::size_t shift = unit.empty() ? 0 : 10 * (place + 1);
    validate<UsageError>(
        good && value <= (largest_message >> shift),
        fmt::format("'{}' is not a size (a whole number with K, M or G, below 2 GiB). "
                    "Write e.g. 64K.",
                    text));
    return value << shift;
}

std::vector<std::size_t> parse_sizes(const std::string& text) {
    std::vector<std::size_t> sizes;
    const std::vector<std::string> ends = split(text, ':');
    if (ends.size() < 2) {
        for (const std::string& item : split(text, ',')) {
            sizes.push_back(parse_size(item));
        }
    } else {
        const std::size_t first = parse_size(ends[0]);
        const std::size_t last = parse_size(ends[1]);
        const std::size_t factor = ends.size() > 2 ? parse_size(ends[2]) : 2;
        validate<UsageError>(
            ends.size() < 4 && first >= 1 && last >= first && factor >= 2,
            fmt::format("'{}' is not a range of sizes (first:last or "
                        "first:last:factor, ascending, from 1). Write e.g. 1:64M:4.",
                        text));
        for (std::size_t size = first; size <= last; size *= factor) {
            sizes.push_back(size);
        }
    }
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    validate<UsageError>(!sizes.empty(), "a list of sizes is empty. Write e.g. 1,64K,4M.");
    return sizes;
}

std::string size_text(std::size_t bytes) {
    constexpr std::array<const char*, 4> units{"B", "KiB", "MiB", "GiB"};
    std::size_t unit = 0;
    while (bytes >= 1024 && bytes % 1024 == 0 && unit + 1 < units.size()) {
        bytes /= 1024;
        ++unit;
    }
    return fmt::format("{} {}", bytes, units[unit]);
}

ParsedOptions parse_options(int argc, char** argv) {
    Options options;
    Words words;
    CLI::App app{description};
    app.name("halocline-p2p");
    app.footer(examples);
    bench_parts::prepare(app);
    declare(app, options, words);
    if (std::optional<std::string> text = bench_parts::parse(app, argc, argv)) {
        return {std::nullopt, std::move(*text)};
    }
    interpret(app, words, options);
    options.command.assign(argv, argv + argc);
    return {std::move(options), ""};
}

}  // namespace halocline::p2p
