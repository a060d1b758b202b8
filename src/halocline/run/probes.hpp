// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Values of a solver's fields at the nodes next to given points.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/mesh/dat_store.hpp"
#include "halocline/mesh/part.hpp"
#include "halocline/run/output_field.hpp"

namespace halocline::run {

/// The node of the finest level that is nearest to a point; of several the first in the file.
struct Probe {
    std::array<double, 3> point{};
    GlobalIndex node = -1;  ///< place in the file, from 0
    std::array<double, 3> position{};
    int owner = -1;         ///< rank
    LocalIndex local = -1;  ///< on its owner; -1 on all other ranks
};

/// @param coordinates  (nodes, 3), owned nodes first
/// @note Collective.
[[nodiscard]] std::vector<Probe> find_probes(const Communicator& comm, const SetPart& nodes,
                                             std::span<const double> coordinates,
                                             const std::vector<std::array<double, 3>>& points);

/// All components of `fields` at each probe, probe by probe, on every rank. Collective.
[[nodiscard]] std::vector<double> probe_values(const Communicator& comm,
                                               const std::vector<Probe>& probes,
                                               const std::vector<OutputField>& fields,
                                               const DatStore& state);

}  // namespace halocline::run
