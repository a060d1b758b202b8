// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Checks what a program declares before anything is distributed.
#include "halocline/mesh/declaration.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "halocline/core/error.hpp"

namespace halocline {

namespace {

template <class Items>
void require_new_name(const Items& items, std::string_view name, const char* kind) {
    const bool taken = std::any_of(items.begin(), items.end(),
                                   [&](const auto& item) { return item.name == name; });
    validate<ContractError>(!taken, std::string(kind) + " '" + std::string(name) +
                                        "' is declared twice (names identify data). Rename one.");
}

}  // namespace

std::vector<double>& DatDeclaration::doubles() {
    return const_cast<std::vector<double>&>(std::as_const(*this).doubles());
}

const std::vector<double>& DatDeclaration::doubles() const {
    const auto* found = std::get_if<std::vector<double>>(&values);
    validate<ContractError>(found != nullptr, "dat '" + name +
                                                  "' was not declared with values of type double, "
                                                  "as asked for.");
    return *found;
}

std::size_t DatDeclaration::count() const {
    return std::visit([](const auto& some) { return some.size(); }, values);
}

std::size_t DatDeclaration::size_bytes() const {
    return std::visit([](const auto& some) { return some.size() * sizeof(some[0]); }, values);
}

DatValues DatDeclaration::take_values(std::size_t count) {
    if (deferred != nullptr) {
        values = std::exchange(deferred, nullptr)->read();
    }
    validate<ContractError>(this->count() == count,
                            "reading dat '" + name + "' brought " + std::to_string(this->count()) +
                                " values where this rank's block needs " + std::to_string(count) +
                                ". Read the whole block.");
    return std::exchange(values, {});
}

MeshDeclaration::MeshDeclaration() = default;
MeshDeclaration::~MeshDeclaration() = default;
MeshDeclaration::MeshDeclaration(const MeshDeclaration&) = default;
MeshDeclaration& MeshDeclaration::operator=(const MeshDeclaration&) = default;
MeshDeclaration::MeshDeclaration(MeshDeclaration&&) noexcept = default;
MeshDeclaration& MeshDeclaration::operator=(MeshDeclaration&&) noexcept = default;

int MeshDeclaration::add_set(std::string_view name, GlobalIndex size) {
    require_new_name(sets, name, "set");
    validate<ContractError>(size >= 0, "set '" + std::string(name) + "' has a negative size.");
    sets.push_back({std::string(name), size});
    return static_cast<int>(sets.size()) - 1;
}

int MeshDeclaration::add_replicated_set(std::string_view name, GlobalIndex size) {
    const int set = add_set(name, size);
    sets.back().is_replicated = true;
    return set;
}

int MeshDeclaration::add_map(std::string_view name, int from, int to, int arity,
                             std::vector<GlobalIndex> targets) {
    require_new_name(maps, name, "map");
    maps.push_back({std::string(name), from, to, arity, std::move(targets)});
    return static_cast<int>(maps.size()) - 1;
}

int MeshDeclaration::add_optional_map(std::string_view name, int from, int to, int arity,
                                      std::vector<GlobalIndex> targets) {
    const int map = add_map(name, from, to, arity, std::move(targets));
    maps.back().may_be_absent = true;
    return map;
}

int MeshDeclaration::add_ragged_map(std::string_view name, int from, int to, int most,
                                    const std::vector<std::int64_t>& offsets,
                                    const std::vector<GlobalIndex>& targets) {
    validate<ContractError>(most > 0,
                            "the rows of map '" + std::string(name) + "' may have at most " +
                                std::to_string(most) +
                                " targets (this is the map's arity, which is at least 1). "
                                "Pass the length of the longest row of all ranks.");
    const bool fits = !offsets.empty() && offsets.front() == 0 &&
                      std::is_sorted(offsets.begin(), offsets.end()) &&
                      offsets.back() == static_cast<std::int64_t>(targets.size());
    validate<ContractError>(fits,
                            "the offsets of map '" + std::string(name) +
                                "' do not fit its targets (they begin with 0, never fall, and "
                                "end with the number of targets). Pass one more offset than "
                                "this rank's block has rows.");
    std::vector<GlobalIndex> rows((offsets.size() - 1) * static_cast<std::size_t>(most), absent);
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
        const std::int64_t length = offsets[i + 1] - offsets[i];
        validate<InputError>(length <= most, "row " + std::to_string(i) + " of a block of map '" +
                                                 std::string(name) + "' has " +
                                                 std::to_string(length) +
                                                 " targets, more than the " + std::to_string(most) +
                                                 " it was declared for. Declare it for more.");
        std::copy_n(targets.begin() + offsets[i], length,
                    rows.begin() + static_cast<std::ptrdiff_t>(i) * most);
    }
    return add_optional_map(name, from, to, most, std::move(rows));
}

template <Element T>
int MeshDeclaration::add_dat(std::string_view name, int set, int dim, std::vector<T> values) {
    return add_values(name, set, dim, std::move(values));
}
template int MeshDeclaration::add_dat(std::string_view, int, int, std::vector<double>);
template int MeshDeclaration::add_dat(std::string_view, int, int, std::vector<float>);
template int MeshDeclaration::add_dat(std::string_view, int, int, std::vector<std::int64_t>);
template int MeshDeclaration::add_dat(std::string_view, int, int, std::vector<std::int32_t>);

int MeshDeclaration::add_dat(std::string_view name, int set, int dim, std::vector<double> values) {
    return add_values(name, set, dim, std::move(values));
}

int MeshDeclaration::add_values(std::string_view name, int set, int dim, DatValues values) {
    require_new_name(dats, name, "dat");
    dats.push_back({std::string(name), set, dim, std::move(values), {}});
    return static_cast<int>(dats.size()) - 1;
}

int MeshDeclaration::add_coordinates(std::string_view name, int set, int dim,
                                     std::vector<double> values) {
    coordinates.push_back(add_dat(name, set, dim, std::move(values)));
    return coordinates.back();
}

int MeshDeclaration::add_deferred_dat(std::string_view name, int set, int dim,
                                      std::shared_ptr<DeferredValues> values) {
    require_new_name(dats, name, "dat");
    dats.push_back({std::string(name), set, dim, {}, std::move(values)});
    return static_cast<int>(dats.size()) - 1;
}

}  // namespace halocline
