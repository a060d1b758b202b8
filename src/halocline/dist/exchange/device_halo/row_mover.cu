// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One launch for up to `segments_a_launch` segments: a thread a word, a grid row a segment.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "halocline/dist/exchange/device_halo/row_mover.hpp"
#include "halocline/memory/gpu/gpu.hpp"

namespace halocline::dist {

namespace {

constexpr int threads_a_block = 256;
/// As kernel arguments they need no copy of their own; 4 KiB is the limit.
constexpr std::size_t segments_a_launch = 42;
constexpr std::int64_t most_blocks_a_segment = 1024;
constexpr int most_exchanging_blocks = 256;
/// Of all ranks that share a GPU: eight fit a multiprocessor, and those that wait must leave room for
/// what they wait for.
constexpr int exchanging_blocks_a_multiprocessor = 4;

template <class Segment>
struct SegmentList {
    Segment segment[segments_a_launch];
};
static_assert(sizeof(SegmentList<PeerSegment>) + sizeof(PeerRounds) + sizeof(void*) <= 4000,
              "kernel arguments must fit 4 KiB");

/// Calls `work(w)` for the words of a segment's message that this thread stands for.
template <class Work>
__device__ void for_each_word(const ListedValues& values, const Work& work) {
    const std::int64_t words = values.words();
    const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
    for (std::int64_t w = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; w < words;
         w += step) {
        work(w);
    }
}

template <bool into_message>
__global__ void move_rows(const HALOCLINE_GRID_CONSTANT SegmentList<RowSegment> list) {
    const RowSegment& segment = list.segment[blockIdx.y];
    auto* const message = reinterpret_cast<std::uint64_t*>(segment.message);
    for_each_word(segment, [&](std::int64_t w) {
        if constexpr (into_message) {
            message[w] = segment.word(w);
        } else {
            segment.set_word(w, message[w]);
        }
    });
}

/// Rows of `dim` values of eight bytes: a thread reads a row, a block writes its rows word by word.
template <int dim>
__global__ void __launch_bounds__(threads_a_block)
    gather_whole_rows(const HALOCLINE_GRID_CONSTANT RowSegment segment) {
    __shared__ std::uint64_t tile[threads_a_block * dim];
    const auto* const values = reinterpret_cast<const std::uint64_t*>(segment.dat.values);
    auto* const message = reinterpret_cast<std::uint64_t*>(segment.message);
    const std::int64_t first = std::int64_t{blockIdx.x} * threads_a_block;
    const auto rows = static_cast<int>(
        segment.count - first < threads_a_block ? segment.count - first : threads_a_block);
    const auto own = static_cast<int>(threadIdx.x);
    if (own < rows) {
        const LocalIndex element = Gpu::load_once(&segment.elements[first + own]);
#pragma unroll
        for (int d = 0; d < dim; ++d) {
            tile[own * dim + d] = values[segment.dat.layout.offset(element, d)];
        }
    }
    __syncthreads();
    for (int w = own; w < rows * dim; w += threads_a_block) {
        Gpu::store_once(&message[first * dim + w], tile[w]);
    }
}

/// Blocks that send come first in the grid: those that wait never keep them out. One of the last adds
/// its time to `elapsed_ns`: launches come one after the other.
__global__ void exchange_rows(const HALOCLINE_GRID_CONSTANT SegmentList<PeerSegment> list,
                              const PeerRounds rounds, std::uint64_t* elapsed_ns) {
    const std::uint64_t begin_ns = Gpu::nanoseconds();
    const PeerSegment& segment = list.segment[blockIdx.y];
    std::uint32_t* const ended = &rounds.ended[blockIdx.y * gridDim.x + blockIdx.x];
    const std::uint32_t round = *ended + 1;
    PeerValue* const message = segment.message + round % 2 * segment.slot_values;
    if (blockIdx.x == 0 && blockIdx.y == 0) {
        for (int n = static_cast<int>(threadIdx.x); n < rounds.notice_count; n += threads_a_block) {
            put_bits(rounds.notices[n].there + round % 2, 0, round);
        }
    }
    if (segment.leaves) {
        for_each_word(segment,
                      [&](std::int64_t w) { put_bits(&message[w], segment.word(w), round); });
    } else {
        for_each_word(segment,
                      [&](std::int64_t w) { segment.set_word(w, take_bits(&message[w], round)); });
    }
    const bool is_last_row = blockIdx.x == 0 && blockIdx.y + 1 == gridDim.y;
    if (is_last_row) {
        for (int n = static_cast<int>(threadIdx.x); n < rounds.notice_count; n += threads_a_block) {
            static_cast<void>(take_bits(rounds.notices[n].here + round % 2, round));
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        *ended = round;
        if (is_last_row) {
            *elapsed_ns += Gpu::nanoseconds() - begin_ns;
        }
    }
}

constexpr const char* failure = "packing a halo on the GPU failed";

/// Segments of one launch and its blocks: a grid row a segment.
template <class Segment>
struct Part {
    SegmentList<Segment> list;
    GpuGrid grid;
};

/// As many as fit.
template <class Segment>
Part<Segment> make_part(std::span<const Segment> segments, std::int64_t most_blocks) {
    Part<Segment> part{};
    std::int64_t longest = 1;
    for (std::size_t s = 0; s < segments.size(); ++s) {
        part.list.segment[s] = segments[s];
        longest = std::max(longest, std::int64_t{segments[s].count} * segments[s].dat.dim);
    }
    const std::int64_t blocks = (longest + threads_a_block - 1) / threads_a_block;
    part.grid = {static_cast<unsigned>(std::clamp<std::int64_t>(blocks, 1, most_blocks)),
                 static_cast<unsigned>(segments.size()), threads_a_block};
    return part;
}

template <bool into_message>
void launch_rows(Stream& stream, std::span<const RowSegment> segments) {
    while (!segments.empty()) {
        const std::size_t count = std::min(segments_a_launch, segments.size());
        const auto part = make_part(segments.first(count), most_blocks_a_segment);
        Gpu::launch(move_rows<into_message>, part.grid, native_stream(stream), failure, part.list);
        segments = segments.subspan(count);
    }
}

/// From so many rows on a segment has a launch of its own, which reads each row once.
constexpr LocalIndex rows_of_own_launch = 1 << 16;
constexpr int most_whole_values = 8;

bool has_own_launch(const RowSegment& segment) {
    const bool whole =
        segment.dat.type == ElementType::float64 || segment.dat.type == ElementType::int64;
    return whole && segment.count >= rows_of_own_launch && segment.dat.dim <= most_whole_values;
}

template <int dim = 1>
void launch_whole_rows(Stream& stream, const RowSegment& segment) {
    if constexpr (dim <= most_whole_values) {
        if (segment.dat.dim != dim) {
            launch_whole_rows<dim + 1>(stream, segment);
            return;
        }
        const auto blocks = static_cast<unsigned>((segment.count - 1) / threads_a_block + 1);
        Gpu::launch(gather_whole_rows<dim>, {blocks, 1, threads_a_block}, native_stream(stream),
                    failure, segment);
    }
}

class GpuRowMover final : public RowMover {
public:
    explicit GpuRowMover(Device& device)
        : device_(device), elapsed_ns_(MemoryKind::device, sizeof(std::uint64_t), &device) {
        const std::uint64_t none = 0;
        copy_now(device_, elapsed_ns_.data(), &none, sizeof none, CopyDirection::to_device);
    }
    void gather(Stream& stream, std::span<const RowSegment> segments) override {
        std::vector<RowSegment> short_ones;
        for (const RowSegment& segment : segments) {
            if (has_own_launch(segment)) {
                launch_whole_rows(stream, segment);
            } else {
                short_ones.push_back(segment);
            }
        }
        launch_rows<true>(stream, short_ones);
    }
    void scatter(Stream& stream, std::span<const RowSegment> segments) override {
        launch_rows<false>(stream, segments);
    }
    /// What leaves comes first, so that no launch waits for what a later one would send.
    void exchange(Stream& stream, const PeerRounds& rounds,
                  std::span<const PeerSegment> segments) override {
        PeerRounds of_part = rounds;
        const int blocks =
            std::clamp(exchanging_blocks_a_multiprocessor * multiprocessors_ / rounds.sharing_ranks,
                       1, most_exchanging_blocks);
        while (!segments.empty()) {
            const std::size_t count =
                std::min({segments_a_launch, segments.size(), static_cast<std::size_t>(blocks)});
            const auto part = make_part(segments.first(count), blocks / static_cast<int>(count));
            Gpu::launch(exchange_rows, part.grid, native_stream(stream), failure, part.list,
                        of_part, reinterpret_cast<std::uint64_t*>(elapsed_ns_.data()));
            of_part.ended += part.grid.blocks * part.grid.rows;
            of_part.notice_count = 0;
            segments = segments.subspan(count);
        }
    }
    [[nodiscard]] double exchange_seconds() const override {
        std::uint64_t elapsed_ns = 0;
        copy_now(device_, &elapsed_ns, elapsed_ns_.data(), sizeof elapsed_ns,
                 CopyDirection::to_host);
        return 1e-9 * static_cast<double>(elapsed_ns);
    }

private:
    Device& device_;
    SpaceBuffer elapsed_ns_;
    int multiprocessors_ = Gpu::count_multiprocessors();
};

}  // namespace

std::unique_ptr<RowMover> make_gpu_row_mover(Device& device) {
    return std::make_unique<GpuRowMover>(device);
}

}  // namespace halocline::dist
