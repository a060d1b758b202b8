// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The shape of a kernel's launch, for every family of GPUs.
#pragma once

namespace halocline {

struct GpuGrid {
    unsigned blocks = 1;        ///< in x
    unsigned rows = 1;          ///< of blocks, in y
    unsigned threads = 1;       ///< of a block
    unsigned shared_bytes = 0;  ///< of a block, asked for at the launch [bytes]
    /// Whether it may begin before the launches before it have ended: its threads call
    /// `wait_for_previous`.
    bool follows_closely = false;
};

}  // namespace halocline
