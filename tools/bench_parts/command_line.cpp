// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench_parts/command_line.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <sstream>

#include "halocline/core/build_info.hpp"
#include "halocline/core/error.hpp"
#include "halocline/core/nearest.hpp"

namespace halocline::bench_parts {

namespace {

[[noreturn]] void throw_usage(const CLI::App& app, const CLI::ParseError& error, int argc,
                              char** argv) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            names.push_back("--" + name);
        }
    }
    const std::vector<std::string_view> known(names.begin(), names.end());
    for (int k = 1; k < argc; ++k) {
        const std::string argument = argv[k];
        const std::string word = argument.substr(0, argument.find('='));
        if (word.rfind('-', 0) == 0 && std::find(names.begin(), names.end(), word) == names.end()) {
            throw UsageError(fmt::format("unknown argument '{}' ({} --help lists all). {}", word,
                                         app.get_name(), suggest_name(word, known)));
        }
    }
    throw UsageError(fmt::format("{}. {} --help lists all flags.", error.what(), app.get_name()));
}

}  // namespace

void prepare(CLI::App& app) {
    app.set_version_flag("--version", fmt::format("halocline {} ({})", build_info::version,
                                                  build_info::git_describe));
    app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

std::optional<std::string> parse(CLI::App& app, int argc, char** argv) {
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        return app.help();
    } catch (const CLI::CallForVersion& version) {
        return std::string(version.what()) + "\n";
    } catch (const CLI::ParseError& error) {
        throw_usage(app, error, argc, argv);
    }
    return std::nullopt;
}

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);) {
        parts.push_back(part);
    }
    return parts;
}

std::vector<std::string> parse_names(const std::string& flag, const std::string& text,
                                     const std::string& what,
                                     std::span<const std::string_view> known) {
    std::vector<std::string> names = split(text);
    if (names == std::vector<std::string>{"all"}) {
        return {};
    }
    validate<UsageError>(!names.empty(),
                         fmt::format("{} names none. Write all, or e.g. {}.", flag, known.front()));
    for (const std::string& name : names) {
        validate<UsageError>(
            std::find(known.begin(), known.end(), name) != known.end(),
            fmt::format("there is no {} '{}'. {}", what, name, suggest_name(name, known)));
    }
    return names;
}

}  // namespace halocline::bench_parts
