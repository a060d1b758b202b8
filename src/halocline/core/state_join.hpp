// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reductions of states of several integers by a rule of our own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "halocline/core/communicator.hpp"

namespace halocline {

/// An MPI operation on states of `width` integers. Stays until MPI ends.
class StateJoin {
public:
    /// `join` joins `*count` states at `others` into those at `into`, and gives the same in any order.
    StateJoin(int width, MPI_User_function* join);
    /// Every rank gets all ranks' states joined. Collective.
    void over_ranks(const Communicator& comm, std::int64_t* state) const;

private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
    MPI_Op operation_ = MPI_OP_NULL;
};

/// All ranks' states joined by `join(into, other)`, which must give the same in any order: log P messages
/// a rank, whatever the library takes for a reduction. Collective.
template <auto join, std::size_t width>
[[nodiscard]] std::array<std::int64_t, width> join_over_ranks(
    const Communicator& comm, std::array<std::int64_t, width> state) {
    static const StateJoin operation(
        static_cast<int>(width), [](void* others, void* into, int* count, MPI_Datatype*) {
            for (std::size_t i = 0; i < static_cast<std::size_t>(*count); ++i) {
                join(static_cast<std::int64_t*>(into) + i * width,
                     static_cast<const std::int64_t*>(others) + i * width);
            }
        });
    operation.over_ranks(comm, state.data());
    return state;
}

}  // namespace halocline
