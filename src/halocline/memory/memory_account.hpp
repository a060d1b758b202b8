// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What the memory of buffers is for, so that a run can say where its bytes are.
#pragma once

#include <cstdint>

namespace halocline {

/// What a buffer holds. values: all that no scope says otherwise of.
enum class MemoryUse : std::uint8_t { values, plans, copies };
inline constexpr int memory_uses = 3;  ///< number of uses

/// Buffers that this thread allocates within the scope count as `use` until they are freed.
class MemoryScope {
public:
    /// Books memory that this thread takes on `use` until the object ends.
    explicit MemoryScope(MemoryUse use) noexcept;
    ~MemoryScope();
    MemoryScope(const MemoryScope&) = delete;
    MemoryScope& operator=(const MemoryScope&) = delete;

private:
    MemoryUse outer_;
};

/// Bytes of all buffers of this process that count as `use` now, on the host.
[[nodiscard]] std::int64_t buffer_bytes(MemoryUse use) noexcept;

}  // namespace halocline
