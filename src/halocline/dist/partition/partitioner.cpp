// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Finds partitioners by name and lists what there is.
#include "halocline/dist/partition/partitioner.hpp"

#include <algorithm>

#include "halocline/core/error.hpp"
#include "halocline/core/nearest.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/dist/partition/partitioner_table.hpp"

namespace halocline::dist {

namespace {

constexpr std::string_view automatic = "auto";
constexpr std::string_view no_method = "none";

std::vector<std::string_view> known_names() {
    std::vector<std::string_view> names;
    for (const PartitionerEntry& entry : partitioner_table()) {
        names.push_back(entry.name);
    }
    return names;
}

/// "did you mean 'block'?" where a name is near enough to be a slip of the keyboard.
std::string suggestion(std::string_view name) {
    const std::vector<std::string_view> names = known_names();
    const std::string_view nearest = nearest_name(name, names);
    return nearest.empty() ? "this build has no such partitioner"
                           : "did you mean '" + std::string(nearest) + "'?";
}

/// "block, parmetis with kway or geom, ptscotch with kway"
std::string combinations() {
    std::string text;
    for (const PartitionerEntry& entry : partitioner_table()) {
        text += text.empty() ? "" : ", ";
        text += entry.name;
        const std::vector<std::string> methods = entry.make()->methods();
        for (std::size_t i = 0; i < methods.size(); ++i) {
            text += (i == 0 ? " with " : " or ") + methods[i];
        }
    }
    return text;
}

}  // namespace

PartitionerChoice make_partitioner(std::string_view name, std::string_view method) {
    const auto table = partitioner_table();
    const auto entry =
        std::find_if(table.begin(), table.end(), [&](const auto& e) { return e.name == name; });
    validate<UsageError>(entry != table.end(), "partitioner '" + std::string(name) +
                                                   "' is not known (" + suggestion(name) +
                                                   "). Choose one of: " + combinations() + ".");
    PartitionerChoice choice{entry->make(), std::string(no_method)};
    const std::vector<std::string> methods = choice.partitioner->methods();
    if (methods.empty() && (method == no_method || method == automatic)) {
        return choice;
    }
    if (method == automatic) {
        choice.method = methods.front();
        return choice;
    }
    validate<UsageError>(
        std::find(methods.begin(), methods.end(), method) != methods.end(),
        "partitioner '" + std::string(name) + "' has no method '" + std::string(method) +
            "' (methods belong to partitioners). Choose one of: " + combinations() + ".");
    choice.method = method;
    return choice;
}

}  // namespace halocline::dist

namespace halocline {

std::vector<std::string> partitioner_names() {
    std::vector<std::string> names;
    for (const dist::PartitionerEntry& entry : dist::partitioner_table()) {
        names.emplace_back(entry.name);
    }
    return names;
}

std::vector<PartitionMethod> partition_methods() {
    std::vector<PartitionMethod> ways;
    for (const dist::PartitionerEntry& entry : dist::partitioner_table()) {
        const auto partitioner = entry.make();
        std::vector<std::string> methods = partitioner->methods();
        if (methods.empty()) {
            methods.emplace_back("none");
        }
        for (const std::string& method : methods) {
            if (partitioner->available(method)) {
                ways.push_back({std::string(entry.name), method});
            }
        }
    }
    return ways;
}

std::vector<std::string> partition_method_names() {
    std::vector<std::string> names{std::string(dist::automatic)};
    for (const dist::PartitionerEntry& entry : dist::partitioner_table()) {
        for (const std::string& method : entry.make()->methods()) {
            if (std::find(names.begin(), names.end(), method) == names.end()) {
                names.push_back(method);
            }
        }
    }
    return names;
}

PartitionMethod resolve_partition(const std::string& partitioner, const std::string& method) {
    return {partitioner, dist::make_partitioner(partitioner, method).method};
}

PartitionMethod default_partition(const std::string& partitioner) {
    const std::vector<PartitionMethod> ways = partition_methods();
    const auto found = std::find_if(
        ways.begin(), ways.end(), [&](const auto& way) { return way.partitioner == partitioner; });
    const bool kway = found != ways.end() && found->method == "kway";
    return kway ? *found : PartitionMethod{"sfc", "geomkway"};
}

}  // namespace halocline
