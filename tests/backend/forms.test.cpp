// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Device forms by name: what nvcc calls otherwise than g++, and why there is none.
#include "halocline/backend/device/launch/forms.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace halocline::device {
namespace {

using ::testing::HasSubstr;

TEST(Forms, NamesOfUnnamedNamespacesAreThoseOfTheProgramsCompiler) {
    const char* const probe =
        "N9halocline6device35_GLOBAL__N__d315be6d_7_bair_cu_main12UnnamedProbeE";
    // A name that ends in a digit stands before the namespace's own number of letters.
    EXPECT_EQ(portable_name("8ChainKeyIN4mesh235_GLOBAL__N__d315be6d_7_bair_cu_main4CellEJ"
                            "N35_GLOBAL__N__d315be6d_7_bair_cu_main4EdgeEEE",
                            probe),
              "8ChainKeyIN4mesh212_GLOBAL__N_14CellEJN12_GLOBAL__N_14EdgeEEE");
    EXPECT_EQ(portable_name("8ChainKeyI4CellJ4EdgeEE", probe), "8ChainKeyI4CellJ4EdgeEE");
}

TEST(Forms, NamesThatAreCommonStay) {
    const char* const probe = "N9halocline6device12_GLOBAL__N_112UnnamedProbeE";
    EXPECT_EQ(portable_name("N12_GLOBAL__N_14CellE", probe), "N12_GLOBAL__N_14CellE");
}

bool run_nothing(Context&, const LoopName&, const SetPart*, const void*) { return true; }

TEST(Forms, AreFoundBySourceAndName) {
    EXPECT_EQ(find_form({"forms/a.cpp", "loop"}), nullptr);
    add_form({"forms/a.cpp", "loop"}, {&run_nothing, true});
    ASSERT_NE(find_form({"forms/a.cpp", "loop"}), nullptr);
    EXPECT_TRUE(find_form({"forms/a.cpp", "loop"})->on_gpu);
    EXPECT_EQ(find_form({"forms/b.cpp", "loop"}), nullptr);
}

TEST(Forms, WhyThereIsNoneIsSaid) {
    add_form({"forms/emulated.cpp", "loop"}, {&run_nothing, false});
    EXPECT_THAT(explain_missing_form("forms/none.cpp", true), HasSubstr("halocline_add_program"));
    EXPECT_THAT(explain_missing_form("forms/emulated.cpp", true), HasSubstr("HALOCLINE_CUDA=ON"));
    EXPECT_THAT(explain_missing_form("forms/emulated.cpp", false), HasSubstr("arguments"));
}

TEST(Forms, LoopsThatNoDeviceRunsShowThatTheirFileWasCompiled) {
    add_form({"forms/host.cpp", "loop"}, {nullptr, true});
    EXPECT_EQ(find_form({"forms/host.cpp", "loop"}), nullptr);
    EXPECT_THAT(explain_missing_form("forms/host.cpp", true), HasSubstr("arguments"));
}

}  // namespace
}  // namespace halocline::device
