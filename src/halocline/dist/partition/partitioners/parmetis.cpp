// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The name MG-CFD's scripts use by default. ParMETIS answers where it is linked; PT-Scotch's
// compatibility library has k-way only, so the geometric methods are then our own of the same idea.
#include "halocline/dist/partition/geometric.hpp"
#include "halocline/dist/partition/graph_contraction.hpp"
#include "halocline/dist/partition/graph_refinement.hpp"
#include "halocline/dist/partition/parmetis_calls.hpp"
#include "halocline/dist/partition/ptscotch_kway.hpp"

namespace halocline::dist {

namespace {

class ParMetisPartitioner final : public Partitioner {
public:
    [[nodiscard]] std::vector<std::string> methods() const override {
        return {"kway", "geom", "geomkway"};
    }
    [[nodiscard]] std::string library(std::string_view method, Targets targets) const override {
        if (calls_parmetis(method)) {
            return parmetis_library(targets);
        }
        return method == "geom" ? "halocline (Hilbert curve, in place of ParMETIS)"
                                : "halocline (Hilbert curve, then k-way refinement, in place of "
                                  "ParMETIS)";
    }
    [[nodiscard]] bool available(std::string_view method) const override {
        return !calls_parmetis(method) || parmetis_provider() != ParMetisProvider::none ||
               has_ptscotch();
    }
    [[nodiscard]] bool needs_graph(std::string_view method) const override {
        return method != "geom";
    }
    [[nodiscard]] bool needs_coordinates(std::string_view method) const override {
        return method != "kway";
    }
    [[nodiscard]] std::vector<int> partition(const Communicator& comm, const PartitionInput& input,
                                             std::string_view method) const override {
        if (parmetis_provider() == ParMetisProvider::genuine && calls_parmetis(method)) {
            return call_parmetis(comm, input, method);
        }
        if (method == "kway") {
            return divide_contracted(comm, *input.graph, input.targets,
                                     [&](DistributedGraph& graph) {
                                         PartitionInput whole = input;
                                         whole.graph = &graph;
                                         return call_parmetis(comm, whole, method);
                                     });
        }
        std::vector<int> part = partition_along_curve(comm, input);
        if (method == "geomkway") {
            refine_partition(comm, GhostedGraph(comm, *input.graph), input.targets, part);
        }
        return part;
    }

private:
    /// ParMETIS's own `geom` makes as many parts as there are ranks, and equal ones: not used.
    static bool calls_parmetis(std::string_view method) {
        return method == "kway" ||
               (method == "geomkway" && parmetis_provider() == ParMetisProvider::genuine);
    }
};

}  // namespace

std::unique_ptr<Partitioner> make_parmetis_partitioner() {
    return std::make_unique<ParMetisPartitioner>();
}

}  // namespace halocline::dist
