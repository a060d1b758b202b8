// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reads /sys/devices/system/cpu/cpu*/cache/index*: each cache is read once, not each thread.
#include "halocline/machine/last_level_cache.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <numeric>
#include <optional>
#include <set>

#include "halocline/core/error.hpp"

namespace halocline {

namespace {

constexpr std::int64_t usual_bytes = std::int64_t{32} << 20;

/// First line of a file; empty when there is none.
std::string first_line_of(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

/// "32768K" in bytes; 0 when it is not a size.
std::int64_t bytes_of(const std::string& text) {
    std::int64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc{} || value < 0) {
        return 0;
    }
    const char unit = end == text.data() + text.size() ? ' ' : *end;
    return value << (unit == 'G' ? 30 : unit == 'M' ? 20 : unit == 'K' ? 10 : 0);
}

CpuList cpus_in(const std::string& path) {
    const std::string text = first_line_of(path);
    try {
        return text.empty() ? CpuList{} : parse_cpu_list(text);
    } catch (const Error&) {
        return {};
    }
}

/// The cache of highest level that holds data of `cpu`.
std::optional<LastLevelCache> last_cache_of(int cpu, const std::string& folder) {
    std::optional<LastLevelCache> last;
    int last_level = 0;
    for (int index = 0;; ++index) {
        const std::string cache =
            folder + "/cpu" + std::to_string(cpu) + "/cache/index" + std::to_string(index);
        const auto level = static_cast<int>(bytes_of(first_line_of(cache + "/level")));
        if (level == 0) {
            return last;
        }
        const std::int64_t bytes = bytes_of(first_line_of(cache + "/size"));
        if (level > last_level && bytes > 0 && first_line_of(cache + "/type") != "Instruction") {
            last = LastLevelCache{bytes, cpus_in(cache + "/shared_cpu_list")};
            last_level = level;
        }
    }
}

bool reaches(const LastLevelCache& cache, const CpuList& cpus) {
    return std::any_of(cpus.begin(), cpus.end(), [&](int cpu) {
        return std::binary_search(cache.cpus.begin(), cache.cpus.end(), cpu);
    });
}

}  // namespace

std::vector<LastLevelCache> read_last_level_caches(const std::string& folder) {
    std::vector<LastLevelCache> caches;
    std::set<int> seen;
    for (const int cpu : cpus_in(folder + "/online")) {
        if (seen.contains(cpu)) {
            continue;
        }
        if (std::optional<LastLevelCache> cache = last_cache_of(cpu, folder)) {
            seen.insert(cache->cpus.begin(), cache->cpus.end());
            std::sort(cache->cpus.begin(), cache->cpus.end());
            caches.push_back(std::move(*cache));
        }
    }
    return caches;
}

std::int64_t cache_share_bytes(const std::vector<LastLevelCache>& caches, const CpuList& cpus,
                               int threads, int ranks_on_host) {
    std::vector<std::int64_t> reached;
    for (const LastLevelCache& cache : caches) {
        if (reaches(cache, cpus)) {
            reached.push_back(cache.bytes);
        }
    }
    if (reached.empty()) {
        return usual_bytes;
    }
    std::sort(reached.rbegin(), reached.rend());
    const auto used = std::min(reached.size(), static_cast<std::size_t>(std::max(1, threads)));
    const std::int64_t bytes = std::accumulate(
        reached.begin(), reached.begin() + static_cast<std::ptrdiff_t>(used), std::int64_t{0});
    const auto sharing = static_cast<double>(ranks_on_host) / static_cast<double>(caches.size());
    return static_cast<std::int64_t>(static_cast<double>(bytes) / std::max(1.0, sharing));
}

}  // namespace halocline
