// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/mesh/moved_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace halocline {

namespace {

// Values are moved under a type that is not theirs, never computed with.
using FourBytes [[gnu::may_alias]] = std::uint32_t;
using EightBytes [[gnu::may_alias]] = std::uint64_t;

enum class Way { to_rows, back };

/// What is moved: `rows` rows of `dim` values that lie, or will lie, in `asked`.
struct Move {
    Way way;
    Layout asked;
    int dim;
    std::int64_t rows;
};

/// Blocks of lanes and the rows of their elements take the same memory. Lanes behind the last row become
/// zeros.
template <class Word, int known_dim>
void move_lanes(const Move& move, Word* values) {
    const int dim = known_dim > 0 ? known_dim : move.dim;
    Buffer<std::remove_cvref_t<Word>> block(static_cast<std::size_t>(simd_lanes * dim));
    for (std::int64_t first = 0; first < move.rows; first += simd_lanes) {
        Word* const own = values + first * dim;
        const std::int64_t present = std::min<std::int64_t>(simd_lanes, move.rows - first);
        const int lanes = move.way == Way::to_rows ? simd_lanes : static_cast<int>(present);
        std::copy_n(own, lanes * dim, block.data());
        for (int lane = 0; lane < lanes; ++lane) {
            for (int d = 0; d < dim; ++d) {
                const int in_lanes = d * simd_lanes + lane;
                const int in_rows = lane * dim + d;
                if (move.way == Way::to_rows) {
                    own[in_rows] = block[static_cast<std::size_t>(in_lanes)];
                } else {
                    own[in_lanes] = block[static_cast<std::size_t>(in_rows)];
                }
            }
        }
        for (int lane = lanes; lane < simd_lanes; ++lane) {
            for (int d = 0; d < dim; ++d) {
                own[d * simd_lanes + lane] = Word{0};
            }
        }
    }
}

/// Rows move closer together from the first on, and apart from the last on. What lies between them
/// becomes zeros.
template <class Word, int known_dim>
void move_wide_rows(const Move& move, Word* values) {
    const int dim = known_dim > 0 ? known_dim : move.dim;
    const std::int64_t stride = move.asked.block_stride;
    if (move.way == Way::to_rows) {
        for (std::int64_t i = 1; i < move.rows; ++i) {
            for (int d = 0; d < dim; ++d) {
                values[i * dim + d] = values[i * stride + d];
            }
        }
        return;
    }
    for (std::int64_t i = move.rows - 1; i >= 0; --i) {
        for (int d = dim - 1; d >= 0; --d) {
            values[i * stride + d] = values[i * dim + d];
        }
        std::fill(values + i * stride + dim, values + (i + 1) * stride, Word{0});
    }
}

template <class Word, int known_dim>
void move_values(const Move& move, Word* values) {
    if (move.asked.block > 1) {
        move_lanes<Word, known_dim>(move, values);
    } else {
        move_wide_rows<Word, known_dim>(move, values);
    }
}

/// Loops over the components of a row cost less where the compiler knows how many there are.
template <class Word>
void move_values(const Move& move, Word* values) {
    switch (move.dim) {
        case 2:
            return move_values<Word, 2>(move, values);
        case 3:
            return move_values<Word, 3>(move, values);
        case 5:
            return move_values<Word, 5>(move, values);
        default:
            return move_values<Word, 0>(move, values);
    }
}

void move(DatStore& store, Way way, const Layout& asked) {
    const Move work{way, asked, store.dim, store.set->rows()};
    if (bytes_of(store.type) == 4) {
        move_values(work, reinterpret_cast<FourBytes*>(store.values.data()));
    } else {
        move_values(work, reinterpret_cast<EightBytes*>(store.values.data()));
    }
}

}  // namespace

bool asks_for_more_than_rows(const DatStore& store) {
    const Layout& asked = store.asked_layout ? *store.asked_layout : store.layout;
    const int step = asked.block == 1 ? asked.block_stride : store.dim > 1 ? 0 : 1;
    return step != store.dim;
}

std::size_t bytes_to_move(const DatStore& store) {
    const Layout& asked = store.asked_layout ? *store.asked_layout : store.layout;
    return bytes_of(store.type) *
           static_cast<std::size_t>(asked.size(store.set->rows(), store.dim));
}

void move_to_rows(DatStore& store) {
    if (store.asked_layout || !asks_for_more_than_rows(store)) {
        return;
    }
    store.asked_layout = std::exchange(store.layout, Layout::rows(store.dim));
    if (!store.values.empty()) {
        move(store, Way::to_rows, *store.asked_layout);
    }
    store.derived_valid = false;
}

void move_back(DatStore& store) {
    if (!store.asked_layout) {
        return;
    }
    store.layout = *std::exchange(store.asked_layout, std::nullopt);
    if (!store.values.empty()) {
        move(store, Way::back, store.layout);
    }
}

}  // namespace halocline
