// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Where the dats of a loop of one thread lie: as their types ask for, or in compact rows while the loops
// that use them run faster so.
#pragma once

#include <span>
#include <vector>

#include "halocline/backend/variant_choice.hpp"
#include "halocline/loop/arg_use.hpp"

namespace halocline::detail {

/// The dats of a loop, or of a chain of loops, whose types ask for more than compact rows.
class LoopDats {
public:
    explicit LoopDats(std::span<const ArgUses> loops);

    /// Leaves those of the variants that the dats can be moved for, now or later.
    [[nodiscard]] VariantChoice::Allowed within_reach(VariantChoice::Allowed allowed) const;
    /// Leaves those of the variants within reach that the loop may take this time; its dats lie as these want
    /// them afterwards. They are moved when loops have lost as much as moving takes, and for visits.
    [[nodiscard]] VariantChoice::Allowed settle(const VariantChoice& choice,
                                                VariantChoice::Allowed allowed);
    /// Those of the variants within reach for which the dats would have to be moved.
    [[nodiscard]] VariantChoice::Allowed elsewhere(VariantChoice::Allowed allowed) const;
    /// What moving them and back takes [s].
    [[nodiscard]] double visit_s() const { return 2.0 * move_s(); }
    /// Whether that is among them, and the dats may lie so.
    [[nodiscard]] bool may_take(VariantChoice::Variant variant,
                                VariantChoice::Allowed allowed) const;
    /// For a loop that has no choice: moves them, and what loops lost before counts no more.
    void place(bool in_rows);

private:
    /// Nobody else knows where their values lie.
    [[nodiscard]] bool may_move() const;
    [[nodiscard]] bool may_move_again() const;
    [[nodiscard]] bool some_lie_in_rows() const;
    [[nodiscard]] bool all_lie_in_rows() const;
    enum class Stay { visit, until_others_lose };
    void lie(bool in_rows, Stay stay = Stay::until_others_lose);
    [[nodiscard]] double move_s() const;
    /// A call lost so much because none lies the other way. Whether all have lost enough to be moved.
    [[nodiscard]] bool note_loss(double seconds);

    std::vector<DatStore*> stores_;
};

}  // namespace halocline::detail
