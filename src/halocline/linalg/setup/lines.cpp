// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Strides first, then places along lines from their lower ends, counted modulo two.
#include "halocline/linalg/setup/lines.hpp"

#include <algorithm>
#include <limits>

#include "halocline/linalg/setup/edge_order.hpp"

namespace halocline::linalg::setup {

namespace {

/// Weaker edges, relative to the strongest of a node, are weak ones (Notay 2010).
constexpr double least_strength = 0.25;
constexpr GlobalIndex no_line = std::numeric_limits<GlobalIndex>::max();
/// Where a node stands on its line.
enum Standing : std::int8_t { even = 0, odd = 1, unknown = 2 };

class LinePairs {
public:
    LinePairs(const Communicator& comm, const RowGraph& graph, const GhostNodes& ghosts,
              double largest_ratio)
        : comm_(comm),
          graph_(graph),
          ghosts_(ghosts),
          stride_(static_cast<std::size_t>(graph.local_count())),
          below_(static_cast<std::size_t>(graph.owned)),
          above_(static_cast<std::size_t>(graph.owned)),
          standing_(static_cast<std::size_t>(graph.local_count()), std::int8_t{unknown}) {
        partners_.of =
            Buffer<LocalIndex>(static_cast<std::size_t>(graph.local_count()), Partners::undecided);
        partners_.strongest = Buffer<double>(static_cast<std::size_t>(graph.local_count()));
        partners_.least = Buffer<double>(static_cast<std::size_t>(graph.local_count()));
        partners_.mass = Buffer<double>(static_cast<std::size_t>(graph.local_count()));
        partners_.largest_ratio = largest_ratio;
    }

    Partners run() {
        find_strengths();
        find_strides();
        find_neighbours();
        find_standings();
        for (LocalIndex u = 0; u < graph_.owned; ++u) {
            pair(u);
        }
        note_ghosts();
        return std::move(partners_);
    }

private:
    [[nodiscard]] std::size_t at(LocalIndex u) const { return static_cast<std::size_t>(u); }

    void find_strengths() {
        for (LocalIndex u = 0; u < graph_.owned; ++u) {
            const double most = graph_.strongest[at(u)];
            partners_.strongest[at(u)] = rounded_weight(most);
            partners_.least[at(u)] =
                least_strength * rounded_weight(std::max(most, graph_.inner[at(u)]));
        }
        ghosts_.update(partners_.strongest, graph_.owned);
        ghosts_.update(partners_.least, graph_.owned);
        std::copy(graph_.mass.begin(), graph_.mass.end(), partners_.mass.begin());
        ghosts_.update(partners_.mass, graph_.owned);
    }

    [[nodiscard]] bool is_strong(LocalIndex u, LocalIndex v, double weight) const {
        const double strength = partners_.strength(u);
        return partners_.strength(v) == strength && rounded_weight(weight) == strength &&
               partners_.may_pair(u, v, strength);
    }

    /// The smallest difference of ids along strong edges, and who lies there.
    void find_strides() {
        for (LocalIndex u = 0; u < graph_.owned; ++u) {
            const auto columns = graph_.columns_of(u);
            const auto weights = graph_.weights_of(u);
            const GlobalIndex node = graph_.global_id(u);
            GlobalIndex stride = no_line;
            LocalIndex below = Partners::undecided;
            LocalIndex above = Partners::undecided;
            for (std::size_t k = 0; k < columns.size(); ++k) {
                const LocalIndex v = columns[k];
                if (!is_strong(u, v, weights[k])) {
                    continue;
                }
                const GlobalIndex difference = graph_.global_id(v) - node;
                const GlobalIndex distance = difference < 0 ? -difference : difference;
                if (distance < stride) {
                    stride = distance;
                    below = above = Partners::undecided;
                }
                if (distance == stride) {
                    (difference < 0 ? below : above) = v;
                }
            }
            stride_[at(u)] = stride;
            below_[at(u)] = below;
            above_[at(u)] = above;
        }
        ghosts_.update(stride_, graph_.owned);
    }

    /// A node with another stride is not a neighbour on the line.
    void find_neighbours() {
        for (LocalIndex u = 0; u < graph_.owned; ++u) {
            for (LocalIndex* v : {&below_[at(u)], &above_[at(u)]}) {
                if (*v != Partners::undecided && stride_[at(*v)] != stride_[at(u)]) {
                    *v = Partners::undecided;
                }
            }
        }
    }

    /// Along each line in ascending ids; where a line comes from a lower rank, after that one.
    void find_standings() {
        for (std::int64_t fresh = 1; fresh > 0;) {
            std::int64_t here = 0;
            for (LocalIndex u = 0; u < graph_.owned; ++u) {
                if (standing_[at(u)] != unknown) {
                    continue;
                }
                const LocalIndex v = below_[at(u)];
                if (v == Partners::undecided) {
                    standing_[at(u)] = even;
                    ++here;
                } else if (standing_[at(v)] != unknown) {
                    standing_[at(u)] = standing_[at(v)] == even ? odd : even;
                    ++here;
                }
            }
            if (comm_.size() == 1) {
                return;
            }
            ghosts_.update(standing_, graph_.owned);
            fresh = comm_.sum(here);
        }
    }

    void pair(LocalIndex u) {
        if (below_[at(u)] == Partners::undecided && above_[at(u)] == Partners::undecided) {
            return;
        }
        const LocalIndex other = standing_[at(u)] == even ? above_[at(u)] : below_[at(u)];
        partners_[u] = other == Partners::undecided ? u : other;
        if (partners_[u] >= graph_.owned) {
            partners_[partners_[u]] = u;
        }
    }

    /// Ghosts with partners elsewhere are not free either.
    void note_ghosts() {
        Buffer<std::int8_t> decided(partners_.of.size(), std::int8_t{0});
        for (LocalIndex u = 0; u < graph_.owned; ++u) {
            decided[at(u)] = partners_[u] == Partners::undecided ? 0 : 1;
        }
        ghosts_.update(decided, graph_.owned);
        for (LocalIndex g = graph_.owned; g < graph_.local_count(); ++g) {
            if (decided[at(g)] != 0 && partners_[g] == Partners::undecided) {
                partners_[g] = g;
            }
        }
    }

    const Communicator& comm_;
    const RowGraph& graph_;
    const GhostNodes& ghosts_;
    Partners partners_;
    Buffer<GlobalIndex> stride_;  ///< of a node's line; local nodes
    Buffer<LocalIndex> below_;    ///< neighbours on the line; own nodes
    Buffer<LocalIndex> above_;
    Buffer<std::int8_t> standing_;
};

}  // namespace

Partners pair_lines(const Communicator& comm, const RowGraph& graph, const GhostNodes& ghosts,
                    double largest_ratio) {
    return LinePairs(comm, graph, ghosts, largest_ratio).run();
}

}  // namespace halocline::linalg::setup
