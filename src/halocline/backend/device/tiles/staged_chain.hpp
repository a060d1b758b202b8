// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Shared-memory staging of all two-ended loops of a chain, in the memory of one block.
#pragma once

#include "halocline/backend/device/tiles/staged_tile.hpp"

namespace halocline::device {

namespace detail {

/// Values that a thread holds at once: those of a chain's largest kernel.
template <class... Loops>
[[nodiscard]] constexpr int largest_kernel() {
    int largest = 0;
    ((largest = kernel_values<Loops> > largest ? kernel_values<Loops> : largest), ...);
    return largest;
}

}  // namespace detail

/// Whether a chain's kernels are small: its threads wait most of their time.
template <class... Loops>
inline constexpr bool is_light = detail::largest_kernel<Loops...>() <= 10;

/// Blocks, one a tile, that a multiprocessor works on at once.
template <class... Loops>
inline constexpr int tiles_at_once =
    (is_light<Loops...> ? GpuFigures::light_threads_at_once : GpuFigures::threads_at_once) / tile;
/// How far ahead of a tile lists are prefetched.
template <class... Loops>
inline constexpr int tiles_ahead = GpuFigures::multiprocessors_ahead* tiles_at_once<Loops...>;
/// Shared memory for a block's stage: its part of the multiprocessor's, less what the block takes for
/// itself and what its reductions need.
template <class... Loops>
inline constexpr int staging_bytes = (GpuFigures::shared_bytes / tiles_at_once<Loops...> -
                                      GpuFigures::reserved_shared_bytes - 256) /
                                     16 * 16;

template <class... Loops>
class StagedChain {
    using View = ChainView<Loops...>;
    using Indices = typename View::Indices;
    template <std::size_t l>
    using LoopAt = TupleElement<l, Tuple<Loops...>>;
    static constexpr int staged_loops = (0 + ... + (is_staged<Loops> ? 1 : 0));
    static constexpr int bytes_each =
        staged_loops == 0 ? 0 : staging_bytes<Loops...> / (16 * staged_loops) * 16;

public:
    static constexpr bool any = staged_loops > 0;
    static constexpr int bytes = staging_bytes<Loops...>;
    template <std::size_t l>
    using Stage = StagedTile<LoopAt<l>, bytes_each>;

    HALOCLINE_HD StagedChain(const View& view, LocalIndex tile_number, unsigned char* memory)
        : view_(view), tile_(tile_number), memory_(memory) {}

    /// Starts what `thread` of `threads` copies; calls `wait` before it reads what loops change.
    template <class Wait>
    HALOCLINE_HD void load(int thread, int threads, Wait&& wait) {
        load_loops(thread, threads, wait, Indices{});
    }
    /// Prefetches the lists of a tile that another block will soon begin.
    HALOCLINE_HD void prefetch_lists(LocalIndex other) const {
        prefetch_lists_of_loops(other, Indices{});
    }
    /// Called when the copies of `thread` have arrived: adds the values derived from them.
    HALOCLINE_HD void complete(int thread, int threads) const {
        complete_loops(thread, threads, Indices{});
    }
    template <std::size_t l>
    [[nodiscard]] HALOCLINE_HD Stage<l> stage() const {
        constexpr int at = offset(l);
        return {get<l>(view_.loops), tile_, memory_ + at};
    }
    /// Finds a dat of type `DatT` that lies at `memory` among the staged values.
    template <class DatT, int size>
    HALOCLINE_HD bool find(const double* memory, LocalIndex target,
                           Values<double, size>& values) const {
        return find_in_loops<DatT>(memory, target, values, Indices{});
    }

private:
    static constexpr int offset(std::size_t l) {
        constexpr bool is_staged_loop[] = {is_staged<Loops>...};
        int before = 0;
        for (std::size_t k = 0; k < l; ++k) {
            before += is_staged_loop[k] ? bytes_each : 0;
        }
        return before;
    }

    template <class Wait, std::size_t... l>
    HALOCLINE_HD void load_loops(int thread, int threads, Wait& wait, std::index_sequence<l...>) {
        (load_loop<l>(thread, threads, wait), ...);
    }
    template <std::size_t l, class Wait>
    HALOCLINE_HD void load_loop(int thread, int threads, Wait& wait) {
        if constexpr (is_staged<LoopAt<l>>) {
            sources_[l] = stage<l>().load(view_.end, thread, threads, wait);
        }
    }
    template <std::size_t... l>
    HALOCLINE_HD void prefetch_lists_of_loops(LocalIndex other, std::index_sequence<l...>) const {
        (prefetch_lists_of_loop<l>(other), ...);
    }
    template <std::size_t l>
    HALOCLINE_HD void prefetch_lists_of_loop(LocalIndex other) const {
        if constexpr (is_staged<LoopAt<l>>) {
            stage<l>().prefetch_lists(other);
        }
    }
    template <std::size_t... l>
    HALOCLINE_HD void complete_loops(int thread, int threads, std::index_sequence<l...>) const {
        (complete_loop<l>(thread, threads), ...);
    }
    template <std::size_t l>
    HALOCLINE_HD void complete_loop(int thread, int threads) const {
        if constexpr (is_staged<LoopAt<l>>) {
            stage<l>().complete(view_.end, sources_[l], thread, threads);
        }
    }

    template <class DatT, int size, std::size_t... l>
    HALOCLINE_HD bool find_in_loops(const double* memory, LocalIndex target,
                                    Values<double, size>& values, std::index_sequence<l...>) const {
        return (find_in_loop<l, DatT>(memory, target, values) || ...);
    }
    template <std::size_t l, class DatT, int size>
    HALOCLINE_HD bool find_in_loop(const double* memory, LocalIndex target,
                                   Values<double, size>& values) const {
        if constexpr (is_staged<LoopAt<l>>) {
            using Args = TwoEndedArgs<LoopAt<l>>;
            constexpr std::size_t a = Args::template second_end_of<DatT>();
            if constexpr (a < Args::none) {
                if constexpr (size <= LoopView<LoopAt<l>>::template Arg<a>::size) {
                    if (stage<l>().template reads<a>(memory)) {
                        const auto brought = stage<l>().template target<a>(target % tile);
                        for (int d = 0; d < size; ++d) {
                            values[d] = brought[d];
                        }
                        return true;
                    }
                }
            }
        }
        return false;
    }

    const View& view_;
    LocalIndex tile_;
    unsigned char* memory_;
    LocalIndex sources_[sizeof...(Loops)] = {};
};

}  // namespace halocline::device
