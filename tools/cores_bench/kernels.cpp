// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "kernels.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "halocline/core/error.hpp"

namespace halocline::cores {

namespace {

/// Doubles in flight: enough for two units of four cycles and 512 bits; they fit into registers.
constexpr std::size_t lanes = 64;
constexpr std::size_t few_lanes = lanes / 4;  ///< the divider takes its time
constexpr std::size_t rounds = 1024;
/// Elements of an array in a piece of the triad; a set of three pieces is the least.
constexpr std::size_t triad_piece = 2048;
constexpr std::size_t line = 8;  ///< doubles
constexpr std::size_t gather_piece = 512;
constexpr std::size_t streams = 8;

/// Keeps the compiler from dropping what nobody reads.
void keep(const void* memory) { asm volatile("" : : "r"(memory) : "memory"); }

}  // namespace

std::string name_of(Kind kind) {
    switch (kind) {
        case Kind::multiply_add:
            return "multiply_add";
        case Kind::divide:
            return "divide";
        case Kind::triad:
            return "triad";
        case Kind::gather:
            return "gather";
    }
    return "";
}

bool uses_memory(Kind kind) { return kind == Kind::triad || kind == Kind::gather; }

Work::Work(Kind kind, std::span<double> set) : kind_(kind), set_(set) {
    validate<ContractError>(!uses_memory(kind) || set.size() >= 3 * triad_piece,
                            "a set of memory is smaller than one piece of work.");
}

double Work::piece() {
    switch (kind_) {
        case Kind::multiply_add:
            return multiply_add();
        case Kind::divide:
            return divide();
        case Kind::triad:
            return triad();
        case Kind::gather:
            return gather();
    }
    return 0.0;
}

std::size_t Work::pieces_of_pass() const {
    switch (kind_) {
        case Kind::triad:
            return set_.size() / (3 * triad_piece);
        case Kind::gather:
            return 2 * set_.size() / (line * gather_piece) + 1;
        default:
            return 1;
    }
}

double Work::multiply_add() {
    std::array<double, lanes> values;
    values.fill(0.5);
    for (std::size_t round = 0; round < rounds; ++round) {
#pragma omp simd
        for (std::size_t k = 0; k < lanes; ++k) {
            values[k] = values[k] * 0.75 + 0.25;  // tends to 1
        }
    }
    keep(values.data());
    return static_cast<double>(lanes * rounds);
}

double Work::divide() {
    std::array<double, few_lanes> values;
    values.fill(0.5);
    for (std::size_t round = 0; round < rounds; ++round) {
#pragma omp simd
        for (std::size_t k = 0; k < few_lanes; ++k) {
            values[k] = std::sqrt(values[k] + 1.0) / (values[k] + 0.5);
        }
    }
    keep(values.data());
    return static_cast<double>(2 * few_lanes * rounds);
}

double Work::triad() {
    const std::size_t pieces = pieces_of_pass();
    double* const a = set_.data() + place_ * triad_piece;
    const double* const b = a + pieces * triad_piece;
    const double* const c = b + pieces * triad_piece;
#pragma omp simd
    for (std::size_t i = 0; i < triad_piece; ++i) {
        a[i] = b[i] + 3.0 * c[i];
    }
    keep(a);
    place_ = place_ + 1 < pieces ? place_ + 1 : 0;
    return 24.0 * triad_piece;
}

double Work::gather() {
    // Places are the top bits of a linear congruential sequence (D. E. Knuth, The Art of Computer
    // Programming 2, 3.3.4, table 1, line 26): known early, so that many reads are on their way.
    const std::size_t mask = std::bit_floor(set_.size() / line) - 1;
    std::array<double, streams> sums{};
    for (std::size_t k = 0; k < gather_piece; k += streams) {
        for (std::size_t s = 0; s < streams; ++s) {
            random_ = random_ * 6364136223846793005ULL + 1442695040888963407ULL;
            sums[s] += set_[((random_ >> 32) & mask) * line];
        }
    }
    keep(sums.data());
    return static_cast<double>(gather_piece);
}

}  // namespace halocline::cores
