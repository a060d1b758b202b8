// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One source for both libraries: the interface is the same, names and integer types differ.
#include "halocline/dist/partition/parmetis_calls.hpp"

#include "halocline/core/error.hpp"
#include "halocline/dist/partition/ptscotch_kway.hpp"

#if HALOCLINE_PARMETIS_GENUINE || HALOCLINE_PARMETIS_COMPATIBLE

#include <mpi.h>

#include <cstdlib>
#include <limits>

#include "halocline/dist/migration/rows.hpp"
#include "halocline/dist/partition/target_sizes.hpp"

#if HALOCLINE_PARMETIS_GENUINE
#include <parmetis.h>
#else
// PT-Scotch's headers use these without including them.
#include <cstdint>
#include <cstdio>

#include <ptscotch.h>

#define SCOTCH_METIS_PREFIX  // only the names that cannot clash with METIS's own
#include <parmetis.h>
#endif

namespace halocline::dist {

namespace {

#if HALOCLINE_PARMETIS_GENUINE
using Integer = idx_t;
using Real = real_t;
#else
using Integer = SCOTCH_Num;
using Real = float;
#endif

constexpr int parmetis_ok = 1;  // METIS_OK of either library
constexpr Integer no_weights = 0;
constexpr Integer weights_of_both = 3;  // of edges and vertices
constexpr double allowed_imbalance = 1.01;

/// The arguments that calls share, in the library's types.
struct Call {
    std::vector<Integer> blocks;  ///< first vertex of each rank, and the end
    std::vector<Integer> offsets;
    std::vector<Integer> neighbours;
    std::vector<Real> shares;
    std::vector<Real> imbalance{static_cast<Real>(allowed_imbalance)};
    std::vector<Integer> options{1, 0, 15};  ///< given, silent, seed
    std::vector<Integer> part;
    std::vector<Integer> vertex_weights;
    std::vector<Integer> edge_weights;
    Integer weights = no_weights;
    Integer base = 0;
    Integer constraints = 1;
    Integer parts = 1;
    Integer cut = 0;
};

void check_parmetis_size(const Communicator& comm, const DistributedGraph& graph) {
    const std::int64_t ends = comm.sum(static_cast<std::int64_t>(graph.neighbours.size()));
    constexpr std::int64_t limit = std::numeric_limits<Integer>::max();
    validate<InputError>(graph.vertices < limit && ends < limit,
                         "the graph is too large for " + parmetis_library(Targets::equal) + " (" +
                             std::to_string(ends) + " edge ends, its integers hold " +
                             std::to_string(limit) + "). Choose the partitioner 'sfc'.");
}

std::vector<Integer> converted(std::vector<std::int64_t>& values) {
    std::vector<Integer> result(values.begin(), values.end());
    release(values);
    result.reserve(1);  // never a null pointer
    return result;
}

Call prepare(const Communicator& comm, const PartitionInput& input) {
    Call call;
    DistributedGraph& graph = *input.graph;
    call.blocks.assign(graph.starts.begin(), graph.starts.end());
    for (int rank = 0; graph.starts.empty() && rank < comm.size(); ++rank) {
        call.blocks.push_back(
            static_cast<Integer>(block_range(graph.vertices, rank, comm.size()).begin));
    }
    if (graph.starts.empty()) {
        call.blocks.push_back(static_cast<Integer>(graph.vertices));
    }
    call.offsets = converted(graph.offsets);
    call.neighbours = converted(graph.neighbours);
    call.vertex_weights = converted(graph.vertex_weights);
    call.edge_weights = converted(graph.edge_weights);
    call.weights = graph.weighted ? weights_of_both : no_weights;
    if (is_equal(input.targets)) {
        call.shares.assign(input.targets.size(), Real{1} / static_cast<Real>(input.parts));
    } else {
        const std::vector<float> shares = target_shares(input.targets);
        call.shares.assign(shares.begin(), shares.end());
    }
    call.part.assign(call.offsets.size(), 0);  // one more than vertices: never a null pointer
    call.parts = static_cast<Integer>(input.parts);
    return call;
}

int call_kway(Call& c, MPI_Comm comm) {
#if HALOCLINE_PARMETIS_GENUINE
    return ParMETIS_V3_PartKway(
#else
    return SCOTCH_ParMETIS_V3_PartKway(
#endif
        c.blocks.data(), c.offsets.data(), c.neighbours.data(), c.vertex_weights.data(),
        c.edge_weights.data(), &c.weights, &c.base, &c.constraints, &c.parts, c.shares.data(),
        c.imbalance.data(), c.options.data(), &c.cut, c.part.data(), &comm);
}

#if HALOCLINE_PARMETIS_GENUINE
int call_geomkway(Call& c, const PartitionInput& input, MPI_Comm comm) {
    auto dim = static_cast<Integer>(input.dim);
    std::vector<Real> points(input.points.begin(), input.points.end());
    points.reserve(1);
    return ParMETIS_V3_PartGeomKway(c.blocks.data(), c.offsets.data(), c.neighbours.data(), nullptr,
                                    nullptr, &c.weights, &c.base, &dim, points.data(),
                                    &c.constraints, &c.parts, c.shares.data(), c.imbalance.data(),
                                    c.options.data(), &c.cut, c.part.data(), &comm);
}
#endif

}  // namespace

ParMetisProvider parmetis_provider() {
#if HALOCLINE_PARMETIS_GENUINE
    return ParMetisProvider::genuine;
#else
    return ParMetisProvider::compatibility;
#endif
}

std::string parmetis_library([[maybe_unused]] Targets targets) {
#if HALOCLINE_PARMETIS_GENUINE
    return "ParMETIS " + std::to_string(PARMETIS_MAJOR_VERSION) + "." +
           std::to_string(PARMETIS_MINOR_VERSION) + "." + std::to_string(PARMETIS_SUBMINOR_VERSION);
#else
    return ptscotch_version() + (targets == Targets::weighted
                                     ? " (directly: its ParMETIS library takes no weights)"
                                     : " (its ParMETIS compatibility library)");
#endif
}

std::vector<int> call_parmetis(const Communicator& comm, const PartitionInput& input,
                               [[maybe_unused]] std::string_view method) {
#if !HALOCLINE_PARMETIS_GENUINE
    if (!is_equal(input.targets)) {
        return partition_ptscotch_kway(comm, *input.graph, input.targets);
    }
#endif
    check_parmetis_size(comm, *input.graph);
    Call call = prepare(comm, input);
#if HALOCLINE_PARMETIS_GENUINE
    const int status =
        method == "geomkway" ? call_geomkway(call, input, comm.get()) : call_kway(call, comm.get());
#else
    SCOTCH_randomReset();                     // the library draws from one sequence: begin it anew
    setenv("SCOTCH_PTHREAD_NUMBER", "1", 0);  // more threads give another answer at each call
    const int status = call_kway(call, comm.get());
#endif
    run_agreed(comm, [&] {
        validate<RunError>(status == parmetis_ok, "partitioning failed (" +
                                                      parmetis_library(Targets::equal) +
                                                      " returned " + std::to_string(status) +
                                                      "). Choose the partitioner 'sfc'.");
    });
    return {call.part.begin(), call.part.end() - 1};
}

}  // namespace halocline::dist

#else

namespace halocline::dist {

ParMetisProvider parmetis_provider() { return ParMetisProvider::none; }

std::string parmetis_library(Targets) {
    return ptscotch_version() + " (in place of ParMETIS, which this build does not link)";
}

std::vector<int> call_parmetis(const Communicator& comm, const PartitionInput& input,
                               std::string_view) {
    return partition_ptscotch_kway(comm, *input.graph, input.targets);
}

}  // namespace halocline::dist

#endif
