// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// TOML by toml++; the text travels, every rank parses it.
#include "case_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "halocline/core/error.hpp"
#include "halocline/io/text_file.hpp"

namespace halocline::solve {

namespace {

/// "solver.cycles=50" as keys and value.
struct Setting {
    std::vector<std::string> keys;
    std::string value;
};

std::string trimmed(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    return begin == std::string::npos
               ? ""
               : text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

Setting split(const std::string& text) {
    Setting setting;
    const std::size_t equals = std::min(text.find('='), text.size());
    for (std::size_t begin = 0; begin <= equals;) {
        const std::size_t end = std::min(text.find('.', begin), equals);
        setting.keys.push_back(trimmed(text.substr(begin, end - begin)));
        begin = end + 1;
    }
    const bool named = std::none_of(setting.keys.begin(), setting.keys.end(),
                                    [](const std::string& key) { return key.empty(); });
    validate<UsageError>(
        equals < text.size() && named,
        "--set " + text + " is not key=value (a dotted key, e.g. solver.cycles=50). Correct it.");
    setting.value = trimmed(text.substr(equals + 1));
    return setting;
}

/// The section `key`, made where it is missing.
toml::table& section_of(toml::table& table, const std::string& key, const std::string& text) {
    if (!table.contains(key)) {
        table.insert(key, toml::table{});
    }
    toml::table* section = table.get(key)->as_table();
    validate<UsageError>(section != nullptr, "--set " + text + ": '" + key +
                                                 "' is a value, not a section. Correct it.");
    return *section;
}

void apply(toml::table& root, const std::string& text) {
    const Setting setting = split(text);
    toml::table* table = &root;
    for (std::size_t i = 0; i + 1 < setting.keys.size(); ++i) {
        table = &section_of(*table, setting.keys[i], text);
    }
    try {
        const toml::table parsed = toml::parse("value = " + setting.value);
        table->insert_or_assign(setting.keys.back(), *parsed.get("value"));
    } catch (const toml::parse_error&) {  // quotes around plain words can be left out
        table->insert_or_assign(setting.keys.back(), setting.value);
    }
}

toml::table parse_case(const std::string& text, const std::string& path,
                       const std::vector<std::string>& settings) {
    toml::table root = toml::parse(text, path);
    for (const std::string& setting : settings) {
        apply(root, setting);
    }
    return root;
}

}  // namespace

toml::table peek_case_file(const std::string& path, const std::vector<std::string>& settings) {
    std::error_code failure;
    if (!std::filesystem::is_regular_file(path, failure)) {
        return {};
    }
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    try {
        return parse_case(text.str(), path, settings);
    } catch (const toml::parse_error&) {
        return {};
    } catch (const Error&) {
        return {};
    }
}

toml::table read_case_file(const Communicator& comm, const std::string& path,
                           const std::vector<std::string>& settings) {
    const std::string text = read_text_file(comm, path, "case file");
    try {
        return parse_case(text, path, settings);
    } catch (const toml::parse_error& error) {
        throw InputError(path + ":" + std::to_string(error.source().begin.line) +
                         ": this is not TOML (" + std::string(error.description()) +
                         "). Correct that line.");
    }
}

}  // namespace halocline::solve
