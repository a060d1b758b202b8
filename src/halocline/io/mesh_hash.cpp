// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Sums, modulo 2^64, a mixture of every value with its global position: order does not matter.
#include "halocline/io/mesh_hash.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <span>

namespace halocline {

namespace {

// Finaliser and increment of SplitMix64: Steele, Lea, Flood 2014, doi:10.1145/2660193.2660195.
constexpr std::uint64_t golden_gamma = 0x9E3779B97F4A7C15U;

std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
    value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
    return value ^ (value >> 31U);
}

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
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint64_t position = salt + (first + i) * golden_gamma;
        sum += mixed(std::bit_cast<std::uint64_t>(values[i]) ^ position) * (position | 1U);
    }
    return sum;
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
    const auto total = static_cast<unsigned long long>(comm.sum(static_cast<std::int64_t>(sum_)));
    std::array<char, 17> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx", total);
    return digits.data();
}

}  // namespace halocline
