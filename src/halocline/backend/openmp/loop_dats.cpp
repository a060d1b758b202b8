// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/backend/openmp/loop_dats.hpp"

#include <algorithm>
#include <cmath>

#include "halocline/core/clock.hpp"
#include "halocline/mesh/moved_rows.hpp"

namespace halocline::detail {

namespace {

using Variant = VariantChoice::Variant;

void add_once(std::vector<DatStore*>& stores, DatStore* store) {
    if (std::find(stores.begin(), stores.end(), store) == stores.end()) {
        stores.push_back(store);
    }
}

/// Of what the other way would take, before it was tried: the share of this way's time.
constexpr double hoped_share = 0.5;

/// Times so close are the same.
constexpr double close_share = 0.03;

/// What a call of this loop loses where its dats lie now; both times may be unknown.
double loss_s(double here_s, double there_s, bool knows_there) {
    if (!std::isfinite(here_s)) {
        return 0.0;
    }
    const double loss = knows_there ? here_s - there_s : (1.0 - hoped_share) * here_s;
    return std::fabs(loss) > close_share * here_s ? loss : 0.0;
}

}  // namespace

LoopDats::LoopDats(std::span<const ArgUses> loops) {
    for (const ArgUses uses : loops) {
        for (const ArgUse& use : uses) {
            if (!use.is_global() && asks_for_more_than_rows(*use.store)) {
                add_once(use.store->temporary ? temporaries_ : stores_, use.store);
                may_move_ &= use.store->values.empty() || use.store->values.owns_memory();
            }
        }
    }
}

bool LoopDats::all_in_rows() const {
    return std::all_of(stores_.begin(), stores_.end(),
                       [](const DatStore* store) { return store->asked_layout.has_value(); });
}

void LoopDats::move_to_rows(Context& context) {
    move(
        context, [](const DatStore& store) { return !store.asked_layout; },
        halocline::move_to_rows);
}

void LoopDats::move_back(Context& context) {
    move(
        context, [](const DatStore& store) { return store.asked_layout.has_value(); },
        halocline::move_back);
}

void LoopDats::keep_back(Context& context) {
    move_back(context);
    for (DatStore* store : stores_) {
        store->unease_s = 0.0;
    }
}

template <class Wanted>
void LoopDats::move(Context& context, Wanted&& wanted, void (*move_one)(DatStore&)) {
    std::size_t bytes = 0;
    const double start_s = wall_seconds();
    for (DatStore* store : stores_) {
        if (wanted(*store)) {
            bytes += bytes_to_move(*store);
            move_one(*store);
            store->unease_s = 0.0;
        }
    }
    if (bytes > 0) {
        context.note_move(bytes, wall_seconds() - start_s);
    }
    for (DatStore* store : temporaries_) {
        if (wanted(*store)) {
            store->values.release();
            move_one(*store);
        }
    }
}

void LoopDats::add_unease(double seconds) {
    for (DatStore* store : stores_) {
        store->unease_s = std::max(store->unease_s + seconds, 0.0);
    }
}

double LoopDats::unease_s() const {
    double least_s = stores_.front()->unease_s;
    for (const DatStore* store : stores_) {
        least_s = std::min(least_s, store->unease_s);
    }
    return least_s;
}

double LoopDats::move_s(const Context& context) const {
    double bytes = 0.0;
    for (const DatStore* store : stores_) {
        bytes += static_cast<double>(bytes_to_move(*store));
    }
    return bytes * context.move_s_per_byte();
}

SettledVariant settle_variant(Context& context, VariantChoice& faster,
                              VariantChoice::Allowed allowed, LoopDats& dats) {
    const auto turn = [&](VariantChoice::Allowed ways) {
        return SettledVariant{faster.next(ways),
                              allowed.count() > 1 && faster.has_trials_left(ways)};
    };
    if (dats.empty()) {
        return turn(allowed);
    }
    const VariantChoice::Allowed rows = VariantChoice::only(Variant::elements_in_rows);
    const VariantChoice::Allowed as_asked = allowed & ~rows;
    if ((allowed & rows).none() || !dats.may_move()) {
        dats.keep_back(context);
        return turn(as_asked);
    }
    const bool in_rows = dats.all_in_rows();
    if (!in_rows) {
        dats.move_back(context);
    }
    const VariantChoice::Allowed here = in_rows ? rows : as_asked;
    const VariantChoice::Allowed there = in_rows ? as_asked : rows;
    const bool knows_there = !faster.has_trials_left(there);
    const double loss = loss_s(faster.least_s(here), faster.least_s(there), knows_there);
    dats.add_unease(loss);
    const bool looked_in_vain = faster.came_to_look() && knows_there && loss >= 0.0;
    const bool has_lost_enough = dats.unease_s() > dats.move_s(context);
    if (faster.has_trials_left(here) || !(looked_in_vain || has_lost_enough)) {
        return turn(here);
    }
    if (in_rows) {
        dats.move_back(context);
    } else {
        dats.move_to_rows(context);
    }
    faster.note_move(knows_there);
    return turn(there);
}

}  // namespace halocline::detail
