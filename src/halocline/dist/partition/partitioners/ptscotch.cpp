// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// PT-Scotch's k-way partition of the distributed graph.
#include "halocline/dist/partition/graph_contraction.hpp"
#include "halocline/dist/partition/ptscotch_kway.hpp"

namespace halocline::dist {

namespace {

class PtScotchPartitioner final : public Partitioner {
public:
    [[nodiscard]] std::vector<std::string> methods() const override { return {"kway"}; }
    [[nodiscard]] std::string library(std::string_view, Targets) const override {
        return ptscotch_version();
    }
    [[nodiscard]] bool available(std::string_view) const override { return has_ptscotch(); }
    [[nodiscard]] bool needs_graph(std::string_view) const override { return true; }
    [[nodiscard]] std::vector<int> partition(const Communicator& comm, const PartitionInput& input,
                                             std::string_view) const override {
        return divide_contracted(comm, *input.graph, input.targets, [&](DistributedGraph& graph) {
            return partition_ptscotch_kway(comm, graph, input.targets);
        });
    }
};

}  // namespace

std::unique_ptr<Partitioner> make_ptscotch_partitioner() {
    return std::make_unique<PtScotchPartitioner>();
}

}  // namespace halocline::dist
