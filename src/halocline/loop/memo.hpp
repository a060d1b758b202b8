// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Memoisation: what was made for a key is found again by it.
#pragma once

#include <list>
#include <utility>

namespace halocline {

/// Values by key, each made once. There are few keys: they are compared one by one.
template <class Key, class Value>
class Memo {
public:
    /// The value of `key`, or null before it was made.
    [[nodiscard]] const Value* find(const Key& key) const {
        for (const Entry& entry : entries_) {
            if (entry.key == key) {
                return &entry.value;
            }
        }
        return nullptr;
    }
    /// The value of `key`, the first time from `make()`; it stays where it is.
    template <class Make>
    const Value& get(Key key, Make&& make) {
        if (const Value* known = find(key)) {
            return *known;
        }
        entries_.push_back({std::move(key), make()});
        return entries_.back().value;
    }
    /// The next `get` of `key` makes its value again.
    void forget(const Key& key) {
        entries_.remove_if([&](const Entry& entry) { return entry.key == key; });
    }

private:
    struct Entry {
        Key key;
        Value value;
    };
    std::list<Entry> entries_;
};

}  // namespace halocline
