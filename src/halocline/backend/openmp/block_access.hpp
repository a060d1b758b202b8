// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Several elements of a dat at once: packs of aligned blocks, and rows reached through a map.
#pragma once

#include <utility>

#include "halocline/core/smaller.hpp"
#include "halocline/loop/adjacent_rows.hpp"
#include "halocline/loop/element_place.hpp"
#include "halocline/loop/loop.hpp"

namespace halocline::detail {

/// Packs that make a block of eight elements.
inline constexpr int packs_a_block = simd_lanes / pack_lanes;

/// A pack's place in a set: which of a block's packs it is.
struct PackPlace {
    LocalIndex block;
    int part;

    /// The pack's first lane within the block; zero is known where packs are whole blocks.
    [[nodiscard]] int lane() const { return packs_a_block == 1 ? 0 : part * pack_lanes; }
    [[nodiscard]] LocalIndex element() const { return block * simd_lanes + lane(); }
};

/// Calls `work(place)` for the packs of block `b` that have elements of the `owned` ones.
template <class Work>
[[gnu::always_inline]] inline void for_each_pack(LocalIndex b, LocalIndex owned, Work&& work) {
    for (int part = 0; part < packs_a_block; ++part) {
        const PackPlace place{b, part};
        if (part == 0 || place.element() < owned) {
            work(place);
        }
    }
}

/// How what a loop changes reaches its dat.
struct StoreHow {
    StoreMode mode = StoreMode::cached;
    bool completes = true;  ///< derived values follow at once; else they are old from now on
};

/// Temporaries of consecutive blocks, from one block's to the next.
struct Tiles {
    double* first = nullptr;
    int step = 0;

