// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Walks the schema: $ref leads to a section, anyOf to a section or nothing, oneOf to one of several,
// additionalProperties to what all of any number are.
#include "case_schema.hpp"

#include "halocline/core/error.hpp"

namespace halocline::solve {

namespace {

using Json = SectionSchema::Json;

const Json& whole_schema() {
    static const Json schema = Json::parse(case_schema_text());
    return schema;
}

const Json& resolved(const Json& schema, const Json& reference) {
    const std::string path = reference["$ref"];
    return schema.at(Json::json_pointer(path.substr(1)));
}

bool is_named(const Json& section, std::string_view name) {
    const Json& properties = section["properties"];
    return properties.contains("name") && properties["name"].value("const", "") == name;
}

/// Of sections that a key may be, the one whose `name` is the given one, or else the first.
const Json* find_variant(const Json& schema, const Json& variants, std::string_view name) {
    for (const Json& reference : variants) {
        if (is_named(resolved(schema, reference), name)) {
            return &reference;
        }
    }
    return &variants.front();
}

const Json* find_reference(const Json& schema, const Json& node, std::string_view variant) {
    if (node.contains("$ref")) {
        return &node;
    }
    if (node.contains("oneOf")) {
        return find_variant(schema, node["oneOf"], variant);
    }
    if (node.contains("additionalProperties") && node["additionalProperties"].is_object()) {
        return find_reference(schema, node["additionalProperties"], variant);
    }
    if (node.contains("anyOf")) {
        for (const Json& way : node["anyOf"]) {
            if (way.contains("$ref")) {
                return &way;
            }
        }
    }
    return nullptr;
}

}  // namespace

SectionSchema SectionSchema::root() { return {whole_schema(), whole_schema()}; }

bool SectionSchema::has(std::string_view key) const {
    return (*section_)["properties"].contains(std::string(key));
}

const Json& SectionSchema::about(std::string_view key) const {
    validate<ContractError>(has(key), "the schema of case files has no key '" + std::string(key) +
                                          "' here (the program asks for it). Add it to the model "
                                          "and write the schema again.");
    return (*section_)["properties"][std::string(key)];
}

SectionSchema SectionSchema::section(std::string_view key, std::string_view variant) const {
    const Json* reference = find_reference(*schema_, about(key), variant);
    validate<ContractError>(reference != nullptr,
                            "key '" + std::string(key) + "' is not a section in the schema.");
    return {*schema_, resolved(*schema_, *reference)};
}

std::vector<std::string_view> SectionSchema::keys() const {
    std::vector<std::string_view> names;
    const Json& properties = (*section_)["properties"];
    for (auto property = properties.begin(); property != properties.end(); ++property) {
        names.emplace_back(property.key());
    }
    return names;
}

std::vector<std::string> SectionSchema::required() const {
    return section_->value("required", std::vector<std::string>{});
}

std::vector<std::string_view> SectionSchema::choices(std::string_view key) const {
    const Json& allowed = about(key);
    std::vector<std::string_view> words;
    if (allowed.contains("const")) {
        words.push_back(allowed["const"].get_ref<const std::string&>());
    }
    if (allowed.contains("enum")) {
        for (const Json& word : allowed["enum"]) {
            words.push_back(word.get_ref<const std::string&>());
        }
    }
    return words;
}

}  // namespace halocline::solve
