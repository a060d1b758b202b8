// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What all back ends do before and after a loop: halos needed, changes noted, bytes counted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/loop/arg_use.hpp"

namespace halocline::detail {

/// Throws ContractError when something that a loop was made with, or its mesh, is gone.
void require_alive(const LoopName& name, ArgUses uses);
/// The same, of a loop over a set: `set_alive` expires with that.
void require_alive(const LoopName& name, ArgUses uses, const Lifetime::Watch& set_alive);

/// Throws ContractError when a map's rows are gone that the loop goes through.
void require_rows(ArgUses uses);

/// Throws ContractError for a loop by itself that uses what exists within chains only.
void require_no_temporaries(ArgUses uses);

/// Temporaries start at zero; plain back ends keep them in memory.
void reset_temporaries(ArgUses uses);

/// Gives their memory back, which loops that are fused do without.
void release_temporaries(ArgUses uses);

/// Appends the dats whose halo the loop reads: through maps, or on import-exec elements when those are
/// executed.
void append_halo_reads(ArgUses uses, std::vector<DatStore*>& stores);

void mark_changes(ArgUses uses);

/// Dats get the memory and values back that copies in another order have.
void recall_values(ArgUses uses);
/// Before a loop of a device back end runs on the host: what it reads is current there.
void ensure_on_host(ArgUses uses);
/// After it: globals it changed are old on the device. Dats are noted by `mark_changes`.
void leave_on_host(ArgUses uses);

/// Bytes that loops must move at least, together: each dat and map once, read and written apart.
/// Temporaries count nothing.
[[nodiscard]] std::int64_t count_bytes(std::span<const ArgUses> loops);
[[nodiscard]] inline std::int64_t count_bytes(ArgUses uses) {
    return count_bytes(std::span<const ArgUses>(&uses, 1));
}

/// Adds one call to the account when it goes out of scope.
class LoopAccount {
public:
    LoopAccount(Context& context, const LoopName& name, const SetPart& set, std::int64_t bytes);
    ~LoopAccount();
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
void count_update(Context& context, const LoopName& name);

/// Elements between two calls of progress for the messages under way: a call costs some hundred
/// nanoseconds, so many elements that a cheap loop pays a few per cent for it while an exchange is in
/// flight.
inline constexpr LocalIndex elements_between_looks = 4096;

}  // namespace halocline::detail
