// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Shared-memory staging: what the rows of a tile read, side by side in a block's shared memory. Many
// loads are under way at once without a register for any, and every row finds its values a few cycles away.
#pragma once

#include "halocline/backend/device/tiles/staging_layout.hpp"
#include "halocline/backend/device/tiles/staging_lists.hpp"

namespace halocline::device {

/// Staged values of one two-ended loop in `bytes` of shared memory. What does not fit is read from global
/// memory.
template <class LoopT, int bytes>
class StagedTile {
    using L = LoopView<LoopT>;
    using Memory = StagingLayout<LoopT, bytes>;
    using Indices = typename L::Indices;
    template <std::size_t a>
    using Arg = typename L::template Arg<a>;
    template <std::size_t a>
    using Stored = typename Arg<a>::Stored;
    template <std::size_t a>
    using ArgValues = Values<double, Arg<a>::size>;

public:
    HALOCLINE_HD StagedTile(const L& loop, LocalIndex tile_number, unsigned char* memory)
        : loop_(loop), tile_(tile_number), memory_(memory) {}

    /// Starts what `thread` of `threads` copies; `end`: the launch's last target and one. Calls `wait` when
    /// it has asked for all that no loop changes. Returns the number of sources, for `complete`.
    template <class Wait>
    HALOCLINE_HD LocalIndex load(LocalIndex end, int thread, int threads, Wait&& wait) const {
        const TileBegin begin = loop_.rows.tiles[tile_];
        const TileBegin next = loop_.rows.tiles[tile_ + 1];
        const LocalIndex first = tile_ * tile;
        const LocalIndex own = end - first < tile ? end - first : tile;
        const LocalIndex own_values = next.value - begin.value;
        const detail::ListShare<1, 2> sources(loop_.rows.sources + begin.source,
                                              next.source - begin.source, thread, threads);
        const detail::ListShare<Memory::value_parts(), 3> reused(
            loop_.rows.reused + begin.reused, next.reused - begin.reused, thread, threads);
        load_entries(begin.slot, next.slot - begin.slot, thread, threads);
        wait();
        for (int place = thread; place < own; place += threads) {
            load_target(place, first + place, Indices{});
        }
        load_own_values(begin.value, own_values, thread, threads, Indices{});
        sources.for_each([&](LocalIndex k, LocalIndex source, int) {
            load_target(tile + k, source, Indices{});
        });
        reused.for_each([&](LocalIndex k, LocalIndex number, int part) {
            load_value(own_values + k, number, part, Indices{});
        });
        return next.source - begin.source;
    }

    /// Prefetches what the rows of another tile read first: the lists that its copies wait for.
    HALOCLINE_HD void prefetch_lists(LocalIndex other) const {
        const TileBegin begin = loop_.rows.tiles[other];
        const TileBegin next = loop_.rows.tiles[other + 1];
        detail::prefetch_list(loop_.rows.sources, begin.source, next.source);
        detail::prefetch_list(loop_.rows.reused, begin.reused, next.reused);
    }

    /// Called when the copies of `thread` of `threads`, a divisor of `tile`, have arrived: adds the values
    /// derived from them.
    HALOCLINE_HD void complete(LocalIndex end, LocalIndex sources, int thread, int threads) const {
        complete_all(end, sources, thread, threads, Indices{});
    }

    /// What entry `lane` of a slot says; slots count from the tile's first one.
    [[nodiscard]] HALOCLINE_HD EntryPlaces entry(LocalIndex slot, LocalIndex lane) const {
        if (slot >= Memory::most_slots) {
            const std::int64_t first = loop_.rows.tiles[tile_].slot;
            return EntryPlaces(loop_.rows.places[(first + slot) * slice + lane]);
        }
        return EntryPlaces(memory_.entries()[slot * slice + lane]);
    }

    /// Argument `a`, which reads the second end, at a place of the tile.
    template <std::size_t a>
    [[nodiscard]] HALOCLINE_HD ArgValues<a> target(LocalIndex place) const {
        if (place >= Memory::most_targets) {
            const LocalIndex source =
                place < tile ? tile_ * tile + place
                             : loop_.rows.sources[loop_.rows.tiles[tile_].source + place - tile];
            const auto& arg = get<a>(loop_.args);
            return load_dat<typename Arg<a>::DatT, Arg<a>::size>(arg.values, arg.stride, source);
        }
        return memory_.template target<a, Arg<a>::size>(place);
    }

    /// Argument `a`, which reads the element, at a place of the tile.
    template <std::size_t a>
    [[nodiscard]] HALOCLINE_HD ArgValues<a> value(LocalIndex place) const {
        ArgValues<a> values;
        if (place >= Memory::most_values) {
            const TileBegin begin = loop_.rows.tiles[tile_];
            const LocalIndex own = loop_.rows.tiles[tile_ + 1].value - begin.value;
            const Stored<a>* const from = in_row_order<a>(
                place < own ? begin.value + place : loop_.rows.reused[begin.reused + place - own]);
            for (int d = 0; d < Arg<a>::size; ++d) {
                values[d] = widened(from[d]);
            }
        } else {  // not by one pointer to either: the compiler would not know in which memory
            for (int d = 0; d < Arg<a>::size; ++d) {
                values[d] = widened(memory_.template value_at<a>(place)[d]);
            }
        }
        return values;
    }

    /// Whether argument `a` reads the dat that lies there.
    template <std::size_t a>
    [[nodiscard]] HALOCLINE_HD bool reads(const double* memory) const {
        return get<a>(loop_.args).values == memory;
    }

private:
    template <std::size_t a>
    [[nodiscard]] HALOCLINE_HD const Stored<a>* in_row_order(LocalIndex number) const {
        return reinterpret_cast<const Stored<a>*>(get<a>(loop_.args).in_row_order) +
               std::int64_t{number} * Arg<a>::size;
    }

