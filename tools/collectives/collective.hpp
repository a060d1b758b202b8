// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One call of the program, as something that can be passed on or done in pieces.
#pragma once

#include "collectives/communicators.hpp"
#include "collectives/pieces.hpp"

#include <cstddef>

namespace halocline::endpoints {

/// Memory of the program that a collective writes on this rank.
struct Region {
    void* buffer = nullptr;
    std::size_t count = 0;
    MPI_Datatype type{};
};

/// The values that a reduction combines, of this rank.
struct Reduced {
    enum class By { nothing, exactly, sum, product };
    By by = By::nothing;
    Region values;
};

class Collective {
public:
    Collective(const Collective&) = delete;
    Collective& operator=(const Collective&) = delete;
    virtual ~Collective() = default;

    /// The call as the program made it.
    virtual int plain() = 0;
    /// Before and after the pieces, in the calling thread: packs and unpacks.
    virtual void begin() {}
    virtual void end() {}
    /// One piece on the communicator of its endpoint; runs in any thread.
    virtual int piece(int index, int pieces, MPI_Comm on) = 0;

    /// What the call writes here; count 0: nothing.
    [[nodiscard]] virtual Region output() const = 0;
    /// What is reduced, for judging rounding.
    [[nodiscard]] virtual Reduced reduced() const { return {}; }

    [[nodiscard]] KindOfCall kind() const { return kind_; }
    [[nodiscard]] MPI_Comm communicator() const { return communicator_; }
    /// Bytes of the message; the same on all ranks, except for Alltoallv.
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

protected:
    Collective(Function function, MPI_Comm communicator, std::size_t bytes);

private:
    KindOfCall kind_;
    MPI_Comm communicator_;
    std::size_t bytes_;
};

/// Passes a call on, splits it or makes it part of a trial, as its communicator has learnt.
int perform(Collective& call);

}  // namespace halocline::endpoints
