// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Memory for the tool's own tables: straight from the kernel, zero-filled, never the program's heap.
#pragma once

#include <cstddef>
#include <type_traits>

namespace halocline::snapshot {

/// Zero-filled pages; null when the kernel has none. Safe in a signal handler.
void* map_pages(std::size_t bytes);
void unmap_pages(void* address, std::size_t bytes);

/// Small pieces that live as long as the process, 64-byte aligned; null when memory is out.
void* allocate(std::size_t bytes);

/// Zero-filled array of a type for which zero bytes are a valid value.
template <class T>
T* allocate_array(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    return static_cast<T*>(allocate(count * sizeof(T)));
}

/// A buffer of one thread that grows and is never given back.
template <class T>
class Scratch {
public:
    /// At least `count` elements, earlier content lost when it grows; null when memory is out.
    T* at_least(std::size_t count) {
        if (count > capacity_) {
            if (data_ != nullptr) {
                unmap_pages(data_, capacity_ * sizeof(T));
            }
            capacity_ = count + count / 2 + 64;
            data_ = static_cast<T*>(map_pages(capacity_ * sizeof(T)));
            if (data_ == nullptr) {
                capacity_ = 0;
            }
        }
        return data_;
    }

private:
    T* data_;
    std::size_t capacity_;
};

}  // namespace halocline::snapshot
