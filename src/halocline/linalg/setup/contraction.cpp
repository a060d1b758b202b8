// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rows of the two nodes of a pair are merged; a second node's row travels to the owner of the first.
#include "halocline/linalg/setup/contraction.hpp"

#include <algorithm>

#include "halocline/linalg/setup/merged_edge.hpp"

namespace halocline::linalg::setup {

namespace {

/// Rows of second nodes whose first ones this rank owns, as other ranks sent them.
struct ForeignRows {
    struct Head {
        GlobalIndex coarse;
        std::int64_t entries;
        double diagonal;
        double inner;
        double mass;
    };
    struct Entry {
        Place place;
        double weight;
    };
    std::vector<Head> heads;
    std::vector<Entry> entries;
    std::vector<std::int64_t> begin;  ///< of each head's entries
    std::vector<std::int64_t>
        of_coarse;  ///< head by owned coarse node, -1 without; empty on one rank
};

class PairContraction {
public:
    PairContraction(const Communicator& comm, RowGraph& graph, const GhostNodes& ghosts,
                    const Buffer<LocalIndex>& partner, double lengthwise)
        : comm_(comm), fine_(graph), ghosts_(ghosts), partner_(partner), lengthwise_(lengthwise) {}

    Contraction run() {
        number_pairs();
        exchange_rows();
        collect_ghosts();
        merge_rows();
        result_.parent = Buffer<GlobalIndex>(static_cast<std::size_t>(fine_.owned));
        for (std::size_t u = 0; u < result_.parent.size(); ++u) {
            result_.parent[u] = place_[u].coarse();
        }
        return std::move(result_);
    }

private:
    [[nodiscard]] LocalIndex partner(LocalIndex u) const {
        return partner_[static_cast<std::size_t>(u)];
    }
    [[nodiscard]] bool is_first(LocalIndex u) const {
        return fine_.global_id(partner(u)) >= fine_.global_id(u);
    }

    /// First nodes count, second ones ask theirs; ghosts are asked for both.
    void number_pairs() {
        RowGraph& coarse = result_.graph;
        for (LocalIndex u = 0; u < fine_.owned; ++u) {
            coarse.owned += is_first(u) ? 1 : 0;
        }
        result_.first_child = Buffer<LocalIndex>(static_cast<std::size_t>(coarse.owned));
        std::size_t found = 0;
        for (LocalIndex u = 0; u < fine_.owned; ++u) {
            if (is_first(u)) {
                result_.first_child[found++] = u;
            }
        }
        coarse.first = ranges_of_counts(comm_, coarse.owned);
        coarse.begin = coarse.first[static_cast<std::size_t>(comm_.rank())];
        Buffer<std::int8_t> negative(static_cast<std::size_t>(fine_.local_count()));
        std::copy(fine_.has_negative.begin(), fine_.has_negative.end(), negative.begin());
        ghosts_.update(negative, fine_.owned);
        place_ = Buffer<Place>(static_cast<std::size_t>(fine_.local_count()));
        for (LocalIndex c = 0; c < coarse.owned; ++c) {
            const LocalIndex u = result_.first_child[static_cast<std::size_t>(c)];
            const LocalIndex v = partner(u);
            const bool has_negative = negative[static_cast<std::size_t>(u)] != 0 ||
                                      negative[static_cast<std::size_t>(v)] != 0;
            place_[static_cast<std::size_t>(u)] = Place(coarse.begin + c, v != u, has_negative);
        }
        ghosts_.update(place_, fine_.owned);
        for (LocalIndex u = 0; u < fine_.owned; ++u) {
            if (!is_first(u)) {
                place_[static_cast<std::size_t>(u)] =
                    place_[static_cast<std::size_t>(partner(u))].of_second();
            }
        }
        ghosts_.update(place_, fine_.owned);
    }

    void exchange_rows() {
        if (comm_.size() == 1) {
            return;
        }
        const auto ranks = static_cast<std::size_t>(comm_.size());
        std::vector<std::vector<LocalIndex>> leaving(ranks);
        for (LocalIndex u = 0; u < fine_.owned; ++u) {
            if (!is_first(u) && partner(u) >= fine_.owned) {
                const GlobalIndex first = fine_.global_id(partner(u));
                leaving[static_cast<std::size_t>(owner_in(fine_.first, first))].push_back(u);
            }
        }
        std::vector<std::int64_t> head_counts(ranks), entry_counts(ranks, 0);
        std::vector<ForeignRows::Head> heads;
        std::vector<ForeignRows::Entry> entries;
        for (std::size_t r = 0; r < ranks; ++r) {
            head_counts[r] = static_cast<std::int64_t>(leaving[r].size());
            for (const LocalIndex u : leaving[r]) {
                entry_counts[r] += pack_row(u, heads, entries);
            }
        }
        foreign_.heads = dist::SparseExchange(comm_, head_counts).forwarded(heads);
        foreign_.entries = dist::SparseExchange(comm_, entry_counts).forwarded(entries);
        index_foreign_rows();
    }

