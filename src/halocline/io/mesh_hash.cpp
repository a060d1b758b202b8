// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Sums, modulo 2^64, a mixture of every value with its global position: order does not matter.
#include "halocline/io/mesh_hash.hpp"

#include <cstdint>
#include <span>

#include "halocline/io/mixture.hpp"

namespace halocline {

namespace {

std::uint64_t name_salt(const std::string& name) {
    std::uint64_t salt = golden_gamma;
    for (const char c : name) {
        salt = mixed(salt + static_cast<unsigned char>(c));
    }
    return salt;
}

template <class T>
std::uint64_t sum_of_mixtures(std::span<const T> values, std::uint64_t first, std::uint64_t salt) {
    static_assert(sizeof(T) == sizeof(std::uint64_t));
    return halocline::sum_of_mixtures(std::as_bytes(values), first, salt);
}

std::uint64_t first_value(const Communicator& comm, GlobalIndex rows, int columns) {
    return static_cast<std::uint64_t>(block_range(rows, comm.rank(), comm.size()).begin * columns);
}

}  // namespace

void MeshHash::add(const Communicator& comm, const MeshDeclaration& mesh) {
    for (const MapDeclaration& map : mesh.maps) {
        const GlobalIndex rows = mesh.sets[static_cast<std::size_t>(map.from)].size;
        sum_ += sum_of_mixtures(std::span<const GlobalIndex>(map.targets),
                                first_value(comm, rows, map.arity), name_salt(map.name));
    }
    for (const DatDeclaration& dat : mesh.dats) {
        const GlobalIndex rows = mesh.sets[static_cast<std::size_t>(dat.set)].size;
        add_dat(comm, dat.name, rows, dat.dim, dat.doubles());
    }
}

void MeshHash::add_dat(const Communicator& comm, const std::string& name, GlobalIndex rows, int dim,
                       std::span<const double> block) {
    sum_ += sum_of_mixtures(block, first_value(comm, rows, dim), name_salt(name));
}

std::string MeshHash::text(const Communicator& comm) const {
    const auto total = static_cast<std::uint64_t>(comm.sum(static_cast<std::int64_t>(sum_)));
    return hex_text(total);
}

}  // namespace halocline
