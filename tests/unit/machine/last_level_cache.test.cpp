// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Caches from folders as the kernel makes them, and each rank's share.
#include "halocline/machine/last_level_cache.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace halocline {
namespace {

constexpr std::int64_t mebi = std::int64_t{1} << 20;

/// A folder like /sys/devices/system/cpu, removed at the end.
class CpuFolder {
public:
    CpuFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "cachesXXXXXX").string();
        root_ = ::mkdtemp(name.data());
    }
    ~CpuFolder() { std::filesystem::remove_all(root_); }
    CpuFolder(const CpuFolder&) = delete;
    CpuFolder& operator=(const CpuFolder&) = delete;

    void write(const std::string& name, const std::string& text) const {
        const std::filesystem::path path = root_ / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text << '\n';
    }
    void add_cache(int cpu, int index, const std::string& level, const std::string& type,
                   const std::string& size, const std::string& cpus) const {
        const std::string folder =
            "cpu" + std::to_string(cpu) + "/cache/index" + std::to_string(index) + "/";
        write(folder + "level", level);
        write(folder + "type", type);
        write(folder + "size", size);
        write(folder + "shared_cpu_list", cpus);
    }
    [[nodiscard]] std::string path() const { return root_.string(); }

private:
    std::filesystem::path root_;
};

TEST(LastLevelCache, IsTheLargestLevelOnceForAllThreadsThatShareIt) {
    const CpuFolder folder;
    folder.write("online", "0-3");
    for (int cpu = 0; cpu < 4; ++cpu) {
        folder.add_cache(cpu, 0, "1", "Instruction", "32K", std::to_string(cpu));
        folder.add_cache(cpu, 1, "2", "Unified", "1024K", std::to_string(cpu));
        folder.add_cache(cpu, 2, "3", "Unified", "16M", cpu < 2 ? "0-1" : "2-3");
    }
    const std::vector<LastLevelCache> caches = read_last_level_caches(folder.path());
    ASSERT_EQ(caches.size(), 2U);
    EXPECT_EQ(caches[0].bytes, 16 * mebi);
    EXPECT_EQ(caches[0].cpus, (CpuList{0, 1}));
    EXPECT_EQ(caches[1].cpus, (CpuList{2, 3}));
}

TEST(LastLevelCache, IsUnknownWhereTheKernelTellsNothing) {
    const CpuFolder folder;
    EXPECT_TRUE(read_last_level_caches(folder.path()).empty());
    folder.write("online", "nonsense");
    EXPECT_TRUE(read_last_level_caches(folder.path()).empty());
    EXPECT_EQ(cache_share_bytes({}, {0, 1}, 2, 1), 32 * mebi);
}

TEST(CacheShare, CountsCachesThatThreadsReachFromTheirCpus) {
    const std::vector<LastLevelCache> two{{16 * mebi, {0, 1}}, {16 * mebi, {2, 3}}};
    EXPECT_EQ(cache_share_bytes(two, {0, 1, 2, 3}, 1, 1), 16 * mebi) << "one thread fills one";
    EXPECT_EQ(cache_share_bytes(two, {0, 1, 2, 3}, 4, 1), 32 * mebi);
    EXPECT_EQ(cache_share_bytes(two, {1}, 4, 1), 16 * mebi) << "bound to one cache";
}

TEST(CacheShare, IsDividedAmongTheRanksOfAHost) {
    const std::vector<LastLevelCache> two{{16 * mebi, {0, 1}}, {16 * mebi, {2, 3}}};
    EXPECT_EQ(cache_share_bytes(two, {0}, 1, 2), 16 * mebi) << "a cache for each rank";
    EXPECT_EQ(cache_share_bytes(two, {0}, 1, 4), 8 * mebi);
    EXPECT_EQ(cache_share_bytes(two, {0, 1, 2, 3}, 1, 8), 4 * mebi)
        << "unbound ranks share as well";
}

}  // namespace
}  // namespace halocline
