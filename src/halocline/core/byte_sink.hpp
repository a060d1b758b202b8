// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Where a run of bytes is put together, piece by piece, on its way into a file.
#pragma once

#include <cstddef>

namespace halocline {

/// The run is where it belongs when its last byte is committed. Functions throw RunError.
class ByteSink {
public:
    /// Most bytes that `room` gives at once.
    static constexpr std::size_t most_room = std::size_t{1} << 16U;

    virtual ~ByteSink() = default;
    /// Where the next bytes of the run are to be put, at least `size` of them, at most `most_room`.
    /// Valid until `commit`.
    [[nodiscard]] virtual std::byte* room(std::size_t size) = 0;
    /// The next `size` bytes of the run are where `room` said.
    virtual void commit(std::size_t size) = 0;
};

}  // namespace halocline
