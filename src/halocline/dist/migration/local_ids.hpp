// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Local elements of a set while the part is built, and the search from global id to local index.
#pragma once

#include <span>
#include <vector>

#include "halocline/core/types.hpp"

namespace halocline::dist {

/// Search in ascending ids: a table of buckets by value narrows the range before bisection.
class SortedIds {
public:
    SortedIds() = default;
    /// Views `ids`, ascending, which outlive it.
    explicit SortedIds(std::span<const GlobalIndex> ids);

    /// Position of `id`, or -1.
    [[nodiscard]] LocalIndex find(GlobalIndex id) const noexcept;

private:
    std::span<const GlobalIndex> ids_;
    std::vector<LocalIndex> starts_;
    int shift_ = 0;
};

/// Elements of one set on this rank in provisional order: owned, exec, nonexec, each by ascending
/// global id.
struct LocalIds {
    std::vector<GlobalIndex> owned;    ///< elements that this rank owns
    std::vector<GlobalIndex> exec;     ///< elements that it executes for others
    std::vector<GlobalIndex> nonexec;  ///< elements that it reads only

    /// Provisional index behind the owned elements.
    [[nodiscard]] LocalIndex owned_end() const noexcept {
        return static_cast<LocalIndex>(owned.size());
    }
    /// Provisional index behind the executed elements.
    [[nodiscard]] LocalIndex exec_end() const noexcept {
        return static_cast<LocalIndex>(owned.size() + exec.size());
    }
    /// Elements of all three kinds.
    [[nodiscard]] LocalIndex total() const noexcept {
        return static_cast<LocalIndex>(owned.size() + exec.size() + nonexec.size());
    }
};

/// Turns global targets into provisional local indices, collecting the targets that are neither
/// owned nor executed here as the set's import-nonexec elements.
class TargetLocaliser {
public:
    /// Takes the owned and executed elements of the set; fills in `ids.nonexec`, and must not
    /// outlive it.
    explicit TargetLocaliser(LocalIds& ids) : ids_(ids), owned_(ids.owned), exec_(ids.exec) {}

    /// Writes the local index of each target to `local`; unknown ones as marks below zero.
    void localise(std::span<const GlobalIndex> targets, LocalIndex* local);

    /// Sorts the collected targets into ids.nonexec. Call once, after the last localise().
    void finish();

    /// Replaces the marks that localise() left.
    void resolve(std::span<LocalIndex> local) const;

private:
    LocalIds& ids_;
    SortedIds owned_;
    SortedIds exec_;
    std::vector<GlobalIndex> missing_;  ///< in order of appearance, with repeats
    std::vector<LocalIndex> bound_;     ///< provisional index of each missing target
};

}  // namespace halocline::dist
