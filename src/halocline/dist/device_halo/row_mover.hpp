// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rows of listed elements gathered into messages, and back, in the memory of a device.
#pragma once

#include <memory>
#include <span>

#include "halocline/memory/device.hpp"
#include "halocline/mesh/layout.hpp"

namespace halocline::dist {

/// Elements of one dat and the consecutive values of a message that stand for them: component d of
/// the k-th listed element is value k dim + d. All pointers are device memory.
struct RowSegment {
    RawDat dat;
    const LocalIndex* elements = nullptr;
    LocalIndex count = 0;
    double* message = nullptr;
};

/// Kernels of a device. Both calls queue their work on `stream` and return.
class RowMover {
public:
    virtual ~RowMover() = default;
    /// Dats to messages.
    virtual void gather(Stream& stream, std::span<const RowSegment> segments) = 0;
    /// Messages to dats.
    virtual void scatter(Stream& stream, std::span<const RowSegment> segments) = 0;
};

/// For a device of any kind. Throws EnvironmentError when this build has no kernels for it.
[[nodiscard]] std::unique_ptr<RowMover> make_row_mover(Device& device);

/// For CUDA devices; null in a build without CUDA.
[[nodiscard]] std::unique_ptr<RowMover> make_cuda_row_mover();

}  // namespace halocline::dist
