// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One run at a time writes files with a prefix, where the kernel locks files and where it does not.
#include "halocline/io/output_lock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>

#include "halocline/core/process_identity.hpp"
#include "mpi/io/shared_folder.hpp"

namespace {

bool kernel_locks = true;

}  // namespace

/// Stands for the library's: a file system without locks says ENOSYS.
extern "C" int flock(int file, int operation) {
    if (!kernel_locks) {
        errno = ENOSYS;
        return -1;
    }
    return static_cast<int>(::syscall(SYS_flock, file, operation));
}

namespace halocline {
namespace {

using ::testing::AllOf;
using testing::error_of;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::SharedFolder;
using ::testing::StartsWith;

class OutputLocks : public ::testing::TestWithParam<bool> {
protected:
    OutputLocks() { kernel_locks = GetParam(); }
    ~OutputLocks() override { kernel_locks = true; }

    [[nodiscard]] std::string refusal(const std::string& prefix) const {
        return error_of([&] { const OutputLock lock(comm, folder / prefix, {"b"}); });
    }

    /// What a killed run leaves: the file of a process that is no more.
    void leave_dead_owner(const std::string& prefix, std::int64_t pid) const {
        ProcessIdentity self = this_process();
        folder.on_root([&] {
            std::ofstream(output_lock_path(folder / prefix))
                << R"({"format":"halocline-lock","version":1,"host":"h","machine":")"
                << self.machine << R"(","pid":)" << pid
                << R"(,"start":0,"user":"anna","since":"2026-01-01T00:00:00Z"})";
        });
    }

    Communicator comm{MPI_COMM_WORLD};
    SharedFolder folder{comm};
};

TEST_P(OutputLocks, SecondRunWithThePrefix_IsRefusedNamingTheFirst) {
    const OutputLock first(comm, folder / "run1.", {"mgcfd", "-o", "run1."});
    const std::string pid = comm.broadcast(std::to_string(::getpid()));
    EXPECT_THAT(refusal("run1."),
                AllOf(StartsWith("4: another run writes files with the prefix"),
                      HasSubstr("process " + pid + " of "), HasSubstr("since 20"),
                      HasSubstr(".halocline.lock.run1."), HasSubstr("choose another prefix")));
    EXPECT_EQ(refusal("run2."), "");
    EXPECT_EQ(refusal("run1"), "");
    EXPECT_EQ(refusal(""), "");
}

TEST_P(OutputLocks, EndOfTheFirst_FreesThePrefixAndLeavesNothing) {
    { const OutputLock first(comm, folder / "", {"a"}); }
    EXPECT_EQ(refusal(""), "");
    folder.on_root([&] { EXPECT_TRUE(std::filesystem::is_empty(folder.path())); });
}

TEST_P(OutputLocks, SecondRunWithTheRecord_IsRefusedAndLeavesNothing) {
    const std::string record = folder / "shared.json";
    const OutputLock first(comm, folder / "run1.", {"a"}, record);
    EXPECT_THAT(
        error_of([&] { const OutputLock second(comm, folder / "run2.", {"b"}, record); }),
        AllOf(HasSubstr("another run writes the record '" + record + "'"), HasSubstr("--record")));
    const OutputLock third(comm, folder / "run2.", {"b"}, folder / "other.json");
}

TEST_P(OutputLocks, RecordThatIsNoRegularFile_NeedsNoLock) {
    const OutputLock first(comm, folder / "run1.", {"a"}, "/dev/null");
    const OutputLock second(comm, folder / "run2.", {"b"}, "/dev/null");
}

TEST_P(OutputLocks, RecordWithTheNameOfThePrefix_IsLockedOnce) {
    const OutputLock lock(comm, folder / "x", {"a"}, folder / "x");
}

TEST_P(OutputLocks, DeadOwner_IsTakenOver) {
    leave_dead_owner("a", 999999999);
    EXPECT_EQ(refusal("a"), "");
    folder.on_root([&] { EXPECT_TRUE(std::filesystem::is_empty(folder.path())); });
}

TEST_P(OutputLocks, RunInAnOddPlace_IsRefused) {
    EXPECT_THAT(refusal("no/run"), AllOf(StartsWith("4: "), HasSubstr("there is no folder")));
    EXPECT_THAT(refusal("a\nb"), AllOf(StartsWith("2: "), HasSubstr("control characters")));
    folder.on_root([&] {
        std::filesystem::create_symlink("elsewhere", output_lock_path(folder / "x"));
        std::filesystem::create_directory(output_lock_path(folder / "y"));
    });
    EXPECT_THAT(refusal("x"), StartsWith("4: "));
    EXPECT_THAT(refusal("y"), StartsWith("4: "));
    folder.on_root([&] { EXPECT_FALSE(std::filesystem::exists(folder / "elsewhere")); });
}

INSTANTIATE_TEST_SUITE_P(Files, OutputLocks, ::testing::Bool(), [](const auto& which) {
    return which.param ? "WithKernelLocks" : "WithoutKernelLocks";
});

using FilesAlone = OutputLocks;

TEST_P(FilesAlone, LivingOrUnknownOwner_IsRespectedWhereTheFileIsTheLock) {
    if (GetParam()) {  // a free lock of the kernel says that he is dead
        leave_dead_owner("a", 1);
        EXPECT_EQ(refusal("a"), "");
        return;
    }
    leave_dead_owner("a", 1);  // lives
    EXPECT_THAT(refusal("a"), HasSubstr("if that run is dead, remove the file"));
    folder.write_text(".halocline.lock.b", "no owner in it");
    EXPECT_THAT(refusal("b"), HasSubstr("remove the file"));
}

INSTANTIATE_TEST_SUITE_P(Owners, FilesAlone, ::testing::Bool());

}  // namespace
}  // namespace halocline
