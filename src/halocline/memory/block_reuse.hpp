// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Large blocks that are freed serve the next ones, for steps that allocate and free much.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>

namespace halocline {

/// While one exists, freed large blocks of all buffers are kept for later ones. A page that the system
/// gives is cleared first, which took 40 % of the making of a hierarchy; a page that is used again is
/// not. The memory that is kept goes back when the last one has ended.
class BlockReuse {
public:
    /// Begins to keep freed blocks.
    BlockReuse();
    ~BlockReuse() { end(); }
    BlockReuse(const BlockReuse&) = delete;
    BlockReuse& operator=(const BlockReuse&) = delete;

    /// Ends it early, whoever else holds it.
    void end();

private:
    bool has_ended_ = false;
};

namespace detail {

/// Address space with unused memory, in whole huge pages. Any thread.
class FreeBlocks {
public:
    /// Notes a scope that keeps blocks; the end of the last one gives all of them to the system.
    void open();
    void close();
    /// A block of `length` bytes, the front of the smallest that is long enough; null without one.
    [[nodiscard]] void* take(std::size_t length);
    /// Keeps a block; false where no scope asks for that.
    [[nodiscard]] bool keep(void* memory, std::size_t length);

private:
    std::mutex mutex_;
    int scopes_ = 0;
    std::map<std::byte*, std::size_t> blocks_;  ///< by address; neighbours are one block
};

[[nodiscard]] FreeBlocks& free_blocks();

}  // namespace detail

}  // namespace halocline
