// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Tile by tile: collect, sort, number.
#include "halocline/backend/device/plans/tile_plan.hpp"

#include <algorithm>
#include <vector>

#include "halocline/core/error.hpp"

namespace halocline::device {

namespace {

class TileDivider {
public:
    TileDivider(HostIncidence& rows, const EntryEnds& ends, LocalIndex reachable)
        : rows_(rows),
          ends_(ends),
          place_of_target_(static_cast<std::size_t>(reachable)),
          place_of_value_(rows.element_of_value.size()) {
        rows_.places = Buffer<std::uint32_t>(rows.element.size(), 0);
    }

    /// Returns whether 16 bits number everything.
    bool run() {
        const auto tiles = static_cast<std::size_t>((rows_.targets + tile - 1) / tile);
        rows_.tiles = Buffer<TileBegin>(tiles + 1);
        bool fits = true;
        LocalIndex value = 0;
        for (std::size_t t = 0; t < tiles; ++t) {
            rows_.tiles[t] = begin_at(t, value);
            value = collect(t, value);
            fits = number(t, value) && fits;
        }
        rows_.tiles[tiles] = begin_at(tiles, value);
        rows_.sources = to_buffer(sources_);
        rows_.reused = to_buffer(reused_);
        return fits;
    }

private:
    [[nodiscard]] TileBegin begin_at(std::size_t t, LocalIndex value) const {
        const std::size_t first_slice = std::min(t * (tile / slice), rows_.begin.size() - 1);
        return {value, static_cast<LocalIndex>(sources_.size()),
                static_cast<LocalIndex>(reused_.size()), rows_.begin[first_slice]};
    }

    /// Whether a target is one of the tile's own. Halo behind the last target is not, although its
    /// number may lie in the last tile.
    [[nodiscard]] bool is_own(std::size_t t, LocalIndex target) const {
        return target < rows_.targets && static_cast<std::size_t>(target / tile) == t;
    }

    /// Calls `visit(entry)` for all of a tile.
    template <class Visit>
    void for_each_entry(std::size_t t, Visit&& visit) const {
        const LocalIndex first = static_cast<LocalIndex>(t) * tile;
        const LocalIndex last = std::min(rows_.targets, first + tile);
        for (LocalIndex target = first; target < last; ++target) {
            const auto i = static_cast<std::size_t>(target);
            const auto begin = static_cast<std::size_t>(rows_.begin[i / slice]);
            for (std::size_t s = 0; s < rows_.length[i]; ++s) {
                visit((begin + s) * slice + i % slice);
            }
        }
    }

    /// Lists what the tile reaches beyond itself; `value`: its first own one. Returns the next tile's, an
    /// even number.
    LocalIndex collect(std::size_t t, LocalIndex value) {
        const std::size_t first_source = sources_.size();
        const std::size_t first_reused = reused_.size();
        LocalIndex next = value;
        for_each_entry(t, [&](std::size_t entry) {
            if (!is_own(t, ends_.other[entry])) {
                sources_.push_back(ends_.other[entry]);
            }
            if (ends_.value[entry] < value) {
                reused_.push_back(ends_.value[entry]);
            }
            next = std::max(next, ends_.value[entry] + 1);
        });
        keep_each_once(sources_, first_source);
        keep_each_once(reused_, first_reused);
        return next + next % 2;
    }
    static void keep_each_once(std::vector<LocalIndex>& list, std::size_t first) {
        const auto begin = list.begin() + static_cast<std::ptrdiff_t>(first);
        std::sort(begin, list.end());
        list.erase(std::unique(begin, list.end()), list.end());
    }

    /// Places: own targets, then sources; own values, then those that earlier tiles use, too.
    bool number(std::size_t t, LocalIndex next_value) {
        const TileBegin begin = rows_.tiles[t];
        const LocalIndex own_values = next_value - begin.value;
        const LocalIndex sources = set_places(sources_, begin.source, tile, place_of_target_);
        const LocalIndex reused = set_places(reused_, begin.reused, own_values, place_of_value_);
        if (sources > EntryPlaces::most_targets || reused > EntryPlaces::most_values) {
            return false;
        }
        for_each_entry(t, [&](std::size_t entry) {
            const LocalIndex other = ends_.other[entry];
            const LocalIndex value = ends_.value[entry];
            rows_.places[entry] = EntryPlaces::packed(
                is_own(t, other) ? other % tile : place_of_target_[static_cast<std::size_t>(other)],
                value >= begin.value ? value - begin.value
                                     : place_of_value_[static_cast<std::size_t>(value)],
                rows_.column[entry] == 1);
        });
        return true;
    }
    /// Numbers a list's members from `first` on by `place`. Returns the place after the last one.
    static LocalIndex set_places(const std::vector<LocalIndex>& list, LocalIndex first,
                                 LocalIndex place, Buffer<LocalIndex>& place_of) {
        for (auto k = static_cast<std::size_t>(first); k < list.size(); ++k) {
            place_of[static_cast<std::size_t>(list[k])] = place++;
        }
        return place;
    }
    static Buffer<LocalIndex> to_buffer(const std::vector<LocalIndex>& list) {
        Buffer<LocalIndex> buffer(list.size());
        std::copy(list.begin(), list.end(), buffer.begin());
        return buffer;
    }

    HostIncidence& rows_;
    const EntryEnds& ends_;
    std::vector<LocalIndex> sources_;
    std::vector<LocalIndex> reused_;
    Buffer<LocalIndex> place_of_target_;
    Buffer<LocalIndex> place_of_value_;
};

}  // namespace

void divide_into_tiles(HostIncidence& rows, const EntryEnds& ends, LocalIndex reachable,
                       const std::string& from) {
    validate<ContractError>(
        TileDivider(rows, ends, reachable).run(),
        std::to_string(tile) + " neighbouring elements of a set are reached by more than " +
            std::to_string(EntryPlaces::most_values) + " elements of set '" + from +
            "' (more than a device numbers). " + "Run this loop on a CPU.");
}

}  // namespace halocline::device
