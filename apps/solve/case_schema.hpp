// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a case file may say: the schema of `halocline run`, compiled into the program.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace halocline::solve {

/// The JSON schema (draft 2020-12) as a text; case.schema.json beside this file.
[[nodiscard]] std::string_view case_schema_text();

/// One section of the schema: its keys, their types and their defaults.
class SectionSchema {
public:
    using Json = nlohmann::json;

    /// The top of a case file.
    [[nodiscard]] static SectionSchema root();

    [[nodiscard]] bool has(std::string_view key) const;
    /// What the schema says about a key. Throws ContractError when it does not know it.
    [[nodiscard]] const Json& about(std::string_view key) const;
    /// The section that `key` is; where it may be one of several, the one whose own key `name` is
    /// `variant`, or else the first; where it holds sections of any name, one of these. Throws
    /// ContractError when it is none.
    [[nodiscard]] SectionSchema section(std::string_view key, std::string_view variant = "") const;
    [[nodiscard]] std::vector<std::string_view> keys() const;
    /// Keys that a file which has this section must give.
    [[nodiscard]] std::vector<std::string> required() const;
    /// The words that a key may be.
    [[nodiscard]] std::vector<std::string_view> choices(std::string_view key) const;

private:
    SectionSchema(const Json& schema, const Json& section) : schema_(&schema), section_(&section) {}

    const Json* schema_;
    const Json* section_;
};

}  // namespace halocline::solve