    template <std::size_t... a>
    HALOCLINE_HD void load_target(LocalIndex place, LocalIndex target,
                                  std::index_sequence<a...>) const {
        if (place < Memory::most_targets) {
            (load_target_of<a>(place, target), ...);
        }
    }
    template <std::size_t a>
    HALOCLINE_HD void load_target_of(LocalIndex place, LocalIndex target) const {
        if constexpr (detail::reads_end<Arg<a>, 1>()) {
            constexpr int dim = Arg<a>::DatT::dim;
            const auto& arg = get<a>(loop_.args);
            if constexpr (Memory::template is_pairs<a>()) {
                for (int p = 0; p < dim / 2; ++p) {
                    Gpu::copy_to_shared(memory_.template pair_at<a>(place, p),
                                        detail::pair_of<dim>(arg.values, target, p));
                }
                if constexpr (dim % 2 == 1) {
                    Gpu::copy_to_shared(&memory_.template pair_at<a>(place, dim / 2)->x,
                                        detail::alone_of<dim>(arg.values, arg.stride, target));
                }
            } else {
                for (int d = 0; d < dim; ++d) {
                    Gpu::copy_to_shared(memory_.template component_at<a>(place, d),
                                        reinterpret_cast<const Stored<a>*>(arg.values) +
                                            place_of<typename Arg<a>::DatT>(arg.stride, target, d));
                }
            }
        }
    }

    template <std::size_t... a>
    HALOCLINE_HD void load_own_values(LocalIndex first, LocalIndex count, int thread, int threads,
                                      std::index_sequence<a...>) const {
        const LocalIndex room = count < Memory::most_values ? count : Memory::most_values;
        (load_own_values_of<a>(first, room, thread, threads), ...);
    }
    template <std::size_t a>
    HALOCLINE_HD void load_own_values_of(LocalIndex first, LocalIndex count, int thread,
                                         int threads) const {
        if constexpr (comes_in_row_order<LoopT, Arg<a>>) {
            // By twos: a tile's own values begin at an even number, and their count is even.
            using Two = std::conditional_t<sizeof(Stored<a>) == 8, detail::Pair, std::uint64_t>;
            auto* const to = reinterpret_cast<Two*>(memory_.template value_at<a>(0));
            const auto* const from = reinterpret_cast<const Two*>(in_row_order<a>(first));
            for (int i = thread; i < count / 2 * Arg<a>::size; i += threads) {
                Gpu::copy_to_shared(to + i, from + i);
            }
        }
    }
    template <std::size_t... a>
    HALOCLINE_HD void load_value(LocalIndex place, LocalIndex number, int part,
                                 std::index_sequence<a...>) const {
        if (place < Memory::most_values) {
            (load_value_of<a>(place, number, part), ...);
        }
    }
    template <std::size_t a>
    HALOCLINE_HD void load_value_of(LocalIndex place, LocalIndex number, int part) const {
        if constexpr (comes_in_row_order<LoopT, Arg<a>>) {
            if (part < Arg<a>::size) {
                Gpu::copy_to_shared(memory_.template value_at<a>(place) + part,
                                    in_row_order<a>(number) + part);
            }
        }
    }

    HALOCLINE_HD void load_entries(LocalIndex first_slot, LocalIndex slots, int thread,
                                   int threads) const {
        constexpr int pairs = slice * sizeof(std::uint32_t) / sizeof(detail::Pair);  // of a slot
        const LocalIndex room = slots < Memory::most_slots ? slots : Memory::most_slots;
        const auto* const from = reinterpret_cast<const detail::Pair*>(
            loop_.rows.places + std::int64_t{first_slot} * slice);
        auto* const to = reinterpret_cast<detail::Pair*>(memory_.entries());
        for (LocalIndex i = thread; i < room * pairs; i += threads) {
            Gpu::copy_to_shared(to + i, from + i);
        }
    }

    template <std::size_t... a>
    HALOCLINE_HD void complete_all(LocalIndex end, LocalIndex sources, int thread, int threads,
                                   std::index_sequence<a...>) const {
        (complete_argument<a>(end, sources, thread, threads), ...);
    }
    template <std::size_t a>
    HALOCLINE_HD void complete_argument(LocalIndex end, LocalIndex sources, int thread,
                                        int threads) const {
        if constexpr (Memory::template is_derived<a>()) {
            const LocalIndex room =
                tile + sources < Memory::most_targets ? tile + sources : Memory::most_targets;
            const LocalIndex own = end - tile_ * tile;
            for (LocalIndex place = thread; place < room; place += threads) {
                if (place < own || place >= tile) {
                    complete_target<a>(place);
                }
            }
        }
    }
    template <std::size_t a>
    HALOCLINE_HD void complete_target(LocalIndex place) const {
        constexpr int stored = Arg<a>::DatT::dim;
        constexpr int size = Arg<a>::size;
        const ArgValues<a> values = detail::with_derived<typename Arg<a>::DatT, size>(
            memory_.template target<a, stored>(place));
        for (int p = stored / 2; p < (size + 1) / 2; ++p) {
            *memory_.template pair_at<a>(place, p) =
                detail::Pair{values[2 * p], values[2 * p + 1 < size ? 2 * p + 1 : 2 * p]};
        }
    }

    const L& loop_;
    LocalIndex tile_;
    Memory memory_;
};

}  // namespace halocline::device
