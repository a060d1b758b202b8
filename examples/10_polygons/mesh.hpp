// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A wall of bricks of one, two and three units: polygons of four, six and eight corners.
#pragma once

#include <algorithm>
#include <cstdint>

#include "halocline/halocline.hpp"

inline constexpr int most_corners = 8;

/// Groups of edges: within the wall, and its bottom, top and ends.
enum Group : std::int32_t { inner, cold, warm, closed };

/// Whether a joint between two bricks of row `j`, or an end of the wall, is at `i`.
inline bool is_joint(long i, long j, long width) {
    return i == 0 || i == width || (i + j) % 6 == 0 || (i + j) % 6 == 1 || (i + j) % 6 == 3;
}

/// `rows` rows of bricks, `width` units long: cold at the bottom, warm at the top, closed at the ends.
inline halocline::MeshDeclaration declare_wall(const halocline::Runtime& runtime, long width,
                                               long rows) {
    using halocline::absent;
    std::vector<halocline::GlobalIndex> brick_at, corners, ends, sides;
    std::vector<std::int64_t> offsets{0};
    std::vector<std::int32_t> group;
    std::vector<double> x;
    const auto node = [&](long i, long j) { return j * (width + 1) + i; };
    for (long j = 0; j < rows; ++j) {
        for (long begin = 0; begin < width;) {
            long end = begin + 1;
            while (!is_joint(end, j, width)) {
                ++end;
            }
            brick_at.insert(brick_at.end(), std::size_t(end - begin), long(offsets.size()) - 1);
            for (long i = begin; i <= end; ++i) {
                corners.push_back(node(i, j));
            }
            for (long i = end; i >= begin; --i) {
                corners.push_back(node(i, j + 1));
            }
            offsets.push_back(long(corners.size()));
            begin = end;
        }
    }
    const auto brick = [&](long i, long j) {
        return i < 0 || i >= width || j < 0 || j >= rows ? absent
                                                         : brick_at[std::size_t(j * width + i)];
    };
    const auto add_edge = [&](long from, long to, long left, long right, Group if_outside) {
        ends.insert(ends.end(), {from, to});
        sides.insert(sides.end(), {std::max(left, right), std::min(left, right)});
        group.push_back(std::min(left, right) == absent ? if_outside : inner);
    };
    for (long j = 0; j <= rows; ++j) {
        for (long i = 0; i <= width; ++i) {
            x.insert(x.end(), {double(i), double(j)});
            if (i < width) {
                add_edge(node(i, j), node(i + 1, j), brick(i, j), brick(i, j - 1),
                         j == 0 ? cold : warm);
            }
            if (j < rows && is_joint(i, j, width)) {
                add_edge(node(i, j), node(i, j + 1), brick(i - 1, j), brick(i, j), closed);
            }
        }
    }
    halocline::MeshDeclaration mesh;
    const long count = long(offsets.size()) - 1;
    const int nodes = mesh.add_set("nodes", long(x.size() / 2));
    const int bricks = mesh.add_set("bricks", count);
    const int edges = mesh.add_set("edges", long(group.size()));
    // Each rank's rows, with offsets of its own.
    const halocline::BlockRange mine =
        halocline::block_range(count, runtime.comm().rank(), runtime.comm().size());
    const auto first = offsets.begin() + mine.begin;
    const auto last = offsets.begin() + mine.end;
    std::vector<halocline::GlobalIndex> my_corners(corners.begin() + *first,
                                                   corners.begin() + *last);
    std::vector<std::int64_t> my_offsets;
    std::transform(first, last + 1, std::back_inserter(my_offsets),
                   [&](std::int64_t offset) { return offset - *first; });
    mesh.add_ragged_map("corners", bricks, nodes, most_corners, my_offsets, my_corners);
    mesh.add_map("ends", edges, nodes, 2, runtime.block(ends, 2));
    mesh.add_optional_map("sides", edges, bricks, 2, runtime.block(sides, 2));
    mesh.add_dat("x", nodes, 2, runtime.block(x, 2));
    mesh.add_dat("group", edges, 1, runtime.block(group));
    return mesh;
}
