// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Whether an object that somebody points to still exists.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace halocline {

/// Lets others check whether the object that has it still exists. A copy is another object.
class Lifetime {
    /// Its number changes when the object ends. Cells are used again but never given back, so that whoever
    /// watches may look at any time.
    struct Cell {
        std::atomic<std::uint64_t> number{0};
    };

public:
    /// Expires with the object. Copying one, and looking, takes no longer than with a pointer.
    class Watch {
    public:
        constexpr Watch() = default;  ///< of nothing: expired
        /// Whether the object ended, or was moved from.
        [[nodiscard]] bool expired() const noexcept {
            return cell_ == nullptr || cell_->number.load(std::memory_order_acquire) != number_;
        }

    private:
        friend class Lifetime;
        explicit Watch(const Cell* cell) noexcept
            : cell_(cell),
              number_(cell == nullptr ? 0 : cell->number.load(std::memory_order_relaxed)) {}

        const Cell* cell_ = nullptr;
        std::uint64_t number_ = 0;
    };

    Lifetime() noexcept : cell_(take_cell()) {}  ///< begins
    /// A copy of an object lives by itself: nobody watches it yet.
    Lifetime(const Lifetime&) noexcept : Lifetime() {}
    Lifetime& operator=(const Lifetime&) noexcept { return *this; }
    Lifetime(Lifetime&& other) noexcept : cell_(std::exchange(other.cell_, nullptr)) {}
    Lifetime& operator=(Lifetime&& other) noexcept {
        if (this != &other) {
            give_back(std::exchange(cell_, std::exchange(other.cell_, nullptr)));
        }
        return *this;
    }
    ~Lifetime() { give_back(cell_); }

    /// What expires when this object ends, or is moved from.
    [[nodiscard]] Watch watch() const noexcept { return Watch(cell_); }

private:
    static Cell* take_cell() noexcept;
    static void give_back(Cell* cell) noexcept;
    struct Pool;

    Cell* cell_;  ///< null: moved from
};

}  // namespace halocline
