// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Pieces of Hilbert's space-filling curve, equal in size; optionally refined on the graph.
#include "halocline/dist/partition/geometric.hpp"
#include "halocline/dist/partition/partitioner.hpp"

namespace halocline::dist {

namespace {

class CurvePartitioner final : public GeometricPartitioner {
private:
    [[nodiscard]] std::string idea() const override { return "Hilbert curve"; }
    [[nodiscard]] std::vector<int> divide(const Communicator& comm,
                                          const PartitionInput& input) const override {
        return partition_along_curve(comm, input);
    }
};

}  // namespace

std::unique_ptr<Partitioner> make_sfc_partitioner() { return std::make_unique<CurvePartitioner>(); }

}  // namespace halocline::dist
