// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Degrees and columns travel to rank 0, parts travel back.
#include "halocline/dist/partition/metis_kway.hpp"

#include "halocline/core/error.hpp"

#if HALOCLINE_HAS_METIS

#include <metis.h>

#include <array>
#include <limits>

#include "halocline/dist/migration/rows.hpp"
#include "halocline/dist/migration/sparse_exchange.hpp"
#include "halocline/dist/partition/target_sizes.hpp"

namespace halocline::dist {

namespace {

constexpr idx_t seed = 15;
constexpr idx_t allowed_imbalance = 10;  // in parts of 1000

SparseExchange to_root(const Communicator& comm, std::size_t rows) {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(comm.size()), 0);
    counts[0] = static_cast<std::int64_t>(rows);
    return {comm, std::move(counts)};
}

/// The whole graph, on rank 0 only.
struct RootGraph {
    std::vector<idx_t> offsets{0};
    std::vector<idx_t> neighbours;
};

RootGraph gather(const Communicator& comm, const SparseExchange& by_vertex,
                 DistributedGraph& graph) {
    std::vector<idx_t> degrees;
    for (std::size_t v = 0; v + 1 < graph.offsets.size(); ++v) {
        degrees.push_back(static_cast<idx_t>(graph.offsets[v + 1] - graph.offsets[v]));
    }
    release(graph.offsets);
    RootGraph whole;
    for (const idx_t degree : by_vertex.forwarded(degrees)) {
        whole.offsets.push_back(whole.offsets.back() + degree);
    }
    const std::vector<idx_t> columns(graph.neighbours.begin(), graph.neighbours.end());
    release(graph.neighbours);
    whole.neighbours = to_root(comm, columns.size()).forwarded(columns);
    return whole;
}

int divide(RootGraph& graph, std::span<const GlobalIndex> targets, std::vector<idx_t>& part) {
    auto vertices = static_cast<idx_t>(graph.offsets.size() - 1);
    auto parts = static_cast<idx_t>(targets.size());
    idx_t constraints = 1;
    idx_t cut = 0;
    std::vector<real_t> shares;
    for (const float share : target_shares(targets)) {
        shares.push_back(static_cast<real_t>(share));
    }
    std::array<idx_t, METIS_NOPTIONS> options{};
    METIS_SetDefaultOptions(options.data());
    options[METIS_OPTION_SEED] = seed;
    options[METIS_OPTION_UFACTOR] = allowed_imbalance;
    options[METIS_OPTION_NUMBERING] = 0;
    graph.neighbours.reserve(1);
    return METIS_PartGraphKway(&vertices, &constraints, graph.offsets.data(),
                               graph.neighbours.data(), nullptr, nullptr, nullptr, &parts,
                               shares.data(), nullptr, options.data(), &cut, part.data());
}

void check_metis_size(const Communicator& comm, const DistributedGraph& graph) {
    const std::int64_t ends = comm.sum(static_cast<std::int64_t>(graph.neighbours.size()));
    validate<InputError>(
        graph.vertices <= metis_vertex_limit && ends < std::numeric_limits<idx_t>::max(),
        "the graph is too large for METIS (" + std::to_string(graph.vertices) +
            " vertices; METIS is serial, rank 0 would hold all, and the limit is " +
            std::to_string(metis_vertex_limit) +
            "). Choose a distributed partitioner: ptscotch, parmetis, sfc or inertial.");
}

}  // namespace

bool has_metis() { return true; }

std::string metis_version() {
    return "METIS " + std::to_string(METIS_VER_MAJOR) + "." + std::to_string(METIS_VER_MINOR) +
           "." + std::to_string(METIS_VER_SUBMINOR) + " on rank 0";
}

std::vector<int> partition_metis_kway(const Communicator& comm, DistributedGraph& graph,
                                      std::span<const GlobalIndex> targets) {
    check_metis_size(comm, graph);
    const std::size_t vertices = graph.offsets.size() - 1;
    const SparseExchange by_vertex = to_root(comm, vertices);
    RootGraph whole = gather(comm, by_vertex, graph);
    std::vector<idx_t> part(whole.offsets.size() - 1);
    run_agreed(comm, [&] {
        const int status = part.empty() ? METIS_OK : divide(whole, targets, part);
        validate<RunError>(status == METIS_OK, "partitioning failed (METIS returned " +
                                                   std::to_string(status) +
                                                   "). Choose the partitioner 'sfc'.");
    });
    std::vector<idx_t> mine(vertices);
    by_vertex.reverse(part.data(), mine.data());
    return {mine.begin(), mine.end()};
}

}  // namespace halocline::dist

#else

namespace halocline::dist {

bool has_metis() { return false; }

std::string metis_version() { return "none (built without METIS)"; }

std::vector<int> partition_metis_kway(const Communicator&, DistributedGraph&,
                                      std::span<const GlobalIndex>) {
    throw EnvironmentError(
        "this partitioner needs METIS, which this build of halocline was made without. Choose the "
        "partitioner 'sfc', or install libmetis-dev and build again.");
}

}  // namespace halocline::dist

#endif
