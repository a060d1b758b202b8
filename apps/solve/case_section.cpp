// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Checked access to TOML nodes; sentences like those of `halocline run`.
#include "case_section.hpp"

#include <algorithm>
#include <limits>
#include <sstream>

#include "halocline/core/error.hpp"
#include "halocline/core/nearest.hpp"

namespace halocline::solve {

namespace {

/// A value as the file spells it, cut where it is long.
std::string spelled(const toml::node& node) {
    std::ostringstream text;
    node.visit([&](const auto& value) { text << value; });
    constexpr std::size_t longest = 40;
    return text.str().size() <= longest ? text.str() : text.str().substr(0, longest) + "...";
}

/// "case.toml:12" for what the file says, "--set" for what a flag says.
std::string place_of(const toml::node& node, const std::string& file) {
    const toml::source_region& source = node.source();
    return source.path ? file + ":" + std::to_string(source.begin.line) : file + " with --set";
}

const toml::table& empty_table() {
    static const toml::table empty;
    return empty;
}

}  // namespace

CaseSection::CaseSection(const toml::table& table, std::string name, std::string file)
    : table_(&table), name_(std::move(name)), file_(std::move(file)) {}

std::string CaseSection::dotted(std::string_view key) const {
    return (name_.empty() ? "" : name_ + ".") + std::string(key);
}

void CaseSection::fail(std::string_view key, const std::string& problem) const {
    const toml::node* node = table_->get(key);
    throw InputError((node == nullptr ? file_ : place_of(*node, file_)) + ": key '" + dotted(key) +
                     "' " + problem);
}

void CaseSection::fail_type(std::string_view key, const std::string& wanted) const {
    fail(key, "is " + spelled(*table_->get(key)) + " (" + wanted + " is needed). Correct it.");
}

const toml::node* CaseSection::find(std::string_view key) {
    asked_.emplace_back(key);
    return table_->get(key);
}

std::string CaseSection::text(std::string_view key, const std::string& otherwise) {
    const toml::node* node = find(key);
    if (node == nullptr) {
        return otherwise;
    }
    if (!node->is_string()) {
        fail_type(key, "text in quotes");
    }
    return node->as_string()->get();
}

bool CaseSection::flag(std::string_view key, bool otherwise) {
    const toml::node* node = find(key);
    if (node != nullptr && !node->is_boolean()) {
        fail_type(key, "true or false");
    }
    return node == nullptr ? otherwise : node->as_boolean()->get();
}

std::int64_t CaseSection::integer(std::string_view key, std::int64_t otherwise,
                                  std::int64_t least) {
    const toml::node* node = find(key);
    if (node == nullptr) {
        return otherwise;
    }
    if (!node->is_integer() || node->as_integer()->get() < least) {
        fail_type(key, "a whole number from " + std::to_string(least));
    }
    return node->as_integer()->get();
}

std::optional<int> CaseSection::automatic_count(std::string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr || (node->is_string() && node->as_string()->get() == "auto")) {
        return std::nullopt;
    }
    const std::int64_t count = node->is_integer() ? node->as_integer()->get() : 0;
    if (count < 1 || count > std::numeric_limits<int>::max()) {
        fail_type(key, "a whole number from 1, or \"auto\",");
    }
    return static_cast<int>(count);
}

double CaseSection::number(std::string_view key, double otherwise) {
    const toml::node* node = find(key);
    if (node != nullptr && !node->is_number()) {
        fail_type(key, "a number");
    }
    return node == nullptr ? otherwise : *node->value<double>();
}

std::vector<double> CaseSection::numbers(std::string_view key) {
    std::vector<double> values;
    const toml::node* node = find(key);
    if (node == nullptr) {
        return values;
    }
    const toml::array* list = node->as_array();
    const auto is_number = [](const toml::node& item) { return item.is_number(); };
    if (list == nullptr || !std::all_of(list->begin(), list->end(), is_number)) {
        fail_type(key, "a list of numbers");
    }
    for (const toml::node& item : *list) {
        values.push_back(*item.value<double>());
    }
    return values;
}

std::string CaseSection::choice(std::string_view key, std::string_view otherwise,
                                std::initializer_list<std::string_view> choices) {
    std::string word = text(key, std::string(otherwise));
    if (std::find(choices.begin(), choices.end(), word) == choices.end()) {
        fail(key, "is '" + word + "'. " + suggest_name(word, {choices.begin(), choices.end()}));
    }
    return word;
}

CaseSection CaseSection::section(std::string_view key) {
    const toml::node* node = find(key);
    if (node != nullptr && !node->is_table()) {
        throw InputError(place_of(*node, file_) + ": '" + dotted(key) +
                         "' is a section, not a value. Write [" + dotted(key) +
                         "] and its keys below.");
    }
    return {node == nullptr ? empty_table() : *node->as_table(), dotted(key), file_};
}

void CaseSection::skip(std::initializer_list<std::string_view> keys) {
    asked_.insert(asked_.end(), keys.begin(), keys.end());
}

void CaseSection::expect_no_more() const {
    for (const auto& [key, node] : *table_) {
        if (std::find(asked_.begin(), asked_.end(), key.str()) == asked_.end()) {
            throw InputError(place_of(node, file_) + ": unknown key '" + dotted(key.str()) + "'. " +
                             suggest_name(key.str(), std::vector<std::string_view>(asked_.begin(),
                                                                                   asked_.end())));
        }
    }
}

}  // namespace halocline::solve
