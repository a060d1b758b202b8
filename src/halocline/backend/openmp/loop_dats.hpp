// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Where the dats of a loop of one thread lie: as their types ask for, or in compact rows while the loops
// that use them run faster so.
#pragma once

#include <span>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/loop/arg_use.hpp"

namespace halocline::detail {

/// The dats of a loop, or of a chain of loops, that could lie in two ways.
class LoopDats {
public:
    explicit LoopDats(std::span<const ArgUses> loops);

    /// Whether all lie in rows by themselves.
    [[nodiscard]] bool empty() const { return stores_.empty(); }
    /// Whether the others may be moved: no other dat uses their memory.
    [[nodiscard]] bool may_move() const { return may_move_; }
    /// Whether all of them lie in rows. The others have to be moved back before packs run.
    [[nodiscard]] bool all_in_rows() const;

    /// Moves those that do not lie so; what loops lost by them before counts no more.
    void move_to_rows(Context& context);
    void move_back(Context& context);
    /// Moves them back, for a loop that cannot do with rows.
    void keep_back(Context& context);

    /// Loops lost so much because none of them lies the other way; gained, where it is negative.
    void add_unease(double seconds);
    /// Of the dat whose loops lost least.
    [[nodiscard]] double unease_s() const;
    /// What moving all of them is likely to take.
    [[nodiscard]] double move_s(const Context& context) const;

private:
    template <class Wanted>
    void move(Context& context, Wanted&& wanted, void (*move_one)(DatStore&));

    std::vector<DatStore*> stores_;
    std::vector<DatStore*> temporaries_;  ///< which have no values between loops
    bool may_move_ = true;
};

/// The way that a call takes, and whether its time is worth taking.
struct SettledVariant {
    VariantChoice::Variant variant;
    bool is_trial;
};

/// The way that a loop on one thread takes this time; its dats lie as that way wants them afterwards.
/// They are moved when loops have lost as much as moving takes, so that in the end no order of loops
/// costs more than twice what it would have cost without.
[[nodiscard]] SettledVariant settle_variant(Context& context, VariantChoice& faster,
                                            VariantChoice::Allowed allowed, LoopDats& dats);

}  // namespace halocline::detail
