// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What all back ends do around a loop: halos needed, changes noted, bytes counted.
#pragma once

#include <algorithm>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/core/clock.hpp"
#include "halocline/loop/loop.hpp"

namespace halocline::detail {

/// Dats whose halo the loop reads: through maps, or on import-exec elements when those are executed.
template <class LoopT>
void append_halo_reads(const LoopT& loop, std::vector<DatStore*>& stores) {
    loop.for_each_arg([&](const auto& arg) {
        using Arg = std::remove_cvref_t<decltype(arg)>;
        if constexpr (!Arg::is_global) {
            const bool reads = Arg::access == Access::read || Arg::access == Access::read_write;
            if (reads && (!Arg::is_own || LoopT::has_indirect_change) && !arg.store->temporary) {
                stores.push_back(arg.store);
            }
        }
    });
}

template <class LoopT>
void mark_changes(const LoopT& loop) {
    loop.for_each_arg([&](const auto& arg) {
        using Arg = std::remove_cvref_t<decltype(arg)>;
        if constexpr (!Arg::is_global && Arg::access != Access::read) {
            arg.store->mark_written();
        }
    });
}

/// Bytes that loops must move at least, together: each dat and map once, read and written apart.
/// Temporaries count nothing.
class ByteCount {
public:
    template <class LoopT>
    void add(const LoopT& loop) {
        loop.for_each_arg([&](const auto& arg) {
            using Arg = std::remove_cvref_t<decltype(arg)>;
            if constexpr (!Arg::is_global) {
                if (!arg.store->temporary) {
                    // Of a subset's own rows, those of its members.
                    const bool of_members = Arg::is_own && Arg::is_indirect;
                    add_dat<Arg::access>(*arg.store,
                                         (of_members ? arg.from : arg.store->set)->owned);
                }
                if constexpr (Arg::is_indirect) {
                    if (first_time(read_, arg.map)) {
                        bytes_ += std::int64_t{4} * arg.from->owned * arg.map->arity;
                    }
                }
            }
        });
    }
    [[nodiscard]] std::int64_t bytes() const { return bytes_; }

private:
    template <Access access>
    void add_dat(const DatStore& store, LocalIndex elements) {
        const std::int64_t once = static_cast<std::int64_t>(store.row_bytes()) * elements;
        if (access != Access::write && first_time(read_, &store)) {
            bytes_ += once;
        }
        if (access != Access::read && first_time(written_, &store)) {
            bytes_ += once;
        }
    }

    static bool first_time(std::vector<const void*>& seen, const void* item) {
        const bool fresh = std::find(seen.begin(), seen.end(), item) == seen.end();
        if (fresh) {
            seen.push_back(item);
        }
        return fresh;
    }

    std::vector<const void*> read_;
    std::vector<const void*> written_;
    std::int64_t bytes_ = 0;
};

template <class... Loops>
std::int64_t count_bytes(const Loops&... loops) {
    ByteCount count;
    (count.add(loops), ...);
    return count.bytes();
}

/// Adds one call to the account when it goes out of scope.
class LoopAccount {
public:
    LoopAccount(Context& context, const LoopName& name, const SetPart& set, std::int64_t bytes)
        : context_(context),
          name_(name),
          set_(set),
          bytes_(bytes),
          halo_(context.halo_ledger()),
          start_s_(wall_seconds()) {}
    ~LoopAccount() {
        LoopStatistics& row = context_.loops().row(name_);
        if (row.calls++ == 0) {
            row.set = set_.name;
        }
        row.seconds += wall_seconds() - start_s_;
        row.elements += set_.owned;
        row.bytes += bytes_;
        row.halo += context_.halo_ledger().since(halo_);
        if (strategy_ != nullptr && row.strategy != strategy_) {
            row.strategy = strategy_;
        }
        if (reason_ != nullptr && row.reason != reason_) {
            row.reason = reason_;
        }
    }
    /// How the call ran and why so, where back ends choose.
    void note(const char* strategy, const char* reason) {
        strategy_ = strategy;
        reason_ = reason;
    }
    LoopAccount(const LoopAccount&) = delete;
    LoopAccount& operator=(const LoopAccount&) = delete;

private:
    Context& context_;
    LoopName name_;
    const SetPart& set_;
    std::int64_t bytes_;
    HaloLedger halo_;  ///< before the call
    double start_s_;
    const char* strategy_ = nullptr;
    const char* reason_ = nullptr;
};

/// One update of globals in the account; too short to be timed.
inline void count_update(Context& context, const LoopName& name) {
    LoopStatistics& row = context.loops().row(name);
    row.set = "globals";
    ++row.calls;
    ++row.elements;
}

/// Elements between two looks at the messages under way: a look costs some hundred nanoseconds, so
/// many elements that a cheap loop pays a few per cent for it while an exchange is in flight.
inline constexpr LocalIndex elements_between_looks = 4096;

/// Runs `work(begin, end)` for all of [begin, end) in pieces of `piece`; between them the MPI library
/// gets to move the messages of the exchange in flight, which most libraries do only when called.
template <class Work>
void run_while_messages_fly(Context& context, LocalIndex begin, LocalIndex end, LocalIndex piece,
                            Work&& work) {
    bool flying = true;
    while (flying && end - begin > piece) {
        work(begin, begin + piece);
        begin += piece;
        flying = context.progress_halo();
    }
    work(begin, end);
}

}  // namespace halocline::detail
