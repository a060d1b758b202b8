// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a core does while others do the same: little pieces of work, each of a microsecond or some.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace halocline::cores {

/// Kinds of work.
enum class Kind {
    multiply_add,  ///< independent multiply-adds in registers; counted in operations
    divide,        ///< independent divisions and square roots in registers; counted in both
    triad,         ///< a = b + s c; counted in bytes, 24 an element (J. D. McCalpin, STREAM, 1995)
    gather,        ///< reads of lines at random places, which do not wait for each other; in lines
};

/// multiply_add, divide, triad, gather.
[[nodiscard]] std::string name_of(Kind kind);

/// Whether it works on memory, so that the size of its arrays matters.
[[nodiscard]] bool uses_memory(Kind kind);

/// One core's work of one kind, going on where its last piece ended.
class Work {
public:
    /// `set`: the memory that it works on, filled with finite numbers; not used by computing.
    Work(Kind kind, std::span<double> set);

    /// Does a piece; returns how much that was, in the unit of its kind.
    double piece();

    /// Pieces until all of the set was worked on once, so that caches hold what they can; 1 of computing.
    [[nodiscard]] std::size_t pieces_of_pass() const;

private:
    double multiply_add();
    double divide();
    double triad();
    double gather();

    Kind kind_;
    std::span<double> set_;
    std::size_t place_ = 0;     ///< of the next piece in each array
    std::uint64_t random_ = 1;  ///< state of the places of lines
};

}  // namespace halocline::cores
