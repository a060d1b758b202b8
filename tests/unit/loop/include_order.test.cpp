// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Mathematics first: its namespace has a `detail` of its own, which packs must not take for theirs.
// clang-format off
#include "halocline/math/functions.hpp"
#include "halocline/loop/rows.hpp"
// clang-format on

#include <gtest/gtest.h>

namespace halocline {
namespace {

TEST(IncludeOrder, DoesNotMatterToPacks) {
    EXPECT_EQ(sqrt(Pack(9.0))[0], 3.0);
    EXPECT_EQ(multiply_add(Pack(2.0), Pack(3.0), Pack(4.0))[0], 10.0);
    EXPECT_EQ(to_real(IntegerPack(-7))[0], -7.0);
}

}  // namespace
}  // namespace halocline
