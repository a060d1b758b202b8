// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/backend/openmp/loop_dats.hpp"

#include <algorithm>
#include <cmath>

#include "halocline/mesh/moved_rows.hpp"

namespace halocline::detail {

namespace {

using Variant = VariantChoice::Variant;

/// Dats that were moved in vain so often stay as their types ask for.
constexpr int most_moves = 6;
/// What moving takes in the cache; only the order of magnitude matters.
constexpr double move_s_per_value = 1e-9;
/// Of variants that were not tried yet: the share of the time of the others that they may take.
constexpr double hoped_share = 0.5;
/// Times so close are the same.
constexpr double close_share = 0.03;

double expected_s(const VariantChoice& choice, VariantChoice::Allowed of,
                  VariantChoice::Allowed others) {
    return choice.has_first_turns_left(of, of | others) ? hoped_share * choice.least_s(others)
                                                        : choice.least_s(of);
}

}  // namespace

LoopDats::LoopDats(std::span<const ArgUses> loops) {
    for (const ArgUses uses : loops) {
        for (const ArgUse& use : uses) {
            if (!use.is_global() && asks_for_more_than_rows(*use.store) &&
                std::find(stores_.begin(), stores_.end(), use.store) == stores_.end()) {
                stores_.push_back(use.store);
            }
        }
    }
}

VariantChoice::Allowed LoopDats::within_reach(VariantChoice::Allowed allowed) const {
    const bool may_be_in_rows = stores_.empty() || (may_move() && may_move_again());
    return may_be_in_rows ? allowed : allowed & ~VariantChoice::only(Variant::elements_in_rows);
}

VariantChoice::Allowed LoopDats::settle(const VariantChoice& choice,
                                        VariantChoice::Allowed allowed) {
    const VariantChoice::Allowed rows = allowed & VariantChoice::only(Variant::elements_in_rows);
    const VariantChoice::Allowed as_asked = allowed & ~rows;
    if (stores_.empty()) {
        const bool has_own = (allowed & VariantChoice::only(Variant::elements)).any();
        const bool is_worth_a_trial = choice.was_tried(Variant::elements_in_rows) ||
                                      choice.is_near_best(Variant::elements, as_asked);
        return has_own && !is_worth_a_trial ? as_asked : allowed;
    }
    if (!rows.any()) {
        place(false);
        return as_asked;
    }
    if (const VariantChoice::Allowed visit = choice.visit(allowed); visit.any()) {
        lie(visit == rows, Stay::visit);
        return visit;
    }
    const double rows_s = expected_s(choice, rows, as_asked);
    const double asked_s = expected_s(choice, as_asked, rows);
    const bool in_rows = all_lie_in_rows() || (some_lie_in_rows() && rows_s <= asked_s);
    lie(in_rows);
    const VariantChoice::Allowed here = in_rows ? rows : as_asked;
    if (choice.is_trial(here, allowed)) {
        return here;
    }
    const double here_s = in_rows ? rows_s : asked_s;
    const double loss_s = here_s - (in_rows ? asked_s : rows_s);
    if (std::fabs(loss_s) < close_share * here_s || !note_loss(loss_s)) {
        return here;
    }
    lie(!in_rows);
    return in_rows ? as_asked : rows;
}

VariantChoice::Allowed LoopDats::elsewhere(VariantChoice::Allowed allowed) const {
    const VariantChoice::Allowed rows = allowed & VariantChoice::only(Variant::elements_in_rows);
    if (stores_.empty()) {
        return {};
    }
    return all_lie_in_rows() ? allowed & ~rows : rows;
}

bool LoopDats::may_take(Variant variant, VariantChoice::Allowed allowed) const {
    return (allowed & VariantChoice::only(variant)).any() &&
           (variant != Variant::elements_in_rows || may_move());
}

void LoopDats::place(bool in_rows) {
    lie(in_rows);
    for (DatStore* store : stores_) {
        store->moved.loss_s = 0.0;
    }
}

bool LoopDats::may_move() const {
    return std::all_of(stores_.begin(), stores_.end(), [](const DatStore* store) {
        return store->values.empty() || store->values.owns_memory();
    });
}

bool LoopDats::may_move_again() const {
    return std::all_of(stores_.begin(), stores_.end(), [](const DatStore* store) {
        return store->moved.asked || store->moved.times < most_moves;
    });
}

bool LoopDats::some_lie_in_rows() const {
    return std::any_of(stores_.begin(), stores_.end(),
                       [](const DatStore* store) { return store->moved.asked.has_value(); });
}

bool LoopDats::all_lie_in_rows() const {
    return std::all_of(stores_.begin(), stores_.end(),
                       [](const DatStore* store) { return store->moved.asked.has_value(); });
}

void LoopDats::lie(bool in_rows, Stay stay) {
    for (DatStore* store : stores_) {
        if (store->moved.asked.has_value() == in_rows) {
            continue;
        }
        store->moved.loss_s = 0.0;
        if (in_rows) {
            move_to_rows(*store);
            store->moved.times += stay == Stay::visit ? 0 : 1;
        } else {
            move_back(*store);
        }
    }
}

double LoopDats::move_s() const {
    double seconds = 0.0;
    for (const DatStore* store : stores_) {
        const double values = static_cast<double>(store->set->rows()) * store->dim;
        seconds += store->values.empty() ? 0.0 : move_s_per_value * values;
    }
    return seconds;
}

bool LoopDats::note_loss(double seconds) {
    for (DatStore* store : stores_) {
        store->moved.loss_s = std::max(store->moved.loss_s + seconds, 0.0);
    }
    const double needed_s = move_s();
    return std::all_of(stores_.begin(), stores_.end(),
                       [&](const DatStore* store) { return store->moved.loss_s > needed_s; });
}

}  // namespace halocline::detail
