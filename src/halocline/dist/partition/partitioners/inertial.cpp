// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Recursive inertial bisection: each group is cut across its longest principal axis.
#include "halocline/dist/partition/geometric.hpp"
#include "halocline/dist/partition/inertial_bisection.hpp"
#include "halocline/dist/partition/partitioner.hpp"

namespace halocline::dist {

namespace {

class InertialPartitioner final : public GeometricPartitioner {
private:
    [[nodiscard]] std::string idea() const override { return "recursive inertial bisection"; }
    [[nodiscard]] std::vector<int> divide(const Communicator& comm,
                                          const PartitionInput& input) const override {
        return bisect_by_inertia(comm, input);
    }
};

}  // namespace

std::unique_ptr<Partitioner> make_inertial_partitioner() {
    return std::make_unique<InertialPartitioner>();
}

}  // namespace halocline::dist
