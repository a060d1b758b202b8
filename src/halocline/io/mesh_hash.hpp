// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A fingerprint of a mesh that does not depend on how it is distributed over ranks.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "halocline/core/communicator.hpp"
#include "halocline/mesh/declaration.hpp"

namespace halocline {

/// A sum over values and their positions, so that they can come in any order, rank by rank.
/// A fingerprint against mix-ups, not against forgery.
class MeshHash {
public:
    /// All maps, and the dats whose values are there.
    void add(const Communicator& comm, const MeshDeclaration& mesh);
    /// This rank's block of a dat of `rows` rows.
    void add_dat(const Communicator& comm, const std::string& name, GlobalIndex rows, int dim,
                 std::span<const double> block);
    /// 16 hexadecimal digits. Collective.
    [[nodiscard]] std::string text(const Communicator& comm) const;

private:
    std::uint64_t sum_ = 0;
};

}  // namespace halocline
