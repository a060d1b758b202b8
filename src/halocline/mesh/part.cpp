// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Ids in as few bytes as they fit, identities, and what is said of ids that were given back.
#include "halocline/mesh/part.hpp"

#include <algorithm>
#include <atomic>

#include "halocline/core/error.hpp"

namespace halocline {

namespace {

bool is_narrow(GlobalIndex id) { return id == static_cast<LocalIndex>(id); }

}  // namespace

GlobalIds::GlobalIds(const std::vector<GlobalIndex>& ids) {
    if (std::all_of(ids.begin(), ids.end(), is_narrow)) {
        narrow_.assign(ids.begin(), ids.end());
    } else {
        wide_ = ids;
    }
}

GlobalIds::GlobalIds(const Buffer<LocalIndex>& ids) : narrow_(ids.begin(), ids.end()) {}

void GlobalIds::push_back(GlobalIndex id) {
    if (!is_narrow(id) && wide_.empty()) {
        wide_.assign(narrow_.begin(), narrow_.end());
        narrow_.clear();
    }
    if (wide_.empty() && is_narrow(id)) {
        narrow_.push_back(static_cast<LocalIndex>(id));
    } else {
        wide_.push_back(id);
    }
}

std::uint64_t next_identity() noexcept {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

void SetPart::report_lost_ids() const {
    throw ContractError("the global ids of set '" + name +
                        "' were released. Use them before precompute_edges.");
}

void MapPart::report_lost_rows() const {
    throw ContractError("map '" + name +
                        "' has no rows any more (release_map or precompute_edges gave its memory "
                        "back). Run loops through it, and all else that reads it, before that.");
}

}  // namespace halocline
