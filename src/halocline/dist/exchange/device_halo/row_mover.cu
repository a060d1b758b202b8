// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One launch for up to `segments_a_launch` segments: a thread a word, a grid row a segment.
#include <algorithm>
#include <cstdint>
#include <string>

#include "halocline/core/error.hpp"
#include "halocline/dist/exchange/device_halo/row_mover.hpp"
#include "halocline/dist/exchange/device_halo/segment_words.hpp"
#include "halocline/memory/cuda_device.hpp"

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
static_assert(sizeof(SegmentList<PeerSegment>) + sizeof(PeerRounds) <= 4000,
              "kernel arguments must fit 4 KiB");

/// Calls `work(values, w)` for the words of a segment's message that this thread stands for.
template <class Segment, class Work>
__device__ void for_each_word(const Segment& segment, const Work& work) {
    const ListedValues values{segment.dat, segment.elements, segment.count};
    const std::int64_t words = values.words();
    const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
    for (std::int64_t w = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; w < words;
         w += step) {
        work(values, w);
    }
}

template <bool into_message>
__global__ void move_rows(const __grid_constant__ SegmentList<RowSegment> list) {
    const RowSegment& segment = list.segment[blockIdx.y];
    auto* const message = reinterpret_cast<std::uint64_t*>(segment.message);
    for_each_word(segment, [&](const ListedValues& values, std::int64_t w) {
        if constexpr (into_message) {
            message[w] = values.word(w);
        } else {
            values.set_word(w, message[w]);
        }
    });
}

/// Blocks that send come first in the grid: those that wait never keep them out.
__global__ void exchange_rows(const __grid_constant__ SegmentList<PeerSegment> list,
                              const PeerRounds rounds) {
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
        for_each_word(segment, [&](const ListedValues& values, std::int64_t w) {
            put_bits(&message[w], values.word(w), round);
        });
    } else {
        for_each_word(segment, [&](const ListedValues& values, std::int64_t w) {
            values.set_word(w, take_bits(&message[w], round));
        });
    }
    if (blockIdx.x == 0 && blockIdx.y + 1 == gridDim.y) {
        for (int n = static_cast<int>(threadIdx.x); n < rounds.notice_count; n += threads_a_block) {
            static_cast<void>(take_bits(rounds.notices[n].here + round % 2, round));
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        *ended = round;
    }
}

void check_launch() {
    const cudaError_t status = cudaGetLastError();
    validate<RunError>(status == cudaSuccess, std::string("packing a halo on the GPU failed (") +
                                                  cudaGetErrorName(status) + ": " +
                                                  cudaGetErrorString(status) + ").");
}

/// Segments of one launch and its blocks: a grid row a segment.
template <class Segment>
struct Part {
    SegmentList<Segment> list;
    dim3 grid;
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
    part.grid = dim3(static_cast<unsigned>(std::clamp<std::int64_t>(blocks, 1, most_blocks)),
                     static_cast<unsigned>(segments.size()));
    return part;
}

cudaStream_t native(Stream& stream) { return static_cast<cudaStream_t>(native_stream(stream)); }

template <bool into_message>
void launch_rows(Stream& stream, std::span<const RowSegment> segments) {
    while (!segments.empty()) {
        const std::size_t count = std::min(segments_a_launch, segments.size());
        const auto part = make_part(segments.first(count), most_blocks_a_segment);
        move_rows<into_message><<<part.grid, threads_a_block, 0, native(stream)>>>(part.list);
        check_launch();
        segments = segments.subspan(count);
    }
}

int count_multiprocessors() {
    int device = 0;
    int count = 0;
    const bool known =
        cudaGetDevice(&device) == cudaSuccess &&
        cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device) == cudaSuccess;
    return known ? count : 1;
}

class CudaRowMover final : public RowMover {
public:
    void gather(Stream& stream, std::span<const RowSegment> segments) override {
        launch_rows<true>(stream, segments);
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
            exchange_rows<<<part.grid, threads_a_block, 0, native(stream)>>>(part.list, of_part);
            check_launch();
            of_part.ended += part.grid.x * part.grid.y;
            of_part.notice_count = 0;
            segments = segments.subspan(count);
        }
    }

private:
    int multiprocessors_ = count_multiprocessors();
};

}  // namespace

std::unique_ptr<RowMover> make_cuda_row_mover() { return std::make_unique<CudaRowMover>(); }

}  // namespace halocline::dist
