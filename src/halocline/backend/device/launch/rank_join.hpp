// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reductions joined over ranks by their devices, which write to each other's memory: the host takes no
// part, so what follows can be queued at once, and recorded.
#pragma once

#include <span>

#include "halocline/backend/device/views/views.hpp"
#include "halocline/core/communicator.hpp"
#include "halocline/loop/args.hpp"
#include "halocline/loop/extreme_keys.hpp"
#include "halocline/memory/peer_memory.hpp"
#include "halocline/memory/peer_value.hpp"

namespace halocline::device {

/// One component of a reduction.
struct JoinItem {
    GlobalPlace* place = nullptr;
    Access access = Access::inc;
};

inline constexpr int most_join_items = 8;
inline constexpr int most_join_ranks = 64;

/// What one rank found for one item, as words: a key, or a sum's top, whether it is finite, its digits.
struct JoinPart {
    static constexpr int words = 3 + exact::digits;
    std::int64_t word[words];

    static HALOCLINE_HD std::int64_t word_of(const GlobalPlace& place, int w) {
        return w == 0   ? place.rank_key
               : w == 1 ? place.rank_sum.top
               : w == 2 ? place.rank_sum.not_finite
                        : place.rank_sum.digit[w - 3];
    }
    [[nodiscard]] HALOCLINE_HD std::int64_t key() const { return word[0]; }
    [[nodiscard]] HALOCLINE_HD exact::PartialSum sum() const {
        exact::PartialSum result{word[1], word[2], {}};
        for (int k = 0; k < exact::digits; ++k) {
            result.digit[k] = word[3 + k];
        }
        return result;
    }
};

/// What a rank's peer memory holds: two slots, used in turns, of words by rank that sent them.
struct JoinMemory {
    PeerValue word[2][most_join_ranks][most_join_items * JoinPart::words];
};

/// One join, with all that its kernel needs.
struct JoinView {
    int rank = 0;
    int ranks = 0;
    int items = 0;
    JoinItem item[most_join_items];
    std::uint32_t* ended = nullptr;       ///< joins so far
    JoinMemory* memory[most_join_ranks];  ///< by rank, as this rank's device sees it

    template <class Visitor>
    void visit(Visitor&& visitor) {
        for (int k = 0; k < items; ++k) {
            visitor.pointer(item[k].place);
        }
        visitor.pointer(ended);
        for (int r = 0; r < ranks; ++r) {
            visitor.pointer(memory[r]);
        }
    }
};

/// A join by `threads` threads, in steps; between two of them all threads wait for each other. `parts`
/// is memory that they share, by rank and item.
class JoinRun {
public:
    HALOCLINE_HD JoinRun(const JoinView& view, JoinPart* parts)
        : view_(view), parts_(parts), round_(*view.ended + 1) {}

    HALOCLINE_HD void exchange(int thread, int threads) {
        const int each = view_.items * JoinPart::words;
        for (int i = thread; i < view_.ranks * each; i += threads) {
            const std::int64_t word = JoinPart::word_of(
                *view_.item[i % each / JoinPart::words].place, i % each % JoinPart::words);
            put_bits(&view_.memory[i / each]->word[round_ % 2][view_.rank][i % each],
                     static_cast<std::uint64_t>(word), round_);
        }
        for (int i = thread; i < view_.ranks * each; i += threads) {
            const std::uint64_t word =
                take_bits(&view_.memory[view_.rank]->word[round_ % 2][i / each][i % each], round_);
            parts_[i / JoinPart::words].word[i % JoinPart::words] = static_cast<std::int64_t>(word);
        }
    }
    HALOCLINE_HD void join(int thread, int threads) {
        for (int k = thread; k < view_.items; k += threads) {
            join_item(k, *view_.item[k].place);
        }
        if (thread == 0) {
            *view_.ended = round_;
        }
    }

private:
    HALOCLINE_HD void join_item(int k, GlobalPlace& place) const {
        switch (view_.item[k].access) {
            case Access::inc:
                place.value = place.before + sum_of(k).value();
                break;
            case Access::min:
                place.value = from_extreme_key<true>(extreme_of<true>(k));
                break;
            default:
                place.value = from_extreme_key<false>(extreme_of<false>(k));
        }
    }
    [[nodiscard]] HALOCLINE_HD const JoinPart& part(int rank, int k) const {
        return parts_[rank * view_.items + k];
    }
    [[nodiscard]] HALOCLINE_HD exact::PartialSum sum_of(int k) const {
        exact::PartialSum total = part(0, k).sum();
        for (int r = 1; r < view_.ranks; ++r) {
            total.merge(part(r, k).sum());
        }
        return total;
    }
    template <bool smallest>
    [[nodiscard]] HALOCLINE_HD std::int64_t extreme_of(int k) const {
        std::int64_t found = part(0, k).key();
        for (int r = 1; r < view_.ranks; ++r) {
            const std::int64_t key = part(r, k).key();
            found = (smallest ? key < found : key > found) ? key : found;
        }
        return found;
    }

    const JoinView& view_;
    JoinPart* parts_;
    std::uint32_t round_;
};

/// All ranks of a communicator whose devices can write to each other.
class RankJoin {
public:
    /// Throws EnvironmentError on all ranks where they cannot, or are more than `most_join_ranks`. Both
    /// outlive the join. Collective.
    RankJoin(const Communicator& comm, Device& device);
    /// Collective; nothing is queued any more.
    ~RankJoin() = default;

    /// The join of these places. Throws ContractError when they are too many.
    [[nodiscard]] JoinView view(std::span<const JoinItem> items) const;
    /// Queues it: the places hold the values over all ranks then. Throws RunError when the device refuses
    /// the kernel. Collective, in the same order on all ranks.
    void queue(Stream& stream, const JoinView& view);

private:
    Device& device_;
    int rank_;
    int ranks_;
    PeerMemory memory_;
    SpaceBuffer ended_;
};

/// The kernel on GPUs; throws ContractError in a build without. `stream`: see `Stream::native`.
void launch_join_on_gpu(const JoinView& view, void* stream);

}  // namespace halocline::device
