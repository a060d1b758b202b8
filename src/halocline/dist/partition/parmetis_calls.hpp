// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// ParMETIS's interface, answered by ParMETIS itself or by PT-Scotch's compatibility library.
#pragma once

#include <string_view>

#include "halocline/dist/partition/partitioner.hpp"

namespace halocline::dist {

/// What this build links for calls of ParMETIS.
enum class ParMetisProvider {
    none,           ///< nothing: PT-Scotch is called directly, where there is one
    compatibility,  ///< PT-Scotch's library with ParMETIS's interface: k-way only
    genuine,        ///< ParMETIS
};

/// What this build has.
[[nodiscard]] ParMetisProvider parmetis_provider();

/// The library that answers, with version. The compatibility library of PT-Scotch 7.0.3 crashes or hangs with
/// unequal target weights: PT-Scotch is then called directly.
[[nodiscard]] std::string parmetis_library(Targets targets);

/// ParMETIS_V3_PartKway, or ParMETIS_V3_PartGeomKway for the method `geomkway` (genuine only). Part
/// of each vertex of this rank's block; consumes the graph. Collective.
[[nodiscard]] std::vector<int> call_parmetis(const Communicator& comm, const PartitionInput& input,
                                             std::string_view method);

}  // namespace halocline::dist
