// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Finds partitioners by name and tells users what there is.
#include "halocline/dist/partitioner.hpp"

#include <algorithm>
#include <numeric>

#include "halocline/core/error.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/dist/partitioner_table.hpp"

namespace halocline::dist {

namespace {

/// Levenshtein distance: insertions, deletions and substitutions that turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

/// "did you mean 'block'?" where a name is near enough to be a slip of the keyboard.
std::string suggestion(std::string_view name) {
    const std::vector<std::string> names = partitioner_names();
    const auto nearest =
        std::min_element(names.begin(), names.end(), [&](const auto& a, const auto& b) {
            return edit_distance(name, a) < edit_distance(name, b);
        });
    const bool near = edit_distance(name, *nearest) <= std::max<std::size_t>(2, name.size() / 3);
    return near ? "did you mean '" + *nearest + "'?" : "this build has no such partitioner";
}

/// "block, parmetis with kway, ptscotch with kway"
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

std::unique_ptr<Partitioner> make_partitioner(std::string_view name, std::string_view method) {
    const auto table = partitioner_table();
    const auto entry =
        std::find_if(table.begin(), table.end(), [&](const auto& e) { return e.name == name; });
    validate<UsageError>(entry != table.end(), "partitioner '" + std::string(name) +
                                                   "' is not known (" + suggestion(name) +
                                                   "). Choose one of: " + combinations() + ".");
    std::unique_ptr<Partitioner> partitioner = entry->make();
    const std::vector<std::string> methods = partitioner->methods();
    const bool accepted = methods.empty()
                              ? method == "kway"  // the default, meaning no choice was made
                              : std::find(methods.begin(), methods.end(), method) != methods.end();
    validate<UsageError>(
        accepted, "partitioner '" + std::string(name) + "' has no method '" + std::string(method) +
                      "' (methods belong to partitioners). Choose one of: " + combinations() + ".");
    return partitioner;
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

}  // namespace halocline
