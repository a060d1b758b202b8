// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Checks TOML nodes by the schema; sentences like those of `halocline run`.
#include "case_section.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <regex>
#include <sstream>

#include "halocline/core/error.hpp"
#include "halocline/core/expression.hpp"
#include "halocline/core/nearest.hpp"
#include "halocline/run/schedule.hpp"

namespace halocline::solve {

namespace {

/// What the pattern of a key asks for.
std::string words_of(const std::string& pattern) {
    if (pattern == R"(^[^/\x00-\x1f\x7f]*$)") {
        return "no '/' and no control characters may stand in it";
    }
    return pattern == R"(^[^\x00-\x1f\x7f]*$)" ? "no control characters may stand in it"
                                               : "it does not match " + pattern;
}

/// Control characters do not reach the terminal.
std::string printable(std::string text) {
    std::replace_if(
        text.begin(), text.end(),
        [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
    return text;
}

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

CaseSection::CaseSection(const toml::table& table, SectionSchema schema, std::string name,
                         std::string file)
    : table_(&table), schema_(schema), name_(std::move(name)), file_(std::move(file)) {}

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
    (void)schema_.about(key);
    asked_.emplace_back(key);
    return table_->get(key);
}

std::string CaseSection::text(std::string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr) {
        return schema_.about(key).value("default", std::string());
    }
    if (!node->is_string()) {
        fail_type(key, "text in quotes");
    }
    check_text(key, node->as_string()->get());
    return node->as_string()->get();
}

void CaseSection::check_text(std::string_view key, const std::string& value) const {
    const SectionSchema::Json& about = schema_.about(key);
    if (value.size() < about.value("minLength", std::size_t{0})) {
        fail(key, "is empty. Name something, or leave the key out.");
    }
    const std::string pattern = about.value("pattern", std::string());
    if (!pattern.empty() && !std::regex_match(value, std::regex(pattern))) {
        fail(key, "is '" + printable(value) + "' (" + words_of(pattern) + "). Correct it.");
    }
}

bool CaseSection::flag(std::string_view key) {
    const toml::node* node = find(key);
    if (node != nullptr && !node->is_boolean()) {
        fail_type(key, "true or false");
    }
    return node == nullptr ? schema_.about(key).value("default", false) : node->as_boolean()->get();
}

std::int64_t CaseSection::integer(std::string_view key) {
    const toml::node* node = find(key);
    const SectionSchema::Json& about = schema_.about(key);
    if (node == nullptr) {
        return about.value("default", std::int64_t{0});
    }
    constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
    const std::int64_t least = about.value("minimum", -largest);
    const std::int64_t most = about.value("maximum", largest);
    const std::int64_t value = node->is_integer() ? node->as_integer()->get() : 0;
    if (!node->is_integer() || value < least || value > most) {
        fail_type(key, "a whole number from " + std::to_string(least) +
                           (most == largest ? "" : " to " + std::to_string(most)));
    }
    return value;
}

int CaseSection::count(std::string_view key) {
    const std::int64_t value = integer(key);
    if (value > std::numeric_limits<int>::max()) {
        fail(key, "is too large (2147483647 is the largest). Correct it.");
    }
    return static_cast<int>(value);
}

std::optional<int> CaseSection::automatic_count(std::string_view key, int least) {
    const toml::node* node = find(key);
    if (node == nullptr || (node->is_string() && node->as_string()->get() == "auto")) {
        return std::nullopt;
    }
    const std::int64_t count = node->is_integer() ? node->as_integer()->get() : std::int64_t{-1};
    if (count < least || count > std::numeric_limits<int>::max()) {
        fail_type(key, "a whole number from " + std::to_string(least) + ", or \"auto\",");
    }
    return static_cast<int>(count);
}

std::string CaseSection::schedule(std::string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr) {
        return "";
    }
    constexpr const char* wanted =
        "steps as a whole number from 1, seconds as \"30s\", or a list of steps";
    const auto is_step = [](const toml::node& item) {
        return item.is_integer() && item.as_integer()->get() >= 1 &&
               item.as_integer()->get() <= std::numeric_limits<int>::max();
    };
    std::string text;
    if (node->is_string()) {
        text = node->as_string()->get();
    } else if (is_step(*node)) {
        text = std::to_string(node->as_integer()->get());
    } else if (const toml::array* list = node->as_array();
               list != nullptr && std::all_of(list->begin(), list->end(), is_step)) {
        for (const toml::node& item : *list) {
            text += fmt::format("{}{}", text.empty() ? "" : ",", item.as_integer()->get());
        }
    } else {
        fail_type(key, wanted);
    }
    try {
        static_cast<void>(run::Schedule(text, std::string(key)));
    } catch (const UsageError&) {
        fail_type(key, wanted);
    }
    return text;
}

double CaseSection::number(std::string_view key) {
    const toml::node* node = find(key);
    const SectionSchema::Json& about = schema_.about(key);
    if (node == nullptr) {
        return about.value("default", 0.0);
    }
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double above = about.value("exclusiveMinimum", -infinity);
    const double least = about.value("minimum", -infinity);
    const double most = about.value("maximum", infinity);
    const double value = node->is_number() ? *node->value<double>() : std::nan("");
    if (!(value > above && value >= least && value <= most) || std::isinf(value)) {
        fail_type(key, "a number" + (above > -infinity ? fmt::format(" above {}", above) : "") +
                           (least > -infinity ? fmt::format(" from {}", least) : "") +
                           (most < infinity ? fmt::format(" to {}", most) : ""));
    }
    return value;
}

std::vector<double> CaseSection::numbers(std::string_view key) {
    std::vector<double> values;
    const toml::node* node = find(key);
    if (node == nullptr) {
        return schema_.about(key).value("default", values);
    }
    const toml::array* list = node->as_array();
    const auto is_number = [](const toml::node& item) {
        return item.is_number() && std::isfinite(*item.value<double>());
    };
    if (list == nullptr || !std::all_of(list->begin(), list->end(), is_number)) {
        fail_type(key, "a list of numbers");
    }
    for (const toml::node& item : *list) {
        values.push_back(*item.value<double>());
    }
    return values;
}

std::vector<std::array<double, 3>> CaseSection::points(std::string_view key) {
    std::vector<std::array<double, 3>> points;
    const toml::node* node = find(key);
    if (node == nullptr) {
        return points;
    }
    const auto is_number = [](const toml::node& item) {
        return item.is_number() && std::isfinite(*item.value<double>());
    };
    const auto is_point = [&](const toml::node& item) {
        const toml::array* list = item.as_array();
        return list != nullptr && (list->size() == 2 || list->size() == 3) &&
               std::all_of(list->begin(), list->end(), is_number);
    };
    const toml::array* list = node->as_array();
    if (list == nullptr || !std::all_of(list->begin(), list->end(), is_point)) {
        fail_type(key, "a list of points, as [[0.5, 0.5, 0.0]],");
    }
    for (const toml::node& item : *list) {
        std::array<double, 3>& point = points.emplace_back();
        std::transform(item.as_array()->begin(), item.as_array()->end(), point.begin(),
                       [](const toml::node& number) { return *number.value<double>(); });
    }
    return points;
}

std::vector<std::string> CaseSection::texts(std::string_view key) {
    std::vector<std::string> values;
    const toml::node* node = find(key);
    if (node == nullptr) {
        return values;
    }
    const toml::array* list = node->as_array();
    const auto is_text = [](const toml::node& item) { return item.is_string(); };
    if (list == nullptr || !std::all_of(list->begin(), list->end(), is_text)) {
        fail_type(key, "a list of strings");
    }
    for (const toml::node& item : *list) {
        values.push_back(*item.value<std::string>());
    }
    return values;
}

std::string CaseSection::formula_of(std::string_view key, const toml::node& node) const {
    if (node.is_number() && !node.is_boolean()) {
        return fmt::format("{}", *node.value<double>());
    }
    if (!node.is_string()) {
        fail_type(key, "a formula in quotes, or a number,");
    }
    std::string text = node.as_string()->get();
    check_text(key, text);
    try {
        static_cast<void>(Expression(text));
    } catch (const InputError& error) {
        fail(key, std::string("has a mistake: ") + error.what());
    }
    return text;
}

std::string CaseSection::formula(std::string_view key) {
    const toml::node* node = find(key);
    return node == nullptr ? schema_.about(key).value("default", std::string())
                           : formula_of(key, *node);
}

std::array<std::string, 3> CaseSection::formula_vector(std::string_view key) {
    std::array<std::string, 3> components{"0", "0", "0"};
    const toml::node* node = find(key);
    if (node == nullptr) {
        return components;
    }
    const toml::array* list = node->as_array();
    if (list == nullptr) {
        fail_type(key, "a list of formulae");
    }
    require_components(key, list->size());
    std::transform(list->begin(), list->end(), components.begin(),
                   [&](const toml::node& item) { return formula_of(key, item); });
    return components;
}

std::array<double, 3> CaseSection::vector(std::string_view key) {
    const std::vector<double> values = numbers(key);
    require_components(key, values.size());
    std::array<double, 3> components{};
    std::copy(values.begin(), values.end(), components.begin());
    return components;
}

void CaseSection::require_components(std::string_view key, std::size_t given) const {
    const std::size_t least = schema_.about(key).value("minItems", std::size_t{3});
    if (given < least || given > 3) {
        fail(key, fmt::format("has {} components ({} needed). Correct it.", given,
                              least == 3 ? "x, y and z are" : "x and y, in space z, are"));
    }
}

std::string CaseSection::choice(std::string_view key) {
    std::string word = text(key);
    const std::vector<std::string_view> choices = schema_.choices(key);
    if (std::find(choices.begin(), choices.end(), word) == choices.end()) {
        fail(key, "is '" + word + "'. " + suggest_name(word, choices));
    }
    return word;
}

CaseSection CaseSection::section(std::string_view key) {
    const toml::node* node = find(key);
    const std::string variant = node != nullptr && node->is_table()
                                    ? (*node->as_table())["name"].value_or(std::string())
                                    : std::string();
    return section_at(key, node, schema_.section(key, variant));
}

CaseSection CaseSection::section_at(std::string_view key, const toml::node* node,
                                    SectionSchema schema) const {
    if (node != nullptr && !node->is_table()) {
        throw InputError(place_of(*node, file_) + ": '" + dotted(key) +
                         "' is a section, not a value. Write [" + dotted(key) +
                         "] and its keys below.");
    }
    const toml::table& table = node == nullptr ? empty_table() : *node->as_table();
    CaseSection section(table, schema, dotted(key), file_);
    section.own_name_ = key;
    return section;
}

std::vector<CaseSection> CaseSection::sections(std::string_view key) {
    std::vector<CaseSection> found;
    const SectionSchema each = schema_.section(key);
    const CaseSection all = section(key);
    for (const auto& [name, node] : *all.table_) {
        found.push_back(all.section_at(name.str(), &node, each));
    }
    return found;
}

void CaseSection::skip(std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys) {
        (void)find(key);
    }
}

void CaseSection::require_given() const {
    for (const std::string& key : schema_.required()) {
        if (!has(key)) {
            fail(key, "is missing. Add it.");
        }
    }
}

void CaseSection::expect_no_more() const {
    const std::vector<std::string_view> known = schema_.keys();
    for (const auto& [key, node] : *table_) {
        if (!schema_.has(key.str())) {
            throw InputError(place_of(node, file_) + ": unknown key '" + dotted(key.str()) + "'. " +
                             suggest_name(key.str(), known));
        }
    }
    for (const std::string_view key : known) {
        validate<ContractError>(
            std::find(asked_.begin(), asked_.end(), key) != asked_.end(),
            "key '" + dotted(key) + "' of the schema is not read. Read it, or skip it.");
    }
}

}  // namespace halocline::solve
