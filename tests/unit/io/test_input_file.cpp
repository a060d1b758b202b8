// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// input.dat: what is accepted, and the sentence for everything else.
#include "halocline/io/input_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "halocline/core/error.hpp"

namespace halocline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const std::string good =
    "# a comment\n"
    "size = 5049\n"
    "num_levels = 2\n"
    "base_array_index = 0\n"
    "mesh_name = rotor37\n"
    "[levels]\n"
    "0 = fine.h5\n"
    "1 = coarse mesh.h5\n";

TEST(InputFile, GoodText_IsTakenApart) {
    const MgcfdInput input = parse_mgcfd_input(good, "input.dat");
    EXPECT_EQ(input.path, "input.dat");
    EXPECT_EQ(input.size, 5049);
    EXPECT_EQ(input.num_levels, 2);
    EXPECT_EQ(input.base_array_index, 0);
    EXPECT_EQ(input.mesh_name, "rotor37");
    EXPECT_THAT(input.level_files, ElementsAre("fine.h5", "coarse mesh.h5"));
    EXPECT_THAT(input.mg_mapping, IsEmpty());
}

TEST(InputFile, BaseIndex_IsOneUnlessGiven) {
    EXPECT_EQ(parse_mgcfd_input("size=1\nnum_levels=1\nmesh_name=m6wing\n[levels]\n0=a.h5", "i")
                  .base_array_index,
              1);
}

TEST(InputFile, LineEndsOfWindowsAndAByteOrderMark_AreNothingSpecial) {
    std::string text = "\xEF\xBB\xBF";
    for (const char c : good) {
        text += c == '\n' ? std::string("\r\n") : std::string(1, c);
    }
    EXPECT_THAT(parse_mgcfd_input(text, "i").level_files, ElementsAre("fine.h5", "coarse mesh.h5"));
}

TEST(InputFile, LevelsInAnyOrderAndKeysAfterThem_AreAccepted) {
    const MgcfdInput input = parse_mgcfd_input(
        "[levels]\n1 = b\n# between\n\n0 = a\nsize = -3\nnum_levels = +2\nmesh_name = fvcorr\n"
        "[mg_mapping]\n0 = m\n",
        "i");
    EXPECT_THAT(input.level_files, ElementsAre("a", "b"));
    EXPECT_THAT(input.mg_mapping, ElementsAre("m"));
    EXPECT_EQ(input.size, -3);
}

TEST(InputFile, DirectoryAndFile_AreJoined) {
    EXPECT_EQ(in_directory("", "a.h5"), "a.h5");
    EXPECT_EQ(in_directory("mesh", "a.h5"), "mesh/a.h5");
    EXPECT_EQ(in_directory("mesh/", "a.h5"), "mesh/a.h5");
    EXPECT_EQ(in_directory("mesh", "/data/a.h5"), "/data/a.h5");
}

struct Fault {
    const char* name;
    std::string text;
    std::vector<std::string> words;
};
void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

std::string with(const std::string& old_line, const std::string& new_line) {
    std::string text = good;
    const std::size_t at = text.find(old_line);
    return text.replace(at, old_line.size(), new_line);
}

class InputFault : public ::testing::TestWithParam<Fault> {};

TEST_P(InputFault, HasItsSentence) {
    try {
        (void)parse_mgcfd_input(GetParam().text, "dir/input.dat");
        FAIL() << "accepted";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), StartsWith("dir/input.dat"));
        for (const std::string& word : GetParam().words) {
            EXPECT_THAT(error.what(), HasSubstr(word));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, InputFault,
    ::testing::Values(
        Fault{"UnknownKey", with("size =", "sise ="), {":2:", "unknown key 'sise'", "'size'?"}},
        Fault{"UnknownKeyInSection",
              with("1 = coarse", "mesh_nam = coarse"),
              {":8:", "[levels]", "'mesh_nam'", "'mesh_name'?"}},
        Fault{"UnknownSection", with("[levels]", "[level]"), {":6:", "'[level]'", "'[levels]'?"}},
        Fault{"SectionTwice", good + "[levels]\n0 = a\n", {":9:", "twice", "line 6"}},
        Fault{"KeyTwice", with("base_array_index = 0", "size = 7"), {":4:", "'size'", "line 2"}},
        Fault{"IndexTwice", with("1 = coarse", "0 = coarse"), {":8:", "index 0", "line 7"}},
        Fault{"NoEquals", with("size = 5049", "size 5049"), {":2:", "'size 5049'"}},
        Fault{"NoValue", with("rotor37", ""), {":5:", "'mesh_name' has no value"}},
        Fault{"NoFile", with("0 = fine.h5", "0 ="), {":7:", "'0' has no value"}},
        Fault{"SizeMissing", with("size = 5049", ""), {"'size' is missing"}},
        Fault{"LevelsMissing", with("num_levels = 2", ""), {"'num_levels' is missing"}},
        Fault{"NameMissing", with("mesh_name = rotor37", ""), {"'mesh_name' is missing"}},
        Fault{"SectionMissing", good.substr(0, good.find("[levels]")), {"[levels] is missing"}},
        Fault{"SizeNoInteger", with("5049", "5e3"), {":2:", "'5e3'", "not an integer"}},
        Fault{"SizeTooLong", with("5049", "99999999999999999999"), {":2:", "not an integer"}},
        Fault{"LevelsZero", with("num_levels = 2", "num_levels = 0"), {":3:", "1 to 64"}},
        Fault{"LevelsHuge", with("num_levels = 2", "num_levels = 1000000"), {":3:", "1 to 64"}},
        Fault{"BaseTwo", with("base_array_index = 0", "base_array_index = 2"), {":4:", "0 or 1"}},
        Fault{"UnknownMesh", with("rotor37", "rotor73"), {":5:", "'rotor73'", "'rotor37'?"}},
        Fault{"FewerFiles", with("num_levels = 2", "num_levels = 3"), {":6:", "2 files", "3"}},
        Fault{"MoreFiles", with("num_levels = 2", "num_levels = 1"), {":6:", "2 files", "1"}},
        Fault{"Gap", with("1 = coarse", "2 = coarse"), {":6:", "no index 1"}},
        Fault{"FractionIndex", with("1 = coarse", "1.5 = coarse"), {":8:", "index = file"}},
        Fault{"MappingCount", good + "[mg_mapping]\n", {":9:", "[mg_mapping]", "0 files", "1"}},
        Fault{"ZeroByte", with("size", std::string("si\0ze", 5)), {"zero bytes"}},
        Fault{"Empty", "", {"'size' is missing"}}),
    [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace halocline
