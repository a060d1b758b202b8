// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Copies of edge dats in the order in which gathers read them, each made once for each value.
#pragma once

#include <list>

#include "halocline/loop/cached_gather.hpp"
#include "halocline/loop/slot_copy.hpp"

namespace halocline {

/// A dat that loops read through its copy alone gives its own memory back: a second copy in the order of
/// elements would be a third of a hierarchy. It gets memory again as soon as it is read in another way
/// (`DatStore::recall`), and keeps it then. Copies of dats that are gone go, too.
class SlotCopies final : public DatFetcher {
public:
    SlotCopies() = default;
    ~SlotCopies() override;
    SlotCopies(const SlotCopies&) = delete;
    SlotCopies& operator=(const SlotCopies&) = delete;

    /// The copy of what `store` holds now; halos up to date. Throws ContractError when it has to be made
    /// and the plan was precomputed.
    const SlotCopy& copy_of(CachedGather& gather, DatStore& store, bool oriented);
    void fetch(DatStore& store) override;
    /// Dats that are copied in the order of a plan get their own memory back.
    void restore_all(const CachedGather& gather);
    /// Whether reads that follow do not count, because loops may soon read the dats in another way.
    void keep_originals(bool yes) { keeps_originals_ = yes; }

private:
    [[nodiscard]] SlotCopy* find(const CachedGather& gather, const DatStore& store, bool oriented);
    void drop_dead();
    void note_read(SlotCopy& copy);
    void replace_dat(SlotCopy& copy);
    void restore(SlotCopy& copy);

    std::list<SlotCopy> copies_;
    bool keeps_originals_ = false;
};

}  // namespace halocline
