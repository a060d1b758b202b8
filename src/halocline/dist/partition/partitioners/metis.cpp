// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// METIS, a serial library: rank 0 gathers the graph, so only graphs below a limit are taken.
#include "halocline/core/error.hpp"
#include "halocline/dist/partition/metis_kway.hpp"

namespace halocline::dist {

namespace {

class MetisPartitioner final : public Partitioner {
public:
    [[nodiscard]] std::vector<std::string> methods() const override { return {"kway"}; }
    [[nodiscard]] std::string library(std::string_view, Targets) const override {
        return metis_version();
    }
    [[nodiscard]] bool available(std::string_view) const override { return has_metis(); }
    [[nodiscard]] bool needs_graph(std::string_view) const override { return true; }
    [[nodiscard]] std::vector<int> partition(const Communicator& comm, const PartitionInput& input,
                                             std::string_view) const override {
        return partition_metis_kway(comm, *input.graph, input.targets);
    }
};

}  // namespace

std::unique_ptr<Partitioner> make_metis_partitioner() {
    return std::make_unique<MetisPartitioner>();
}

}  // namespace halocline::dist
