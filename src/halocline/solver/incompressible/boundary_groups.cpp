// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Names of groups against names of conditions, both ways.
#include "halocline/solver/incompressible/boundary_groups.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "halocline/core/error.hpp"
#include "halocline/core/nearest.hpp"

namespace halocline::incompressible {

namespace {

const std::vector<double>& groups_of(const run::LoadedMesh& loaded) {
    const MgcfdLevel& level = loaded.mesh.levels.front();
    return loaded.mesh.declaration.dats[static_cast<std::size_t>(level.boundary_group)].doubles();
}

/// Which groups have entries, over all ranks.
std::vector<bool> present_groups(const Communicator& comm, const std::vector<double>& groups) {
    double largest = -1.0;
    for (const double group : groups) {
        largest = std::max(largest, group);
    }
    std::vector<bool> present(static_cast<std::size_t>(comm.max(largest) + 1.0));
    std::vector<bool> mine(present.size());
    for (const double group : groups) {
        mine[static_cast<std::size_t>(group)] = true;
    }
    for (std::size_t g = 0; g < present.size(); ++g) {
        present[g] = comm.max(std::int64_t{mine[g]}) > 0;
    }
    return present;
}

std::string name_of(const run::LoadedMesh& loaded, std::size_t group) {
    const auto found = loaded.mesh.group_names.find(static_cast<std::int64_t>(group));
    return found != loaded.mesh.group_names.end() ? found->second : std::to_string(group);
}

/// Throws InputError for a section whose group the mesh does not have.
void require_groups(const Options& options, const std::vector<std::string>& names,
                    const std::string& file) {
    const std::vector<std::string_view> known(names.begin(), names.end());
    for (const BoundaryCondition& condition : options.boundaries) {
        validate<InputError>(
            std::find(names.begin(), names.end(), condition.group) != names.end(),
            fmt::format("[solver.boundaries.\"{}\"]: {} has no boundary group of this name. {}",
                        condition.group, file,
                        names.empty() ? "It has none at all: leave the section out."
                                      : suggest_name(condition.group, known)));
    }
}

/// Its index. Throws InputError where there is none.
int condition_of(const Options& options, const std::string& group, const std::string& file) {
    const auto found =
        std::find_if(options.boundaries.begin(), options.boundaries.end(),
                     [&](const BoundaryCondition& condition) { return condition.group == group; });
    validate<InputError>(
        found != options.boundaries.end(),
        fmt::format("boundary group '{}' of {} has no condition (flow there would be "
                    "undefined). Add [solver.boundaries.\"{}\"] with kind = \"wall\", "
                    "\"inlet\", \"outlet\" or \"slip\".",
                    group, file, group));
    return static_cast<int>(found - options.boundaries.begin());
}

}  // namespace

ConditionOfGroup assign_conditions(const Communicator& comm, const run::LoadedMesh& loaded,
                                   const Options& options, const std::string& file) {
    const std::vector<bool> present = present_groups(comm, groups_of(loaded));
    std::vector<std::string> names;
    for (std::size_t g = 0; g < present.size(); ++g) {
        if (present[g]) {
            names.push_back(name_of(loaded, g));
        }
    }
    // First: a group whose section has a typing error has no condition either.
    require_groups(options, names, file);
    ConditionOfGroup conditions(present.size(), -1);
    for (std::size_t g = 0; g < present.size(); ++g) {
        if (present[g]) {
            conditions[g] = condition_of(options, name_of(loaded, g), file);
        }
    }
    return conditions;
}

std::vector<GlobalIndex> outlet_nodes(const run::LoadedMesh& loaded, const Options& options,
                                      const ConditionOfGroup& conditions) {
    const MgcfdLevel& level = loaded.mesh.levels.front();
    const std::vector<double>& groups = groups_of(loaded);
    const std::vector<GlobalIndex>& nodes =
        loaded.mesh.declaration.maps[static_cast<std::size_t>(level.boundary_node)].targets;
    std::vector<GlobalIndex> found;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const int condition = conditions[static_cast<std::size_t>(groups[i])];
        if (options.boundaries[static_cast<std::size_t>(condition)].kind == "outlet") {
            found.push_back(nodes[i]);
        }
    }
    return found;
}

bool has_outlet(const Options& options) {
    return std::any_of(
        options.boundaries.begin(), options.boundaries.end(),
        [](const BoundaryCondition& condition) { return condition.kind == "outlet"; });
}

}  // namespace halocline::incompressible
