// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Whether derived values are worth making when their components change, or only when a loop reads
// them: as it was the last time.
#pragma once

#include <cstdint>
#include <vector>

namespace halocline {

/// Of one dat. Writers are identified by the numbers of their loops.
class DerivedDemand {
public:
    /// Whether what this writer leaves is likely to be read as derived values before it changes again;
    /// so it is taken to be as long as nothing is known.
    [[nodiscard]] bool expects_reader(std::uint64_t writer) const {
        if (last_ < writers_.size() && writers_[last_].id == writer) {
            return read_since_;
        }
        for (const Writer& known : writers_) {
            if (known.id == writer) {
                return known.was_read;
            }
        }
        return true;
    }
    /// Notes that a loop reads derived values.
    void note_reader() { read_since_ = true; }
    /// This writer changed components.
    void note_writer(std::uint64_t writer) {
        if (last_ < writers_.size()) {
            writers_[last_].was_read = read_since_;
        }
        read_since_ = false;
        for (last_ = 0; last_ < writers_.size(); ++last_) {
            if (writers_[last_].id == writer) {
                return;
            }
        }
        writers_.push_back({writer, true});
    }

private:
    struct Writer {
        std::uint64_t id;
        bool was_read;  ///< what it wrote last but once, or last where others wrote since
    };
    std::vector<Writer> writers_;
    std::size_t last_ = 0;  ///< who wrote last; behind the end: nobody yet
    bool read_since_ = false;
};

}  // namespace halocline
