// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Look-ups by identity; what is missing is built on the host and copied once.
#include "halocline/backend/device/views/tables.hpp"

#include <algorithm>
#include <utility>

#include "halocline/core/clock.hpp"

namespace halocline::device {

Rows::Rows(Device& device, HostIncidence rows)
    : host(std::move(rows)),
      begin(device, host.begin),
      length(device, host.length),
      element(device, host.element),
      column(device, host.column),
      places(device, host.places),
      tiles(device, host.tiles),
      sources(device, host.sources),
      reused(device, host.reused) {}

IncidenceView Rows::view() const {
    return {begin.as<LocalIndex>(),    length.as<std::uint16_t>(), element.as<LocalIndex>(),
            column.as<std::uint8_t>(), places.as<std::uint32_t>(), tiles.as<TileBegin>(),
            sources.as<LocalIndex>(),  reused.as<LocalIndex>()};
}

const Rows& Tables::rows(const SetPart& from, const SetPart& to,
                         const std::vector<MapColumn>& columns,
                         const std::vector<LocalIndex>& order) {
    std::vector<std::pair<std::uint64_t, int>> keys;
    for (const MapColumn& column : columns) {
        keys.emplace_back(column.map->id, column.slot);
    }
    for (const RowsEntry& entry : rows_) {
        if (entry.from == from.id && entry.to == to.id && entry.columns == keys) {
            return entry.rows;
        }
    }
    const double start_s = wall_seconds();
    rows_.push_back({from.id, to.id, std::move(keys),
                     Rows(device_, build_incidence(from, to, columns, order))});
    build_s_ += wall_seconds() - start_s;
    return rows_.back().rows;
}

const LocalIndex* Tables::targets(const MapPart& map) {
    for (const MapEntry& entry : maps_) {
        if (entry.map == map.id) {
            return entry.targets.as<LocalIndex>();
        }
    }
    map.require_rows();
    maps_.push_back({map.id, DeviceArray(device_, map.targets)});
    return maps_.back().targets.as<LocalIndex>();
}

const double* Tables::in_row_order(const Rows& rows, DatStore& dat) {
    auto found = std::find_if(copies_.begin(), copies_.end(), [&](const CopyEntry& entry) {
        return entry.rows == &rows && entry.store == dat.id;
    });
    if (found != copies_.end() && found->version == dat.version) {
        return found->values.as<double>();
    }
    const double start_s = wall_seconds();
    dat.fetch();
    DeviceArray values =
        dat.type == ElementType::float32
            ? DeviceArray(device_, copy_in_row_order<float>(rows.host, dat.raw()))
            : DeviceArray(device_, copy_in_row_order<double>(rows.host, dat.raw()));
    if (found == copies_.end()) {
        copies_.push_back({&rows, dat.id, dat.version, std::move(values)});
        found = std::prev(copies_.end());
    } else {
        found->values = std::move(values);
        found->version = dat.version;
    }
    build_s_ += wall_seconds() - start_s;
    return found->values.as<double>();
}

}  // namespace halocline::device
