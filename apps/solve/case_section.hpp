// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One table of a case file, read key by key; the schema says what a key may be and is by default.
#pragma once

#include <toml++/toml.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "case_schema.hpp"

namespace halocline::solve {

/// Every mistake is an InputError that names file, line and key. Keys are asked for once; after the
/// last one `expect_no_more` finds what is unknown, and keys of the schema that were not read.
class CaseSection {
public:
    /// `name` is empty for the top of the file. The table must outlive the section.
    CaseSection(const toml::table& table, SectionSchema schema, std::string name, std::string file);

    [[nodiscard]] const std::string& file() const { return file_; }
    [[nodiscard]] std::string text(std::string_view key);
    [[nodiscard]] bool flag(std::string_view key);
    [[nodiscard]] std::int64_t integer(std::string_view key);
    /// A whole number that fits an int.
    [[nodiscard]] int count(std::string_view key);
    /// A whole number from `least`, or nothing for "auto".
    [[nodiscard]] std::optional<int> automatic_count(std::string_view key, int least = 1);
    /// Steps between (10), seconds ("30s"), or a list of steps ([1, 5]), as text: see run::Schedule.
    [[nodiscard]] std::string schedule(std::string_view key);
    [[nodiscard]] double number(std::string_view key);
    [[nodiscard]] std::vector<double> numbers(std::string_view key);
    /// A list of vectors of two or three components; the third is 0 where two are given.
    [[nodiscard]] std::vector<std::array<double, 3>> points(std::string_view key);
    [[nodiscard]] std::vector<std::string> texts(std::string_view key);
    /// What halocline::Expression can read, or a number, as text.
    [[nodiscard]] std::string formula(std::string_view key);
    /// Components of a vector; the third is 0 where two are given.
    [[nodiscard]] std::array<std::string, 3> formula_vector(std::string_view key);
    [[nodiscard]] std::array<double, 3> vector(std::string_view key);
    /// One of the schema's words.
    [[nodiscard]] std::string choice(std::string_view key);
    /// One of the schema's words that `check` accepts; its complaint becomes the sentence.
    template <class Check>
    [[nodiscard]] std::string checked(std::string_view key, Check&& check);
    /// An empty section where the file has none.
    [[nodiscard]] CaseSection section(std::string_view key);
    /// Sections in the section `key`, by names that users choose.
    [[nodiscard]] std::vector<CaseSection> sections(std::string_view key);
    /// The last part of its name, without quotes.
    [[nodiscard]] const std::string& own_name() const { return own_name_; }
    [[nodiscard]] bool has(std::string_view key) const { return table_->contains(key); }
    /// Throws InputError when a key is missing that has no default.
    void require_given() const;
    /// Keys that other programs read.
    void skip(std::initializer_list<std::string_view> keys);
    void expect_no_more() const;

    /// Throws InputError: place of the key, its name, `problem`.
    [[noreturn]] void fail(std::string_view key, const std::string& problem) const;

private:
    [[nodiscard]] CaseSection section_at(std::string_view key, const toml::node* node,
                                         SectionSchema schema) const;
    [[nodiscard]] std::string formula_of(std::string_view key, const toml::node& node) const;
    void require_components(std::string_view key, std::size_t given) const;
    [[nodiscard]] const toml::node* find(std::string_view key);
    [[nodiscard]] std::string dotted(std::string_view key) const;
    [[noreturn]] void fail_type(std::string_view key, const std::string& wanted) const;

    void check_text(std::string_view key, const std::string& value) const;

    const toml::table* table_;
    SectionSchema schema_;
    std::string name_;
    std::string own_name_;
    std::string file_;
    std::vector<std::string> asked_;
};

template <class Check>
std::string CaseSection::checked(std::string_view key, Check&& check) {
    std::string word = choice(key);
    try {
        check(word);
    } catch (const std::exception& error) {
        fail(key, std::string("is '") + word + "': " + error.what());
    }
    return word;
}

}  // namespace halocline::solve