    /// Returns the number of entries.
    std::int64_t pack_row(LocalIndex u, std::vector<ForeignRows::Head>& heads,
                          std::vector<ForeignRows::Entry>& entries) const {
        const auto columns = fine_.columns_of(u);
        const auto weights = fine_.weights_of(u);
        for (std::size_t k = 0; k < columns.size(); ++k) {
            entries.push_back({place_[static_cast<std::size_t>(columns[k])], weights[k]});
        }
        const auto count = static_cast<std::int64_t>(columns.size());
        heads.push_back({place_[static_cast<std::size_t>(u)].coarse(), count,
                         fine_.diagonal[static_cast<std::size_t>(u)],
                         fine_.inner[static_cast<std::size_t>(u)],
                         fine_.mass[static_cast<std::size_t>(u)]});
        return count;
    }

    void index_foreign_rows() {
        foreign_.of_coarse.assign(static_cast<std::size_t>(result_.graph.owned), -1);
        std::int64_t begin = 0;
        for (std::size_t h = 0; h < foreign_.heads.size(); ++h) {
            const ForeignRows::Head& head = foreign_.heads[h];
            foreign_.begin.push_back(begin);
            begin += head.entries;
            foreign_.of_coarse[static_cast<std::size_t>(head.coarse - result_.graph.begin)] =
                static_cast<std::int64_t>(h);
        }
    }

    [[nodiscard]] bool is_own(GlobalIndex coarse) const {
        return coarse >= result_.graph.begin && coarse < result_.graph.begin + result_.graph.owned;
    }

    void collect_ghosts() {
        if (comm_.size() == 1) {
            return;
        }
        std::vector<GlobalIndex>& ghosts = result_.graph.ghosts;
        const auto collect = [&](Place place) {
            if (!is_own(place.coarse())) {
                ghosts.push_back(place.coarse());
            }
        };
        for (const Place place : place_) {
            collect(place);
        }
        for (const ForeignRows::Entry& entry : foreign_.entries) {
            collect(entry.place);
        }
        make_unique(ghosts);
    }

    [[nodiscard]] LocalIndex local(GlobalIndex coarse) const {
        return is_own(coarse) ? static_cast<LocalIndex>(coarse - result_.graph.begin)
                              : result_.graph.owned + ghost_place(result_.graph.ghosts, coarse);
    }

    void merge_rows() {
        RowGraph& coarse = result_.graph;
        const auto rows = static_cast<std::size_t>(coarse.owned);
        const std::size_t most = fine_.columns.size() + foreign_.entries.size();
        coarse.offsets = Buffer<std::int64_t>(rows + 1);
        coarse.offsets[0] = 0;
        coarse.columns = Buffer<LocalIndex>(most);
        coarse.weights = Buffer<double>(most);
        coarse.diagonal = Buffer<double>(rows);
        coarse.strongest = Buffer<double>(rows);
        coarse.inner = Buffer<double>(rows);
        coarse.mass = Buffer<double>(rows);
        coarse.has_negative = Buffer<std::int8_t>(rows);
        entry_of_ = Buffer<LocalIndex>(static_cast<std::size_t>(coarse.local_count()), 0);
        for (LocalIndex c = 0; c < coarse.owned; ++c) {
            merge_row(c);
        }
    }

    /// What is known of a coarse row while its children's rows are merged; a local variable, so that
    /// loops keep it in registers.
    struct CoarseRow {
        LocalIndex node;
        LocalIndex* columns;  ///< where they lie in the end
        LocalIndex entries = 0;
        double diagonal = 0.0;
        double inner = 0.0;
        double mass = 0.0;
    };

