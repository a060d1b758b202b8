// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Owned, aligned, uninitialised host memory for field data and plans.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

namespace halocline {

namespace detail {

/// Cache-line aligned memory; large blocks ask for huge pages, because indirect loops walk them at
/// random and would otherwise miss the TLB. A kilobyte beyond the end may be read. Throws EnvironmentError naming the size when there is none.
[[nodiscard]] void* allocate_host(std::size_t bytes);
void free_host(void* memory, std::size_t bytes) noexcept;

}  // namespace detail

/// Fixed-size array of trivial values. Memory is not initialised: the threads that will use it
/// touch it first. Movable, not copyable.
template <class T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    Buffer() = default;
    /// `size` values, uninitialised. Throws EnvironmentError naming the size when memory is short.
    explicit Buffer(std::size_t size)
        : data_(size == 0 ? nullptr : static_cast<T*>(detail::allocate_host(size * sizeof(T)))),
          size_(size) {}
    /// `size` values, all of them `value`; this thread touches them first.
    Buffer(std::size_t size, T value) : Buffer(size) {
        for (std::size_t i = 0; i < size; ++i) {
            data_[i] = value;
        }
    }
    Buffer(Buffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)),
          size_(std::exchange(other.size_, 0)),
          borrowed_(std::exchange(other.borrowed_, false)) {}
    Buffer& operator=(Buffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(borrowed_, other.borrowed_);
        return *this;
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() {
        if (data_ != nullptr && !borrowed_) {
            detail::free_host(data_, size_ * sizeof(T));
        }
    }

    /// Memory that another buffer owns and keeps for as long as it is used.
    [[nodiscard]] static Buffer borrow(T* data, std::size_t size) {
        Buffer view;
        view.data_ = data;
        view.size_ = size;
        view.borrowed_ = true;
        return view;
    }

    /// First value; null where there is none.
    [[nodiscard]] T* data() noexcept { return data_; }
    /// First value; null where there is none.
    [[nodiscard]] const T* data() const noexcept { return data_; }
    /// Number of values.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// Whether there are no values.
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    /// Whether there is memory, and it goes with this buffer.
    [[nodiscard]] bool owns_memory() const noexcept { return data_ != nullptr && !borrowed_; }
    /// Value `i`; not checked.
    [[nodiscard]] T& operator[](std::size_t i) noexcept { return data_[i]; }
    /// Value `i`; not checked.
    [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return data_[i]; }
    /// First value.
    [[nodiscard]] T* begin() noexcept { return data_; }
    /// One past the last value.
    [[nodiscard]] T* end() noexcept { return data_ + size_; }
    /// First value.
    [[nodiscard]] const T* begin() const noexcept { return data_; }
    /// One past the last value.
    [[nodiscard]] const T* end() const noexcept { return data_ + size_; }

    /// Gives the memory back now.
    void release() noexcept { Buffer gone = std::move(*this); }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
    bool borrowed_ = false;
};

}  // namespace halocline