    /// Of the block at a place among them; null without temporaries.
    [[nodiscard]] double* of(LocalIndex place) const { return first + place * step; }
};

/// Where a dat argument's values are, resolved once a loop call.
struct BoundDat {
    double* base = nullptr;  ///< memory in words; `base_of` and `block_of` know what lies in it
    std::int64_t block_step = 0;      ///< values from one block of eight elements to the next
    int tile_offset = -1;             ///< temporaries: position in the thread's tile
    bool starts_empty = false;        ///< temporaries: what is in the tile counts for nothing yet
    const LocalIndex* map = nullptr;  ///< rows of the map, or null
    const double* slots = nullptr;    ///< slot copy for gathers, or null
    LocalIndex owned = 0;
    /// Read through the map that leads to the block of targets which a loop with one column changes.
    bool reads_targets = false;
    StoreHow how;
};

template <class Arg>
[[gnu::always_inline]] inline typename Arg::Stored* base_of(const BoundDat& view) {
    return reinterpret_cast<typename Arg::Stored*>(view.base);
}
/// Values of block `b`, in the dat or in the thread's tile.
template <class Arg>
[[gnu::always_inline]] inline typename Arg::Stored* block_of(const BoundDat& view, LocalIndex b,
                                                             double* tiles) {
    return view.tile_offset < 0 ? base_of<Arg>(view) + b * view.block_step
                                : reinterpret_cast<typename Arg::Stored*>(tiles + view.tile_offset);
}

/// Rows that are one cache line: loaded whole and transposed in registers.
template <class DatT>
inline constexpr bool is_full_row = !uses_lanes<DatT> && row_stride<DatT> == simd_lanes &&
                                    std::is_same_v<typename DatT::Stored, double>;

/// Rows of few doubles that lie one after the other.
template <class DatT>
inline constexpr bool are_adjacent_rows =
    !uses_lanes<DatT> && !uses_derived<DatT> && has_adjacent_form<DatT::dim> &&
    std::is_same_v<typename DatT::Stored, double>;

/// One value an element, side by side.
template <class DatT>
inline constexpr bool is_narrow = DatT::dim == 1 && !uses_derived<DatT>;

/// A pack of values that lie side by side, aligned where they are doubles.
[[gnu::always_inline]] inline Pack load_column(const double* memory) { return Pack::load(memory); }
template <class T>
[[gnu::always_inline]] inline ValueOf<T, Pack> load_column(const T* memory) {
    return as_value<T>(Pack(load_lanes<Vector>(memory)));
}
[[gnu::always_inline]] inline void store_column(double* memory, Pack values, StoreMode mode) {
    if (mode == StoreMode::streamed) {
        values.stream(memory);
    } else {
        values.store(memory);
    }
}
template <class T>
[[gnu::always_inline]] inline void store_column(T* memory, const ValueOf<T, Pack>& values,
                                                StoreMode mode) {
    stream_lanes(memory, as_lanes(values).lanes, mode == StoreMode::streamed);
}

/// Components of a pack of elements whose rows follow each other.
template <class Arg>
[[gnu::always_inline]] inline ArgValues<Arg, Pack> load_rows_from(
    const typename Arg::Stored* first_row) {
    using DatT = typename Arg::DatT;
    using Stored = typename Arg::Stored;
    const Stored* rows[pack_lanes];
    for (int lane = 0; lane < pack_lanes; ++lane) {
        rows[lane] = first_row + lane * row_stride<DatT>;
    }
    if constexpr (is_full_row<DatT>) {
        return load_full_rows<Arg::size>(rows);
    } else {
        return as_values<Stored>(load_rows<Arg::size>(rows));
    }
}

/// Components of the elements of a block from lane `first` on.
template <class Arg>
[[gnu::always_inline]] inline ArgValues<Arg, Pack> load_block(const typename Arg::Stored* memory,
                                                              int first) {
    using DatT = typename Arg::DatT;
    using Stored = typename Arg::Stored;
    if constexpr (uses_lanes<DatT> || (DatT::dim == 1 && !uses_derived<DatT>)) {
        return make_values<ValueOf<Stored, Pack>, Arg::size>(
            [&](int d) { return load_column(memory + d * simd_lanes + first); });
    } else if constexpr (are_adjacent_rows<DatT>) {
        return load_adjacent_rows<DatT::dim>(memory + first * DatT::dim);
    } else {
        return load_rows_from<Arg>(memory + first * row_stride<DatT>);
    }
}

/// Components of elements anywhere.
template <class Arg>
[[gnu::always_inline]] inline ArgValues<Arg, Pack> load_at(const typename Arg::Stored* base,
                                                           const LocalIndex* elements) {
    using DatT = typename Arg::DatT;
    using Stored = typename Arg::Stored;
    if constexpr (uses_lanes<DatT>) {
        const Stored* first[pack_lanes];
        for (int lane = 0; lane < pack_lanes; ++lane) {
            first[lane] = element_begin<DatT>(base, elements[lane]);
        }
        return make_values<ValueOf<Stored, Pack>, Arg::size>(
            [&](int d) { return as_value<Stored>(Pack(collect<Vector>(first, d * simd_lanes))); });
    } else {
        const Stored* rows[pack_lanes];
        for (int lane = 0; lane < pack_lanes; ++lane) {
            rows[lane] = base + static_cast<std::int64_t>(elements[lane]) * row_stride<DatT>;
        }
        if constexpr (is_full_row<DatT>) {
            return load_full_rows<Arg::size>(rows);
        } else {
            return as_values<Stored>(load_rows<Arg::size>(rows));
        }
    }
}

template <class Arg>
[[gnu::always_inline]] inline ArgValues<Arg, Pack> load_at_rows(const typename Arg::Stored* base,
                                                                const std::uint32_t* offsets) {
    if constexpr (is_full_row<typename Arg::DatT>) {
        const double* rows[pack_lanes];
        for (int lane = 0; lane < pack_lanes; ++lane) {
            rows[lane] = base + offsets[lane];
        }
        return load_full_rows<Arg::size>(rows);
    } else {
        LocalIndex elements[pack_lanes];
        for (int lane = 0; lane < pack_lanes; ++lane) {
            elements[lane] = static_cast<LocalIndex>(offsets[lane] / simd_lanes);
        }
        return load_at<Arg>(base, elements);
    }
}

/// Components of elements that follow each other from any place on.
template <class Arg>
[[gnu::always_inline]] inline ArgValues<Arg, Pack> load_run(const typename Arg::Stored* base,
                                                            LocalIndex first) {
    using DatT = typename Arg::DatT;
    using Stored = typename Arg::Stored;
    if constexpr (is_narrow<DatT>) {
        return make_values<ValueOf<Stored, Pack>, 1>(
            [&](int) { return as_value<Stored>(Pack(load_lanes<Vector>(base + first))); });
    } else if constexpr (uses_lanes<DatT>) {
        LocalIndex elements[pack_lanes];
        for (int lane = 0; lane < pack_lanes; ++lane) {
            elements[lane] = first + lane;
        }
        return load_at<Arg>(base, elements);
    } else {
        return load_rows_from<Arg>(base + std::int64_t{first} * row_stride<DatT>);
    }
}

/// All values of a row: components, derived values (or zeros, where these do not follow), zeros.
template <class DatT>
[[gnu::always_inline]] inline Values<Pack, row_stride<DatT>> complete_row(
    const Values<Pack, DatT::dim>& values, bool completes) {
    using Function = typename DatT::Storage::Function;
    Values<Pack, Function::size> extra =
        make_values<Pack, Function::size>([](int) { return Pack(0.0); });
    if (completes) {
        Function{}(values, extra);
    }
    return make_values<Pack, row_stride<DatT>>([&](int d) {
        return d < DatT::dim ? values[d < DatT::dim ? d : 0]
               : d - DatT::dim < Function::size
                   ? extra[d - DatT::dim < Function::size ? d - DatT::dim : 0]
                   : Pack(0.0);
    });
}

/// Puts the components of `lanes` consecutive rows back, and what `complete_row` makes of them.
template <class DatT>
[[gnu::always_inline]] inline void store_derived_rows(const Values<Pack, DatT::dim>& values,
                                                      double* first_row, int lanes, StoreHow how) {
    const Values<Pack, row_stride<DatT>> row = complete_row<DatT>(values, how.completes);
    if constexpr (is_full_row<DatT>) {
        store_full_rows(row, first_row, lanes, how.mode);
    } else {
        store_strided_rows<row_stride<DatT>>(row, first_row, lanes);
    }
}

/// Derived values of all rows from `first_row` on, wherever in a block it lies.
template <class DatT>
void refresh_rows(DatStore& store, LocalIndex first_row) {
    constexpr int stride = row_stride<DatT>;
    const LocalIndex end = store.set->rows();
    for (LocalIndex i = first_row; i < end; i += pack_lanes) {
        double* first = store.values.data() + static_cast<std::int64_t>(i) * stride;
        const double* rows[pack_lanes];
        for (int lane = 0; lane < pack_lanes; ++lane) {
            rows[lane] = first + lane * stride;
        }
        const int lanes = smaller(pack_lanes, end - i);
        if constexpr (is_full_row<DatT>) {
            store_derived_rows<DatT>(load_full_rows<DatT::dim>(rows), first, lanes, {});
        } else {
            store_derived_rows<DatT>(load_rows<DatT::dim>(rows), first, lanes, {});
        }
    }
}

/// The same for halo rows, which arrive without derived values.
template <class DatT>
void refresh_halo_rows(DatStore& store) {
    refresh_rows<DatT>(store, store.set->owned);
}

/// Puts the elements of a block from lane `first` on back; `lanes` of them exist. Derived values follow
/// their components.
template <class Arg>
[[gnu::always_inline]] inline void store_block(typename Arg::Stored* memory, int first,
                                               const ArgValues<Arg, Pack>& values, int lanes,
                                               StoreHow how = {}) {
    using DatT = typename Arg::DatT;
    using Stored = typename Arg::Stored;
    if constexpr (uses_derived<DatT>) {
        store_derived_rows<DatT>(values, memory + first * row_stride<DatT>, lanes, how);
    } else if constexpr (is_full_row<DatT>) {
        store_full_rows(values, memory + first * simd_lanes, lanes, how.mode);
    } else if constexpr (uses_lanes<DatT> || DatT::dim == 1) {
        // Only packs that are whole cache lines go past the caches.
        const StoreMode way = packs_a_block == 1 ? how.mode : StoreMode::cached;
        for (int d = 0; d < Arg::size; ++d) {
            Stored* begin = memory + d * simd_lanes + first;
            if (lanes < pack_lanes) {
                for (int lane = 0; lane < lanes; ++lane) {
                    store_element(begin + lane, narrowed_lane<Stored>(values[d], lane));
                }
            } else {
                store_column(begin, values[d], way);
            }
        }
    } else {
        if constexpr (are_adjacent_rows<DatT>) {
            if (lanes >= pack_lanes) {
                store_adjacent_rows(values, memory + first * DatT::dim, how.mode);
                return;
            }
        }
        if constexpr (std::is_same_v<Stored, double>) {
            store_strided_rows<DatT::dim>(values, memory + first * DatT::dim, lanes);
        } else {
            for (int lane = 0; lane < lanes; ++lane) {
                for (int d = 0; d < Arg::size; ++d) {
                    store_element(memory + (first + lane) * DatT::dim + d,
                                  narrowed_lane<Stored>(values[d], lane));
                }
            }
        }
    }
}

/// The same for what a kernel made: increments are added to what is there.
template <class Arg>
[[gnu::always_inline]] inline void change_block(typename Arg::Stored* memory, int first,
                                                const ArgValues<Arg, Pack>& values, int lanes,
                                                StoreHow how = {}) {
    if constexpr (Arg::access == Access::inc) {
        const ArgValues<Arg, Pack> before = load_block<Arg>(memory, first);
        store_block<Arg>(memory, first,
                         make_values<ValueOf<typename Arg::Stored, Pack>, Arg::size>(
                             [&](int d) { return before[d] + values[d]; }),
                         lanes, {StoreMode::cached, how.completes});
    } else {
        store_block<Arg>(memory, first, values, lanes, how);
    }
}

/// Puts elements anywhere back; nothing where an element is negative. Derived values follow.
template <class Arg>
[[gnu::always_inline]] inline void store_at(const BoundDat& view, const LocalIndex* elements,
                                            const ArgValues<Arg, Pack>& values) {
    auto* const base = base_of<Arg>(view);
    using DatT = typename Arg::DatT;
    const auto put = [&](const auto& row) {
        constexpr int size = std::remove_cvref_t<decltype(row)>::size;
        alignas(64) double rows[pack_lanes * row_room<size>];
        store_rows<size>(row, rows);
        for (int lane = 0; lane < pack_lanes; ++lane) {
            if (elements[lane] < 0) {
                continue;
            }
            auto* own = element_begin<DatT>(base, elements[lane]);
            for (int d = 0; d < size; ++d) {
                put_lane(own + d * component_step<DatT>, rows[lane * row_room<size> + d]);
            }
        }
    };
    const auto put_complete = [&](const ArgValues<Arg, Pack>& stored) {
        if constexpr (uses_derived<DatT>) {
            put(complete_row<DatT>(stored, view.how.completes));
        } else {
            put(as_lanes(stored));
        }
    };
    if constexpr (Arg::access == Access::inc) {
        LocalIndex safe[pack_lanes];
        for (int lane = 0; lane < pack_lanes; ++lane) {
            safe[lane] = larger(elements[lane], 0);
        }
        const ArgValues<Arg, Pack> before = load_at<Arg>(base, safe);
        put_complete(make_values<ValueOf<typename Arg::Stored, Pack>, Arg::size>(
            [&](int d) { return before[d] + values[d]; }));
    } else {
        put_complete(values);
    }
}

}  // namespace halocline::detail
