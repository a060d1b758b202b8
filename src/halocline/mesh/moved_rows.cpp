// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/mesh/moved_rows.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace halocline {

namespace {

/// Where the values of a block of eight elements lie, from the block's beginning on.
struct BlockPlaces {
    Layout layout;
    int dim;
    std::int64_t step;                 ///< values from one block to the next
    std::vector<std::int64_t> places;  ///< element by element

    BlockPlaces(const Layout& of, int components)
        : layout(of), dim(components), step(of.offset(simd_lanes, 0)) {
        for (LocalIndex i = 0; i < simd_lanes; ++i) {
            for (int d = 0; d < dim; ++d) {
                places.push_back(layout.offset(i, d));
            }
        }
    }
};

/// Blocks move closer together from the first one on and apart from the last one on, so that none is
/// overwritten before it moved; lanes and their rows take the same memory. What lies between rows and
/// behind the last lanes becomes zeros.
template <class T>
void move_blocks(T* values, LocalIndex rows, const BlockPlaces& from, const BlockPlaces& to) {
    std::vector<T> block(from.places.size());
    const LocalIndex blocks = (rows + simd_lanes - 1) / simd_lanes;
    for (LocalIndex k = 0; k < blocks; ++k) {
        const LocalIndex b = to.step <= from.step ? k : blocks - 1 - k;
        const LocalIndex elements = std::min<LocalIndex>(simd_lanes, rows - b * simd_lanes);
        const auto count = static_cast<std::size_t>(elements * from.dim);
        const T* const old = values + b * from.step;
        for (std::size_t v = 0; v < count; ++v) {
            block[v] = old[from.places[v]];
        }
        T* const now = values + b * to.step;
        std::fill_n(now, to.layout.size(elements, to.dim), T{});
        for (std::size_t v = 0; v < count; ++v) {
            now[to.places[v]] = block[v];
        }
    }
}

void move(DatStore& store, const Layout& to) {
    const Layout from = std::exchange(store.layout, to);
    if (store.values.empty()) {
        return;
    }
    visit_element_type(store.type, [&]<class T>(T) {
        move_blocks(reinterpret_cast<T*>(store.values.data()), store.set->rows(),
                    BlockPlaces(from, store.dim), BlockPlaces(to, store.dim));
    });
}

}  // namespace

bool asks_for_more_than_rows(const DatStore& store) {
    const Layout& asked = store.asked_layout();
    return asked.block == 1 ? asked.block_stride != store.dim : store.dim > 1;
}

void move_to_rows(DatStore& store) {
    if (!store.moved.asked && asks_for_more_than_rows(store)) {
        store.moved.asked = store.layout;
        move(store, Layout::rows(store.dim));
        store.derived_valid = false;
    }
}

void move_back(DatStore& store) {
    if (store.moved.asked) {
        move(store, *std::exchange(store.moved.asked, std::nullopt));
    }
}

}  // namespace halocline
