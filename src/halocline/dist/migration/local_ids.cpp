// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Bucketed search and the discovery of import-nonexec elements.
#include "halocline/dist/migration/local_ids.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "halocline/core/error.hpp"

namespace halocline::dist {

namespace {

constexpr std::size_t max_missing = std::numeric_limits<LocalIndex>::max();
/// Beside the negative numbers of what is missing.
constexpr LocalIndex unresolved_absent = std::numeric_limits<LocalIndex>::min();
constexpr const char* too_many_missing =
    "a rank's halo is too large (more than 2147483647 references to elements of other ranks). Use "
    "more ranks or a partitioner that keeps neighbours together.";

}  // namespace

SortedIds::SortedIds(std::span<const GlobalIndex> ids) : ids_(ids) {
    if (ids.empty()) {
        return;
    }
    const auto range = static_cast<std::uint64_t>(ids.back() - ids.front()) + 1;
    const std::uint64_t spread = range / ids.size();
    shift_ = spread == 0 ? 0 : static_cast<int>(std::bit_width(spread)) - 1;
    const auto buckets = static_cast<std::size_t>((range - 1) >> shift_) + 1;
    starts_.assign(buckets + 1, 0);
    for (const GlobalIndex id : ids) {
        ++starts_[static_cast<std::size_t>((id - ids.front()) >> shift_) + 1];
    }
    for (std::size_t b = 1; b < starts_.size(); ++b) {
        starts_[b] += starts_[b - 1];
    }
}

LocalIndex SortedIds::find(GlobalIndex id) const noexcept {
    if (ids_.empty() || id < ids_.front() || id > ids_.back()) {
        return -1;
    }
    const auto bucket = static_cast<std::size_t>((id - ids_.front()) >> shift_);
    const auto first = ids_.begin() + starts_[bucket];
    const auto last = ids_.begin() + starts_[bucket + 1];
    const auto found = std::lower_bound(first, last, id);
    return found != last && *found == id ? static_cast<LocalIndex>(found - ids_.begin()) : -1;
}

void TargetLocaliser::localise(std::span<const GlobalIndex> targets, LocalIndex* local) {
    for (std::size_t i = 0; i < targets.size(); ++i) {
        if (targets[i] < 0) {
            local[i] = unresolved_absent;
            continue;
        }
        LocalIndex position = owned_.find(targets[i]);
        if (position < 0) {
            position = exec_.find(targets[i]);
            if (position >= 0) {
                position += ids_.owned_end();
            } else {
                missing_.push_back(targets[i]);
                validate<InputError>(missing_.size() <= max_missing, too_many_missing);
                position = -static_cast<LocalIndex>(missing_.size());
            }
        }
        local[i] = position;
    }
}

void TargetLocaliser::finish() {
    ids_.nonexec = missing_;
    std::sort(ids_.nonexec.begin(), ids_.nonexec.end());
    ids_.nonexec.erase(std::unique(ids_.nonexec.begin(), ids_.nonexec.end()), ids_.nonexec.end());
    const SortedIds nonexec(ids_.nonexec);
    bound_.reserve(missing_.size());
    for (const GlobalIndex id : missing_) {
        bound_.push_back(ids_.exec_end() + nonexec.find(id));
    }
}

void TargetLocaliser::resolve(std::span<LocalIndex> local) const {
    for (LocalIndex& index : local) {
        if (index == unresolved_absent) {
            index = static_cast<LocalIndex>(absent);
        } else if (index < 0) {
            index = bound_[static_cast<std::size_t>(-(index + 1))];
        }
    }
}

}  // namespace halocline::dist
