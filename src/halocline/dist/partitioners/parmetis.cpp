// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The name MG-CFD's scripts use by default. ParMETIS itself is not linked: PT-Scotch answers, and
// the report says so.
#include "halocline/dist/ptscotch_kway.hpp"

namespace halocline::dist {

namespace {

class ParMetisPartitioner final : public Partitioner {
public:
    [[nodiscard]] std::vector<std::string> methods() const override { return {"kway"}; }
    [[nodiscard]] std::string library() const override {
        return ptscotch_version() + " (in place of ParMETIS, which this build does not link)";
    }
    [[nodiscard]] bool needs_graph() const override { return true; }
    [[nodiscard]] std::vector<int> partition(const Communicator& comm, const PartitionInput& input,
                                             std::string_view) const override {
        return partition_ptscotch_kway(comm, *input.graph, input.parts);
    }
};

}  // namespace

std::unique_ptr<Partitioner> make_parmetis_partitioner() {
    return std::make_unique<ParMetisPartitioner>();
}

}  // namespace halocline::dist
