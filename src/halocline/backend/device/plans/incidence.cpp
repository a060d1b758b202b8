// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Count, size the slices, fill in global order.
#include "halocline/backend/device/plans/incidence.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "halocline/backend/device/plans/tile_plan.hpp"
#include "halocline/core/error.hpp"

namespace halocline::device {

namespace {

constexpr std::size_t lanes = slice;

LocalIndex target_of(const MapColumn& column, LocalIndex element) {
    return column.map
        ->targets[static_cast<std::size_t>(element) * static_cast<std::size_t>(column.map->arity) +
                  static_cast<std::size_t>(column.slot)];
}

template <class Visit>
void for_each_entry(const SetPart& from, const SetPart& to, const std::vector<MapColumn>& columns,
                    const std::vector<LocalIndex>& order, Visit&& visit) {
    for (LocalIndex k = 0; k < from.exec; ++k) {
        const LocalIndex element = order.empty() ? k : order[static_cast<std::size_t>(k)];
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const LocalIndex target = target_of(columns[c], element);
            if (target < to.owned) {
                visit(static_cast<std::size_t>(target), element, c);
            }
        }
    }
}

bool joins_two_ends(const std::vector<MapColumn>& columns) {
    return columns.size() == 2 && columns[0].map == columns[1].map && columns[0].map->arity == 2;
}

void size_slices(HostIncidence& rows) {
    const std::size_t slices = (rows.length.size() + lanes - 1) / lanes;
    rows.begin = Buffer<LocalIndex>(slices + 1);
    std::int64_t slots = 0;
    for (std::size_t s = 0; s < slices; ++s) {
        rows.begin[s] = static_cast<LocalIndex>(slots);
        const std::size_t last = std::min(rows.length.size(), (s + 1) * lanes);
        slots += *std::max_element(rows.length.begin() + s * lanes, rows.length.begin() + last);
        validate<ContractError>(slots * slice < std::numeric_limits<LocalIndex>::max(),
                                "one rank has too many map entries for 32-bit indices. "
                                "Use more ranks.");
    }
    rows.begin[slices] = static_cast<LocalIndex>(slots);
}

/// Calls `visit(entry)` for `count` slices, slice by slice, slot by slot.
template <class Visit>
void for_each_slot(const HostIncidence& rows, std::size_t first, std::size_t count, Visit&& visit) {
    const std::size_t end = std::min(first + count, rows.begin.size() - 1);
    for (std::size_t s = first; s < end; ++s) {
        const std::size_t last = std::min(rows.length.size(), (s + 1) * lanes);
        const auto begin = static_cast<std::size_t>(rows.begin[s]);
        for (std::size_t slot = begin; slot < static_cast<std::size_t>(rows.begin[s + 1]); ++slot) {
            for (std::size_t target = s * lanes; target < last; ++target) {
                if (slot - begin < rows.length[target]) {
                    visit(slot * lanes + target % lanes);
                }
            }
        }
    }
}

/// Numbers the elements as the rows meet them, so that a slice finds most of its values side by side.
/// Each tile begins at an even number: a number may be left out, and stands for element 0 then.
/// Returns each entry's number.
Buffer<LocalIndex> number_values(HostIncidence& rows, const SetPart& from) {
    constexpr LocalIndex unseen = -1;
    Buffer<LocalIndex> value_of(static_cast<std::size_t>(from.exec), unseen);
    Buffer<LocalIndex> values(rows.element.size(), 0);
    std::vector<LocalIndex> elements;
    elements.reserve(value_of.size() + rows.begin.size() / (tile / slice));
    const auto make_even = [&] { elements.resize(elements.size() + elements.size() % 2, 0); };
    for (std::size_t first = 0; first + 1 < rows.begin.size(); first += tile / slice) {
        for_each_slot(rows, first, tile / slice, [&](std::size_t entry) {
            LocalIndex& value = value_of[static_cast<std::size_t>(rows.element[entry])];
            if (value == unseen) {
                value = static_cast<LocalIndex>(elements.size());
                elements.push_back(rows.element[entry]);
            }
            values[entry] = value;
        });
        make_even();
    }
    rows.element_of_value = Buffer<LocalIndex>(elements.size());
    std::copy(elements.begin(), elements.end(), rows.element_of_value.begin());
    return values;
}

}  // namespace

HostIncidence build_incidence(const SetPart& from, const SetPart& to,
                              const std::vector<MapColumn>& columns,
                              const std::vector<LocalIndex>& order) {
    for (const MapColumn& column : columns) {
        column.map->require_rows();
    }
    HostIncidence rows;
    rows.targets = to.owned;
    rows.length = Buffer<std::uint16_t>(static_cast<std::size_t>(to.owned), 0);
    bool too_long = false;
    for_each_entry(from, to, columns, order, [&](std::size_t target, LocalIndex, std::size_t) {
        too_long = ++rows.length[target] == 0 || too_long;
    });
    validate<ContractError>(!too_long, "an element of set '" + to.name +
                                           "' is reached by 65536 elements or more of set '" +
                                           from.name + "' (a device has one thread for it). " +
                                           "Run this loop on a CPU.");
    size_slices(rows);
    const auto entries = static_cast<std::size_t>(rows.slots()) * lanes;
    const bool two_ended = joins_two_ends(columns);
    rows.element = Buffer<LocalIndex>(entries, 0);
    if (columns.size() > 1) {
        rows.column = Buffer<std::uint8_t>(entries, 0);
    }
    EntryEnds ends;
    if (two_ended) {
        ends.other = Buffer<LocalIndex>(entries, 0);
    }
    std::fill(rows.length.begin(), rows.length.end(), std::uint16_t{0});
    for_each_entry(
        from, to, columns, order, [&](std::size_t target, LocalIndex element, std::size_t column) {
            const std::size_t slot =
                static_cast<std::size_t>(rows.begin[target / lanes]) + rows.length[target]++;
            const std::size_t entry = slot * lanes + target % lanes;
            rows.element[entry] = element;
            if (!rows.column.empty()) {
                rows.column[entry] = static_cast<std::uint8_t>(column);
            }
            if (two_ended) {
                ends.other[entry] = target_of(columns[1 - column], element);
            }
        });
    if (two_ended) {
        ends.value = number_values(rows, from);
        divide_into_tiles(rows, ends, to.rows(), from.name);
    }
    return rows;
}

template <class T>
Buffer<T> copy_in_row_order(const HostIncidence& rows, const RawDat& dat) {
    const auto dim = static_cast<std::size_t>(dat.dim);
    const std::size_t count = rows.element_of_value.size();
    const T* const values = reinterpret_cast<const T*>(dat.values);
    Buffer<T> copy(count * dim);
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(count); ++i) {
        const auto value = static_cast<std::size_t>(i);
        for (std::size_t d = 0; d < dim; ++d) {
            copy[value * dim + d] =
                values[dat.layout.offset(rows.element_of_value[value], static_cast<int>(d))];
        }
    }
    return copy;
}

template Buffer<double> copy_in_row_order(const HostIncidence&, const RawDat&);
template Buffer<float> copy_in_row_order(const HostIncidence&, const RawDat&);

}  // namespace halocline::device
