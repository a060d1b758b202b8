// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// An open-addressing table from a handle (never 0) to a value; grows, deletes without tombstones.
#pragma once

#include "memory.hpp"

#include <cstddef>
#include <cstdint>

namespace halocline::snapshot {

/// Spreads the bits of a key (the finaliser of MurmurHash3, A. Appleby, public domain constants).
inline std::uint64_t mix(std::uint64_t key) {
    key ^= key >> 33;
    key *= 0xff51afd7ed558ccdu;
    key ^= key >> 33;
    key *= 0xc4ceb9fe1a85ec53u;
    return key ^ (key >> 33);
}

/// Zero-filled memory is an empty table. Not for concurrent use: callers hold a lock.
template <class Value>
class HandleTable {
public:
    Value* find(std::uint64_t key) {
        if (size_ == 0) {
            return nullptr;
        }
        Slot& slot = slots_[position(key)];
        return slot.key == key ? &slot.value : nullptr;
    }

    /// The value of a key, zero-filled when it is new; null when memory is out.
    Value* insert(std::uint64_t key) {
        if (2 * (size_ + 1) > capacity_ && !grow()) {
            return nullptr;
        }
        Slot& slot = slots_[position(key)];
        if (slot.key != key) {
            slot = Slot{key, Value{}};
            ++size_;
        }
        return &slot.value;
    }

    void erase(std::uint64_t key) {
        if (size_ == 0) {
            return;
        }
        std::size_t hole = position(key);
        if (slots_[hole].key != key) {
            return;
        }
        // Pull back every later entry of the run that may live in the hole.
        for (std::size_t next = step(hole); slots_[next].key != 0; next = step(next)) {
            const std::size_t home = mix(slots_[next].key) & (capacity_ - 1);
            if (((next - home) & (capacity_ - 1)) >= ((next - hole) & (capacity_ - 1))) {
                slots_[hole] = slots_[next];
                hole = next;
            }
        }
        slots_[hole].key = 0;
        --size_;
    }

    void clear() {
        for (std::size_t i = 0; i < capacity_; ++i) {
            slots_[i].key = 0;
        }
        size_ = 0;
    }

private:
    struct Slot {
        std::uint64_t key;
        Value value;
    };

    std::size_t step(std::size_t index) const { return (index + 1) & (capacity_ - 1); }

    /// Where the key is, or the empty slot where it would go.
    std::size_t position(std::uint64_t key) const {
        std::size_t index = mix(key) & (capacity_ - 1);
        while (slots_[index].key != 0 && slots_[index].key != key) {
            index = step(index);
        }
        return index;
    }

    bool grow() {
        HandleTable larger{};
        larger.capacity_ = capacity_ == 0 ? 256 : 2 * capacity_;
        larger.slots_ = static_cast<Slot*>(map_pages(larger.capacity_ * sizeof(Slot)));
        if (larger.slots_ == nullptr) {
            return false;
        }
        for (std::size_t i = 0; i < capacity_; ++i) {
            if (slots_[i].key != 0) {
                *larger.insert(slots_[i].key) = slots_[i].value;
            }
        }
        unmap_pages(slots_, capacity_ * sizeof(Slot));
        *this = larger;
        return true;
    }

    Slot* slots_;
    std::size_t capacity_;
    std::size_t size_;
};

}  // namespace halocline::snapshot
