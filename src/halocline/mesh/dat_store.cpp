// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Memory of dats, and what is said where one is used that cannot be.
#include "halocline/mesh/dat_store.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "halocline/core/error.hpp"

namespace halocline {

DatStore::DatStore() = default;
DatStore::~DatStore() = default;

void DatStore::place_on(const SetPart& part, std::string_view name_) {
    name = name_;
    set = &part;
    set_alive = part.lifetime.watch();
}

void DatStore::require_set() const {
    if (set_alive.expired()) {
        throw ContractError(
            "dat '" + name +
            "' lives on a set of a mesh that is gone. Keep the mesh as long as its dats "
            "(it may move).");
    }
}

void DatStore::require_absent() const {
    validate<ContractError>(
        set->has_absent,
        "dat '" + name + "' cannot have a value for absent entries of maps to set '" + set->name +
            "' (all its maps were declared without such entries). "
            "Declare one with add_optional_map.");
}

void DatStore::report_plain_layout() const {
    throw ContractError("dat '" + name +
                        "' has the plain layout, the openmp back end works on the vector layout. "
                        "Create the mesh with its layout mode.");
}

void detail::report_no_mesh(const char* what, const char* how) {
    throw ContractError("a " + std::string(what) +
                        " was used that belongs to no mesh (it was made without one). Take it from "
                        "the mesh, by " +
                        how + ".");
}

void detail::report_mesh_gone(const char* what, const char* how) {
    const std::string handle = what;
    throw ContractError("a " + handle +
                        " was used whose mesh is gone (the mesh ended, or another one was assigned "
                        "to it). Keep the mesh as long as its " +
                        handle + "s, or take the " + handle + " from the mesh that is there, by " +
                        how + ".");
}

void DatStore::report_temporary() const {
    throw ContractError("dat '" + name +
                        "' has no values to read or to set (it is temporary: it exists within a "
                        "chain only). Use a dat of make_dat.");
}

namespace {

/// Keeps the place of values that nobody can bring back.
class EndedValues final : public DatFetcher {
public:
    void fetch(DatStore& store) override {
        throw ContractError("dat '" + store.name +
                            "' has no values any more (precompute_edges gave their memory back, "
                            "two-ended loops read a copy). Read and set them before that.");
    }
};

}  // namespace

void DatStore::fetch_from_device() {
    validate<ContractError>(!device.fetcher_alive.expired(),
                            "dat '" + name +
                                "' is read whose values were on a device that is closed (its "
                                "runtime is gone). Read it while the runtime is there.");
    device.fetcher->fetch(*this);
}

void DatStore::end_values() {
    static EndedValues ended;
    values.release();
    keeper = &ended;
}

void detail::require_usable(const DatStore* store) {
    if (store == nullptr) {
        throw ContractError(
            "a dat was used after it was moved from (its values went along). Use the dat that it "
            "was "
            "moved to.");
    }
    store->require_set();
}

void DatStore::allocate() {
    const auto count = static_cast<std::int64_t>(
        words_for(static_cast<std::size_t>(asked_layout().size(set->rows(), dim)), bytes_of(type)));
    values = Buffer<double>(static_cast<std::size_t>(count));
    double* data = values.data();
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < count; ++i) {
        data[i] = 0.0;  // of every type: all bits are zero
    }
}

namespace {

/// Throws ContractError for dats that one another's memory does not fit.
void require_swappable(const DatStore& a, const DatStore& b) {
    const bool same_set = a.set == b.set;
    if (same_set && a.mode == b.mode && a.temporary == b.temporary) {
        return;
    }
    throw ContractError("dats '" + a.name + "' and '" + b.name + "' cannot be swapped: they " +
                        (same_set
                             ? std::string("lie in memory in different ways")
                             : "live on different sets '" + a.set->name + "' and '" + b.set->name +
                                   "'" + (a.set->name == b.set->name ? ", of two meshes" : "")) +
                        ". Make both on the same set of one mesh.");
}

}  // namespace

void swap_contents(DatStore& a, DatStore& b) {
    require_swappable(a, b);
    a.recall();
    b.recall();
    std::swap(a.values, b.values);
    std::swap(a.layout, b.layout);
    std::swap(a.moved, b.moved);
    std::swap(a.device, b.device);
    std::swap(a.halo_valid, b.halo_valid);
    std::swap(a.derived_valid, b.derived_valid);
    std::swap(a.derived_demand, b.derived_demand);
    std::swap(a.absent_stated, b.absent_stated);
    ++a.version;
    ++b.version;
}

}  // namespace halocline
