// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Look-ups by name with sentences for what does not fit.
#include "halocline/mesh/mesh.hpp"

#include <algorithm>
#include <string>

#include "halocline/core/error.hpp"

namespace halocline {

namespace {

template <class Items>
std::size_t find_by_name(const MeshPart& mesh, const Items& items, std::string_view name,
                         const char* kind) {
    validate<ContractError>(!mesh.sets.empty(),
                            std::string(kind) + " '" + std::string(name) +
                                "' was asked of a mesh that was moved from (its sets went along). "
                                "Ask the mesh that it was moved to.");
    std::string known;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].name == name) {
            return i;
        }
        known += (known.empty() ? "" : ", ") + items[i].name;
    }
    throw ContractError(std::string("there is no ") + kind + " '" + std::string(name) +
                        "' in this mesh. Declared are: " + known + ".");
}

}  // namespace

Mesh::Mesh(MeshPart part, LayoutMode mode) : part_(std::move(part)), mode_(mode) {}
Mesh::~Mesh() = default;
Mesh::Mesh(Mesh&&) noexcept = default;
Mesh& Mesh::operator=(Mesh&&) noexcept = default;

void Mesh::require_own(const SetPart& set, std::string_view subset) const {
    const auto is_set = [&](const SetPart& own) { return &own == &set; };
    const bool is_own = std::any_of(part_.sets.begin(), part_.sets.end(), is_set) ||
                        std::any_of(subsets_.begin(), subsets_.end(),
                                    [&](const auto& own) { return is_set(own->set()); });
    validate<ContractError>(is_own,
                            "subset '" + std::string(subset) + "' cannot be made in this mesh (" +
                                (part_.sets.empty() ? "it was moved from, its sets went along"
                                                    : "set '" + set.name + "' is of another one") +
                                "). Make it in the mesh that has the set.");
}

std::size_t Mesh::find_set(std::string_view name) const {
    return find_by_name(part_, part_.sets, name, "set");
}

std::size_t Mesh::find_map(std::string_view name, int arity) const {
    const std::size_t i = find_by_name(part_, part_.maps, name, "map");
    validate<ContractError>(part_.maps[i].arity == arity,
                            "map '" + part_.maps[i].name + "' has arity " +
                                std::to_string(part_.maps[i].arity) + ", not " +
                                std::to_string(arity) + " as asked for.");
    return i;
}

std::size_t Mesh::find_dat(std::string_view name, int dim, ElementType type) const {
    const std::size_t i = find_by_name(part_, part_.dats, name, "dat");
    validate<ContractError>(part_.dats[i].type == type, "dat '" + part_.dats[i].name +
                                                            "' was declared with values of type " +
                                                            name_of(part_.dats[i].type) + ", not " +
                                                            name_of(type) + " as asked for.");
    validate<ContractError>(part_.dats[i].dim == dim,
                            "dat '" + part_.dats[i].name + "' has dimension " +
                                std::to_string(part_.dats[i].dim) + ", not " + std::to_string(dim) +
                                " as asked for.");
    const bool available = part_.dats[i].values.size() > 0 ||
                           part_.sets[static_cast<std::size_t>(part_.dats[i].set)].total == 0;
    validate<ContractError>(available, "dat '" + part_.dats[i].name + "' was taken before.");
    return i;
}

std::int32_t Mesh::count_present(const MapPart& map, const SetPart& from, const SetPart& to,
                                 LocalIndex element) {
    if (element >= from.exec) {
        return 0;
    }
    const LocalIndex* row = map.targets.data() + std::int64_t{element} * map.arity;
    return static_cast<std::int32_t>(
        std::count_if(row, row + map.arity, [&](LocalIndex target) { return target < to.total; }));
}

void Mesh::release_map(std::string_view name) {
    MapPart& map = part_.maps[find_by_name(part_, part_.maps, name, "map")];
    map.targets.release();
    map.rows_released = true;
}

void Mesh::release_ids(std::string_view set) {
    SetPart& part = part_.sets[find_set(set)];
    part.global_ids = {};
    part.ids_released = true;
}

}  // namespace halocline
