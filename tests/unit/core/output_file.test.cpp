// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A file is replaced whole or not at all, and nothing else is touched.
#include "halocline/core/output_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "halocline/core/error.hpp"
#include "halocline/core/output_names.hpp"
#include "halocline/core/process_identity.hpp"
#include "support/error_of.hpp"
#include "support/file_size_limit.hpp"

namespace halocline {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using testing::error_of;
using testing::FileSizeLimit;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Output : public ::testing::Test {
protected:
    Output() {
        std::string made = ::testing::TempDir() + "halocline-output-XXXXXX";
        folder = ::mkdtemp(made.data());
    }
    ~Output() override { fs::remove_all(folder); }

    [[nodiscard]] std::string at(const std::string& name) const { return folder + "/" + name; }

    [[nodiscard]] std::string text(const std::string& name) const {
        std::ifstream file(at(name));
        return {std::istreambuf_iterator<char>(file), {}};
    }

    void store(const std::string& name, const std::string& content) const {
        std::ofstream(at(name)) << content;
    }

    [[nodiscard]] std::set<std::string> names() const {
        std::set<std::string> found;
        for (const auto& entry : fs::directory_iterator(folder)) {
            found.insert(entry.path().filename());
        }
        return found;
    }

    std::string folder;
};

/// A process number that is nobody's now.
pid_t dead_process() {
    const pid_t child = ::fork();
    if (child == 0) {
        ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
    return child;
}

std::string partial(const std::string& machine, pid_t pid) {
    return ".a.h5." + machine + "-" + std::to_string(pid) + "-0123456789abcdef.partial";
}

TEST_F(Output, File_HasItsNameOnlyWhenItIsPublished) {
    store("a", "older");
    {
        OutputFile file = OutputFile::create(at("a"));
        file.write("new");
        EXPECT_EQ(text("a"), "older");
        file.publish();
    }
    EXPECT_EQ(text("a"), "new");
    EXPECT_EQ(names(), std::set<std::string>{"a"});
}

TEST_F(Output, FileThatIsNotPublished_LeavesNothing) {
    { OutputFile::create(at("a")).write("half"); }
    EXPECT_TRUE(names().empty());
}

TEST_F(Output, TwoWritersOfOneName_DoNotShareAFile) {
    OutputFile first = OutputFile::create(at("a"));
    OutputFile second = OutputFile::create(at("a"));
    EXPECT_NE(first.temporary_path(), second.temporary_path());
    first.write("the first");
    second.write("2");
    first.publish();
    EXPECT_EQ(text("a"), "the first");
    second.publish();
    EXPECT_EQ(text("a"), "2");
}

TEST_F(Output, LinkAtTheFinalName_StaysAndItsTargetIsReplaced) {
    fs::create_directory(at("scratch"));
    store("scratch/real", "older");
    fs::create_symlink("scratch/real", at("a"));
    fs::create_symlink("scratch/not-there-yet", at("b"));
    replace_file(at("a"), "new");
    replace_file(at("b"), "made");
    EXPECT_TRUE(fs::is_symlink(at("a")));
    EXPECT_EQ(text("scratch/real"), "new");
    EXPECT_EQ(text("scratch/not-there-yet"), "made");
}

TEST_F(Output, WhatIsNoRegularFile_IsRefusedAndStays) {
    fs::create_directory(at("folder"));
    ::mkfifo(at("pipe").c_str(), 0600);
    fs::create_symlink("loop", at("loop"));
    for (const char* name : {"folder", "pipe", "loop", "no/such/folder", "", "folder/"}) {
        EXPECT_THAT(error_of([&] { replace_file(at(name), "x"); }),
                    AllOf(StartsWith("5: "), HasSubstr(at(name))));
        EXPECT_THAT(error_of([&] { append_line(at(name), "head\n", "line\n"); }),
                    AllOf(StartsWith("5: "), HasSubstr(at(name))));
    }
    EXPECT_THAT(error_of([&] { replace_file(at(std::string("a\0b", 3)), "x"); }),
                HasSubstr("not a file name"));
    EXPECT_TRUE(fs::is_fifo(at("pipe")));
    EXPECT_EQ(names(), (std::set<std::string>{"folder", "pipe", "loop"}));
}

TEST_F(Output, Devices_TakeTextAsItComes) {
    replace_file("/dev/null", "x");
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    EXPECT_THAT(error_of([] { replace_file("/dev/full", "x"); }),
                AllOf(StartsWith("5: "), HasSubstr("No space left"), HasSubstr("free space")));
    EXPECT_THAT(error_of([] { (void)OutputFile::create("/dev/null"); }), StartsWith("5: "));
}

TEST_F(Output, FullDisk_KeepsTheOlderFile) {
    store("a", "older");
    {
        const FileSizeLimit limit(10);
        EXPECT_THAT(error_of([&] { replace_file(at("a"), std::string(100, 'x')); }),
                    AllOf(StartsWith("5: "), HasSubstr(at("a")), HasSubstr("Make free space")));
    }
    EXPECT_EQ(text("a"), "older");
    EXPECT_EQ(names(), std::set<std::string>{"a"});
}

TEST_F(Output, PermissionsOfTheOlderFile_Stay) {
    store("a", "older");
    ::chmod(at("a").c_str(), 0640);
    replace_file(at("a"), "new");
    EXPECT_EQ(fs::status(at("a")).permissions(), fs::perms(0640));
}

TEST_F(Output, LongNames_AreWritten) {
    const std::string name(255, 'n');
    replace_file(at(name), "x");
    EXPECT_EQ(text(name), "x");
}

TEST_F(Output, AppendedLines_ArriveWholeOrNotAtAll) {
    append_line(at("table"), "head\n", "one\n");
    {
        const FileSizeLimit limit(11);
        EXPECT_THAT(error_of([&] { append_line(at("table"), "head\n", "a longer line\n"); }),
                    StartsWith("5: "));
    }
    append_line(at("table"), "head\n", "two\n");
    EXPECT_EQ(text("table"), "head\none\ntwo\n");
}

TEST_F(Output, LeftOversOfTheDead_AreRemovedAndThoseOfTheLivingStay) {
    const std::string here = this_process().machine;
    const std::string elsewhere = "0000000000000000";
    const std::string dead = partial(here, dead_process());
    const std::string mine = partial(here, ::getpid());
    const std::string old = partial(elsewhere, 7);
    const std::string recent = partial(elsewhere, 8);
    for (const std::string& name : {dead, mine, old, recent}) {
        store(name, "half");
    }
    fs::last_write_time(at(old), fs::file_time_type::clock::now() - std::chrono::hours(24 * 8));
    store(".a.h5.partial", "not ours");
    remove_left_overs(folder);
    EXPECT_EQ(names(), (std::set<std::string>{mine, recent, ".a.h5.partial"}));
}

TEST_F(Output, Processes_AreKnownByMachineNumberAndStart) {
    ProcessIdentity self = this_process();
    EXPECT_EQ(life_of(self), Life::alive);
    ++self.start;  // a process that had this number before
    EXPECT_EQ(life_of(self), Life::dead);
    self = this_process();
    self.pid = dead_process();
    EXPECT_EQ(life_of(self), Life::dead);
    self.machine = "0000000000000000";
    EXPECT_EQ(life_of(self), Life::unknown);
}

}  // namespace
}  // namespace halocline
