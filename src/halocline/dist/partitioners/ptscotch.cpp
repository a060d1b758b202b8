// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// PT-Scotch's k-way partition of the distributed graph.
#include "halocline/dist/ptscotch_kway.hpp"

namespace halocline::dist {

namespace {

class PtScotchPartitioner final : public Partitioner {
public:
    [[nodiscard]] std::vector<std::string> methods() const override { return {"kway"}; }
    [[nodiscard]] std::string library() const override { return ptscotch_version(); }
    [[nodiscard]] bool needs_graph() const override { return true; }
    [[nodiscard]] std::vector<int> partition(const Communicator& comm, const PartitionInput& input,
                                             std::string_view) const override {
        return partition_ptscotch_kway(comm, *input.graph, input.parts);
    }
};

}  // namespace

std::unique_ptr<Partitioner> make_ptscotch_partitioner() {
    return std::make_unique<PtScotchPartitioner>();
}

}  // namespace halocline::dist
