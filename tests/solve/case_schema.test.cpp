// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Sections, keys, defaults and choices of the schema of case files.
#include "case_schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "halocline/core/error.hpp"

namespace halocline::solve {
namespace {

TEST(CaseSchema, KnowsSectionsKeysAndWhatMustBeGiven) {
    const SectionSchema make = SectionSchema::root().section("mesh").section("make");
    EXPECT_THAT(make.required(), testing::ElementsAre("shape"));
    EXPECT_EQ(make.about("levels")["default"], 4);
    EXPECT_THROW((void)make.about("level"), ContractError);
    EXPECT_THROW((void)make.section("nodes"), ContractError);
}

TEST(CaseSchema, ChoosesASectionByItsName) {
    const SectionSchema root = SectionSchema::root();
    EXPECT_TRUE(root.section("solver").has("cycles"));
    EXPECT_TRUE(root.section("solver", "mgcfd").has("legacy_mode"));
    const SectionSchema scalar = root.section("solver", "advection_diffusion");
    EXPECT_FALSE(scalar.has("cycles"));
    EXPECT_THAT(scalar.choices("flux"), testing::Contains("upwind"));
    EXPECT_THAT(scalar.choices("name"), testing::ElementsAre("advection_diffusion"));
    EXPECT_TRUE(
        root.section("solver", "no_such").has("cycles"));  // the first, which refuses the name
}

}  // namespace
}  // namespace halocline::solve
