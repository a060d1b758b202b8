// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The curve, and what every geometric partitioner shares.
#include "halocline/dist/partition/geometric.hpp"

#include "halocline/dist/partition/graph_refinement.hpp"
#include "halocline/dist/partition/hilbert.hpp"
#include "halocline/dist/partition/key_cuts.hpp"

namespace halocline::dist {

std::vector<int> partition_along_curve(const Communicator& comm, const PartitionInput& input) {
    const BoundingBox box = united_box(comm, bounding_box(input.points, input.dim));
    return cut_by_key(comm, hilbert_keys(input.points, input.dim, box), input.targets);
}

std::string GeometricPartitioner::library(std::string_view method, Targets) const {
    return "halocline (" + idea() + (method == "geomkway" ? ", then k-way refinement)" : ")");
}

std::vector<int> GeometricPartitioner::partition(const Communicator& comm,
                                                 const PartitionInput& input,
                                                 std::string_view method) const {
    std::vector<int> part = divide(comm, input);
    if (method == "geomkway") {
        refine_partition(comm, GhostedGraph(comm, *input.graph), input.targets, part);
    }
    return part;
}

}  // namespace halocline::dist
