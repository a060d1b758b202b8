// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Keys by the transform of J. Skilling, Programming the Hilbert curve, AIP Conf. Proc. 707 (2004),
// doi:10.1063/1.1751381, without branches and on blocks of points, so that it vectorises.
#include "halocline/dist/partition/hilbert.hpp"

#include <algorithm>

namespace halocline::dist {

namespace {

constexpr int axis_bits = 21;  // three axes fill 63 bits
constexpr std::uint32_t last_cell = (1U << axis_bits) - 1;
/// Points transformed together: their cells stay in the first-level cache.
constexpr std::int64_t block_points = 256;

/// Cell numbers of a block of points, axis by axis.
template <int Axes>
struct CellBlock {
    alignas(64) std::uint32_t cell[Axes][block_points];
};

/// From a coordinate to its cell. Halves keep the extent finite for any two coordinates.
struct AxisScale {
    int component = 0;
    double half_low = 0.0;
    double cells_per_half = 0.0;
};

/// The axes along which the box has an extent.
struct CurveAxes {
    std::array<AxisScale, max_point_dim> axis;
    int count = 0;
};

CurveAxes curve_axes(const BoundingBox& box, int dim) {
    CurveAxes axes;
    for (int d = 0; d < dim; ++d) {
        const auto at = static_cast<std::size_t>(d);
        const double half_low = 0.5 * box.low[at];
        const double half_extent = 0.5 * box.high[at] - half_low;
        if (half_extent > 0.0) {
            axes.axis[static_cast<std::size_t>(axes.count++)] = {d, half_low,
                                                                 (last_cell + 1.0) / half_extent};
        }
    }
    return axes;
}

void find_cells(const double* points, int dim, const AxisScale& axis, std::int64_t count,
                std::uint32_t* cell) {
    const double* coordinate = points + axis.component;
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i) {
        const double t = (0.5 * coordinate[i * dim] - axis.half_low) * axis.cells_per_half;
        // Written so that NaN fails the first test; signed, because AVX2 converts no other.
        const double inside = t >= 0.0 ? t : 0.0;
        const double clamped = inside < last_cell ? inside : double{last_cell};
        cell[i] = static_cast<std::uint32_t>(static_cast<std::int32_t>(clamped));
    }
}

/// Undoes, from the coarsest bit to the finest, the turns and reflections of the curve's cells.
template <int Axes>
void undo_turns(CellBlock<Axes>& block) {
    for (int bit = axis_bits - 1; bit > 0; --bit) {
        const std::uint32_t below = (1U << bit) - 1;
#pragma omp simd
        for (std::int64_t i = 0; i < block_points; ++i) {
            std::uint32_t first = block.cell[0][i];
            first ^= below & (0U - ((first >> bit) & 1U));
            for (int a = 1; a < Axes; ++a) {
                const std::uint32_t value = block.cell[a][i];
                const std::uint32_t reflect = 0U - ((value >> bit) & 1U);
                const std::uint32_t exchange = (first ^ value) & below & ~reflect;
                first ^= exchange | (below & reflect);
                block.cell[a][i] = value ^ exchange;
            }
            block.cell[0][i] = first;
        }
    }
}

/// From Gray code, spread over the axes, to binary.
template <int Axes>
void decode_gray(CellBlock<Axes>& block) {
#pragma omp simd
    for (std::int64_t i = 0; i < block_points; ++i) {
        for (int a = 1; a < Axes; ++a) {
            block.cell[a][i] ^= block.cell[a - 1][i];
        }
        std::uint32_t parity = block.cell[Axes - 1][i];  // of each bit and all above it
        for (int shift = 1; shift < 32; shift *= 2) {
            parity ^= parity >> shift;
        }
        for (int a = 0; a < Axes; ++a) {
            block.cell[a][i] ^= parity >> 1;
        }
    }
}

/// Bit k of `value` at bit k * Stride.
template <int Stride>
std::uint64_t spread(std::uint64_t value) {
    if constexpr (Stride == 3) {
        value = (value | value << 32) & 0x001F00000000FFFFULL;
        value = (value | value << 16) & 0x001F0000FF0000FFULL;
        value = (value | value << 8) & 0x100F00F00F00F00FULL;
        value = (value | value << 4) & 0x10C30C30C30C30C3ULL;
        value = (value | value << 2) & 0x1249249249249249ULL;
    } else if constexpr (Stride == 2) {
        value = (value | value << 16) & 0x0000FFFF0000FFFFULL;
        value = (value | value << 8) & 0x00FF00FF00FF00FFULL;
        value = (value | value << 4) & 0x0F0F0F0F0F0F0F0FULL;
        value = (value | value << 2) & 0x3333333333333333ULL;
        value = (value | value << 1) & 0x5555555555555555ULL;
    }
    return value;
}

template <int Axes>
void write_keys(const CellBlock<Axes>& block, std::int64_t count, std::uint64_t* keys) {
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i) {
        std::uint64_t key = 0;
        for (int a = 0; a < Axes; ++a) {
            key |= spread<Axes>(block.cell[a][i]) << (Axes - 1 - a);
        }
        keys[i] = key;
    }
}

template <int Axes>
void fill_keys(std::span<const double> points, int dim, const CurveAxes& axes,
               Buffer<std::uint64_t>& keys) {
    const auto n = static_cast<std::int64_t>(keys.size());
    std::uint64_t* out = keys.data();
#pragma omp parallel for schedule(static) if (n > 65536)
    for (std::int64_t begin = 0; begin < n; begin += block_points) {
        const std::int64_t count = std::min(block_points, n - begin);
        CellBlock<Axes> block{};
        for (int a = 0; a < Axes; ++a) {
            find_cells(points.data() + begin * dim, dim, axes.axis[static_cast<std::size_t>(a)],
                       count, block.cell[a]);
        }
        undo_turns(block);
        decode_gray(block);
        write_keys(block, count, out + begin);
    }
}

}  // namespace

BoundingBox bounding_box(std::span<const double> points, int dim) {
    constexpr double largest = std::numeric_limits<double>::max();
    BoundingBox box;
    const auto width = static_cast<std::size_t>(dim);
    for (std::size_t d = 0; d < width; ++d) {
        double low = BoundingBox::none;
        double high = -BoundingBox::none;
        for (std::size_t i = d; i < points.size(); i += width) {
            const double x = points[i];  // NaN fails every comparison
            low = x < low && x >= -largest ? x : low;
            high = x > high && x <= largest ? x : high;
        }
        box.low[d] = low;
        box.high[d] = high;
    }
    return box;
}

BoundingBox united_box(const Communicator& comm, const BoundingBox& mine) {
    BoundingBox box;
    for (std::size_t d = 0; d < box.low.size(); ++d) {
        box.low[d] = comm.min(mine.low[d]);
        box.high[d] = comm.max(mine.high[d]);
    }
    return box;
}

Buffer<std::uint64_t> hilbert_keys(std::span<const double> points, int dim,
                                   const BoundingBox& box) {
    Buffer<std::uint64_t> keys(points.size() / static_cast<std::size_t>(dim));
    const CurveAxes axes = curve_axes(box, dim);
    switch (axes.count) {
        case 3:
            fill_keys<3>(points, dim, axes, keys);
            break;
        case 2:
            fill_keys<2>(points, dim, axes, keys);
            break;
        case 1:
            fill_keys<1>(points, dim, axes, keys);
            break;
        default:
            std::fill(keys.begin(), keys.end(), std::uint64_t{0});
            break;
    }
    return keys;
}

}  // namespace halocline::dist
