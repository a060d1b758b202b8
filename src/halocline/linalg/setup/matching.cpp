// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Nodes point to the neighbour they like best; who points at each other is a pair.
#include "halocline/linalg/setup/matching.hpp"

#include "halocline/linalg/setup/edge_order.hpp"
#include "halocline/linalg/setup/lines.hpp"

namespace halocline::linalg::setup {

namespace {

constexpr LocalIndex undecided = Partners::undecided;
/// What other ranks hear of a node, beside the global id of its favourite.
constexpr GlobalIndex no_partner = -1;
constexpr GlobalIndex taken = -2;

class Matching {
public:
    Matching(const Communicator& comm, const RowGraph& graph, const GhostNodes& ghosts,
             double largest_ratio)
        : comm_(comm),
          graph_(graph),
          ghosts_(ghosts),
          partners_(pair_lines(comm, graph, ghosts, largest_ratio)),
          favourite_(static_cast<std::size_t>(graph.owned), undecided) {
        for (LocalIndex u = 0; u < graph.owned; ++u) {
            if (partner(u) == undecided) {
                waiting_.push_back(u);
            }
        }
    }

    Buffer<LocalIndex> run() {
        for (bool goes_on = true; goes_on;) {
            while (sweep()) {
            }
            goes_on = comm_.size() > 1 && join_ghosts();
        }
        for (LocalIndex u = 0; u < graph_.local_count(); ++u) {
            if (partner(u) == undecided) {
                partner(u) = u;
            }
        }
        return std::move(partners_.of);
    }

private:
    LocalIndex& partner(LocalIndex u) { return partners_[u]; }
    LocalIndex& favourite(LocalIndex u) { return favourite_[static_cast<std::size_t>(u)]; }

    /// The best neighbour without a partner.
    LocalIndex find_favourite(LocalIndex u) {
        const auto columns = graph_.columns_of(u);
        const auto weights = graph_.weights_of(u);
        LocalIndex best = undecided;
        double most = 0.0;
        for (std::size_t k = 0; k < columns.size(); ++k) {
            const double weight = rounded_weight(weights[k]);
            if (weight < most || partner(columns[k]) != undecided ||
                !partners_.may_pair(u, columns[k], weight)) {
                continue;
            }
            if (weight > most || is_preferred(u, columns[k], best)) {
                best = columns[k];
                most = weight;
            }
        }
        return best;
    }

    [[nodiscard]] bool is_preferred(LocalIndex u, LocalIndex candidate, LocalIndex best) const {
        const GlobalIndex node = graph_.global_id(u);
        return candidate != best &&
               TieRank(node, graph_.global_id(candidate)) < TieRank(node, graph_.global_id(best));
    }

    void pair(LocalIndex u, LocalIndex v) {
        partner(u) = v;
        partner(v) = u;
    }

    /// Whether a node still waits, for a favourite that is free.
    bool still_waits(LocalIndex u) {
        if (partner(u) != undecided) {
            return false;
        }
        if (favourite(u) == undecided || partner(favourite(u)) != undecided) {
            favourite(u) = find_favourite(u);
        }
        return favourite(u) != undecided;  // who has no free neighbour now will never have one
    }

    /// Visits all that wait; returns whether a pair was found.
    bool sweep() {
        bool found = false;
        std::size_t kept = 0;
        for (const LocalIndex u : waiting_) {
            if (!still_waits(u)) {
                continue;
            }
            const LocalIndex v = favourite(u);
            if (v < graph_.owned && favourite(v) == u) {
                pair(u, v);
                found = true;
            } else {
                waiting_[kept++] = u;
            }
        }
        waiting_.resize(kept);
        return found;
    }

    /// Pairs across ranks: both owners find them. Returns whether any rank heard something new. Collective.
    bool join_ghosts() {
        Buffer<GlobalIndex> answers(partners_.of.size(), no_partner);
        for (const LocalIndex u : waiting_) {
            answers[static_cast<std::size_t>(u)] = graph_.global_id(favourite(u));
        }
        ghosts_.update(answers, graph_.owned);
        std::int64_t found = 0;
        for (const LocalIndex u : waiting_) {
            const LocalIndex v = favourite(u);
            if (v >= graph_.owned && answers[static_cast<std::size_t>(v)] == graph_.global_id(u)) {
                pair(u, v);
                ++found;
            }
        }
        found += hear_of_taken(answers);
        return comm_.sum(found) > 0;
    }

    /// Notes ghosts that found their partners elsewhere; returns how many are new.
    std::int64_t hear_of_taken(Buffer<GlobalIndex>& answers) {
        for (LocalIndex u = 0; u < graph_.owned; ++u) {
            answers[static_cast<std::size_t>(u)] = partner(u) == undecided ? no_partner : taken;
        }
        ghosts_.update(answers, graph_.owned);
        std::int64_t fresh = 0;
        for (LocalIndex g = graph_.owned; g < graph_.local_count(); ++g) {
            if (partner(g) == undecided && answers[static_cast<std::size_t>(g)] == taken) {
                partner(g) = g;  // of no consequence here but that it is taken
                ++fresh;
            }
        }
        return fresh;
    }

    const Communicator& comm_;
    const RowGraph& graph_;
    const GhostNodes& ghosts_;
    Partners partners_;
    Buffer<LocalIndex> favourite_;
    std::vector<LocalIndex> waiting_;
};

}  // namespace

Buffer<LocalIndex> match_pairs(const Communicator& comm, const RowGraph& graph,
                               const GhostNodes& ghosts, double largest_ratio) {
    return Matching(comm, graph, ghosts, largest_ratio).run();
}

}  // namespace halocline::linalg::setup