    void merge_row(LocalIndex c) {
        RowGraph& coarse = result_.graph;
        const auto row = static_cast<std::size_t>(c);
        const std::int64_t begin = coarse.offsets[row];
        CoarseRow merged{c, coarse.columns.data() + begin};
        const LocalIndex u = result_.first_child[row];
        add_own(merged, u, 0);
        const LocalIndex v = partner(u);
        if (v != u && v < fine_.owned) {
            add_own(merged, v, 1);
        } else if (v != u) {
            add_foreign(merged);
        }
        coarse.diagonal[row] = merged.diagonal;
        coarse.inner[row] = merged.inner;
        coarse.mass[row] = merged.mass;
        coarse.offsets[row + 1] = begin + merged.entries;
        weigh_edges(merged, place_[static_cast<std::size_t>(u)], coarse.weights.data() + begin);
    }

    void weigh_edges(const CoarseRow& merged, Place place, double* weights) {
        double most = 0.0;
        bool has_negative = false;
        for (LocalIndex e = 0; e < merged.entries; ++e) {
            const MergedEdge& edge = merged_[static_cast<std::size_t>(e)];
            const double galerkin = edge.galerkin_weight();
            weights[e] = edge.share(place, lengthwise_) * galerkin;
            most = std::max(most, weights[e]);
            has_negative |= galerkin < 0.0;
        }
        const auto row = static_cast<std::size_t>(merged.node);
        result_.graph.strongest[row] = most;
        result_.graph.has_negative[row] = has_negative ? 1 : 0;
    }

    void add_own(CoarseRow& merged, LocalIndex u, int child) {
        const auto row = static_cast<std::size_t>(u);
        const auto columns = fine_.columns_of(u);
        const auto weights = fine_.weights_of(u);
        make_room(merged, columns.size());
        CoarseRow here = merged;
        for (std::size_t k = 0; k < columns.size(); ++k) {
            add(here, child, place_[static_cast<std::size_t>(columns[k])], weights[k]);
        }
        merged = here;
        add_node(merged, fine_.diagonal[row], fine_.inner[row], fine_.mass[row]);
    }

    void add_foreign(CoarseRow& merged) {
        const auto h =
            static_cast<std::size_t>(foreign_.of_coarse[static_cast<std::size_t>(merged.node)]);
        const ForeignRows::Head& head = foreign_.heads[h];
        make_room(merged, static_cast<std::size_t>(head.entries));
        for (std::int64_t e = foreign_.begin[h]; e < foreign_.begin[h] + head.entries; ++e) {
            const ForeignRows::Entry& entry = foreign_.entries[static_cast<std::size_t>(e)];
            add(merged, 1, entry.place, entry.weight);
        }
        add_node(merged, head.diagonal, head.inner, head.mass);
    }

    static void add_node(CoarseRow& merged, double diagonal, double inner, double mass) {
        merged.diagonal += diagonal;
        merged.inner = std::max(merged.inner, inner);
        merged.mass += mass;
    }

    /// For up to `more` further edges.
    void make_room(const CoarseRow& merged, std::size_t more) {
        const std::size_t most = static_cast<std::size_t>(merged.entries) + more;
        if (merged_.size() < most) {
            merged_.resize(most);
        }
    }

    /// Adds a weight to the entry of its coarse column, by child and child of the column.
    [[gnu::always_inline]] inline void add(CoarseRow& merged, int child, Place place,
                                           double weight) {
        const LocalIndex column = local(place.coarse());
        if (column == merged.node) {
            merged.inner = std::max(merged.inner, weight);
            return;
        }
        LocalIndex& known = entry_of_[static_cast<std::size_t>(column)];
        LocalIndex entry = known;
        if (entry >= merged.entries || merged.columns[entry] != column) {
            known = entry = merged.entries++;
            merged.columns[entry] = column;
            merged_[static_cast<std::size_t>(entry)] = {{}, place};
        }
        merged_[static_cast<std::size_t>(entry)].add(child, place.child(), weight);
    }

    const Communicator& comm_;
    RowGraph& fine_;
    const GhostNodes& ghosts_;
    const Buffer<LocalIndex>& partner_;
    double lengthwise_;
    Buffer<Place> place_;  ///< by local finer node
    ForeignRows foreign_;
    Contraction result_;
    /// By local coarse column: its entry, if that is one of the row that is being merged.
    Buffer<LocalIndex> entry_of_;
    std::vector<MergedEdge> merged_;  ///< by entry of that row
};

}  // namespace

Contraction contract_pairs(const Communicator& comm, RowGraph graph, const GhostNodes& ghosts,
                           const Buffer<LocalIndex>& partner, double lengthwise) {
    return PairContraction(comm, graph, ghosts, partner, lengthwise).run();
}

}  // namespace halocline::linalg::setup
