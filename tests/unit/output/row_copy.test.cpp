// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rows of any layout, type and order become compact rows.
#include "halocline/output/row_copy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "halocline/memory/buffer.hpp"

namespace halocline::output {
namespace {

template <class T>
void expect_rows(int dim, const Layout& layout, ElementType type, int threads) {
    constexpr LocalIndex elements = 10007;
    Buffer<double> memory(static_cast<std::size_t>(layout.size(elements, dim)) + 64, 0.0);
    T* const values = reinterpret_cast<T*>(memory.data());
    for (LocalIndex i = 0; i < elements; ++i) {
        for (int d = 0; d < dim; ++d) {
            values[layout.offset(i, d)] = static_cast<T>(i * 32 + d);
        }
    }
    std::vector<LocalIndex> order(elements);
    std::generate(order.begin(), order.end(), [n = 0]() mutable { return n++; });
    std::shuffle(order.begin(), order.end(), std::mt19937(7));
    order.resize(9001);  // no whole number of tiles
    Buffer<std::byte> rows(order.size() * static_cast<std::size_t>(dim) * sizeof(T));
    copy_rows({memory.data(), dim, layout, type}, order, rows.data(), threads);
    const T* const copied = reinterpret_cast<const T*>(rows.data());
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (int d = 0; d < dim; ++d) {
            ASSERT_EQ(copied[i * static_cast<std::size_t>(dim) + static_cast<std::size_t>(d)],
                      static_cast<T>(order[i] * 32 + d))
                << "dim " << dim << ", row " << i;
        }
    }
}

TEST(RowCopy, EveryLayoutAndType_GivesCompactRows) {
    for (const int threads : {1, 3}) {
        for (const int dim : {1, 2, 3, 5, 16, 20}) {
            const Layout blocks = dim > 1 ? Layout::pairs(dim, 10008) : Layout::lanes(dim);
            for (const Layout& layout :
                 {Layout::rows(dim), Layout::rows(dim + 3), Layout::lanes(dim), blocks}) {
                expect_rows<double>(dim, layout, ElementType::float64, threads);
                expect_rows<std::int64_t>(dim, layout, ElementType::int64, threads);
            }
            expect_rows<float>(dim, Layout::rows(dim), ElementType::float32, threads);
            expect_rows<std::int32_t>(dim, Layout::rows(dim + 1), ElementType::int32, threads);
        }
    }
}

}  // namespace
}  // namespace halocline::output
