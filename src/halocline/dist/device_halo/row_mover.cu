// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One launch for up to `segments_a_launch` segments: a thread a value, a grid row a segment.
#include <algorithm>
#include <string>

#include "halocline/core/error.hpp"
#include "halocline/dist/device_halo/row_mover.hpp"
#include "halocline/memory/cuda_device.hpp"

namespace halocline::dist {

namespace {

constexpr int threads_a_block = 256;
/// As kernel arguments they need no copy of their own; 4 KiB is the limit.
constexpr std::size_t segments_a_launch = 48;

struct SegmentList {
    RowSegment segment[segments_a_launch];
};
static_assert(sizeof(SegmentList) <= 4000, "kernel arguments must fit 4 KiB");

template <bool into_message>
__global__ void move_rows(SegmentList list) {
    const RowSegment& segment = list.segment[blockIdx.y];
    const int dim = segment.dat.dim;
    const std::int64_t values = std::int64_t{segment.count} * dim;
    const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
    for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < values;
         i += step) {
        const auto k = static_cast<LocalIndex>(i / dim);
        const auto d = static_cast<int>(i - std::int64_t{k} * dim);
        double& value = segment.dat.values[segment.dat.layout.offset(segment.elements[k], d)];
        if constexpr (into_message) {
            segment.message[i] = value;
        } else {
            value = segment.message[i];
        }
    }
}

void check_launch() {
    const cudaError_t status = cudaGetLastError();
    validate<RunError>(status == cudaSuccess, std::string("packing a halo on the GPU failed (") +
                                                  cudaGetErrorName(status) + ": " +
                                                  cudaGetErrorString(status) + ").");
}

template <bool into_message>
void launch(Stream& stream, std::span<const RowSegment> segments) {
    auto* const native = static_cast<cudaStream_t>(native_stream(stream));
    for (std::size_t first = 0; first < segments.size(); first += segments_a_launch) {
        const std::size_t count = std::min(segments_a_launch, segments.size() - first);
        SegmentList list{};
        std::int64_t longest = 1;
        for (std::size_t s = 0; s < count; ++s) {
            list.segment[s] = segments[first + s];
            longest =
                std::max(longest, std::int64_t{list.segment[s].count} * list.segment[s].dat.dim);
        }
        const auto blocks = static_cast<unsigned>(
            std::min<std::int64_t>((longest + threads_a_block - 1) / threads_a_block, 1024));
        move_rows<into_message>
            <<<dim3(blocks, static_cast<unsigned>(count)), threads_a_block, 0, native>>>(list);
        check_launch();
    }
}

class CudaRowMover final : public RowMover {
public:
    void gather(Stream& stream, std::span<const RowSegment> segments) override {
        launch<true>(stream, segments);
    }
    void scatter(Stream& stream, std::span<const RowSegment> segments) override {
        launch<false>(stream, segments);
    }
};

}  // namespace

std::unique_ptr<RowMover> make_cuda_row_mover() { return std::make_unique<CudaRowMover>(); }

}  // namespace halocline::dist
