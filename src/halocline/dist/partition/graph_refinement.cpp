// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rounds of moves under quotas; sizes and the cut are agreed by all ranks after each.
#include "halocline/dist/partition/graph_refinement.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace halocline::dist {

namespace {

constexpr int max_passes = 20;
constexpr double least_gain = 0.002;  ///< of the cut, to go on

enum class Direction { up, down };

/// A vertex that would like to move.
struct Move {
    std::size_t vertex;
    int to;
    int gain;
};

/// A part next to a vertex, and by how many edges.
struct AdjacentPart {
    int part;
    int edges;
};

class Refinement {
public:
    Refinement(const Communicator& comm, const GhostedGraph& graph,
               std::span<const GlobalIndex> targets, std::span<const int> part)
        : comm_(comm), graph_(graph), labels_(graph_.with_ghosts(part)), sizes_(targets.size(), 0) {
        for (const GlobalIndex target : targets) {
            const auto size = static_cast<double>(target);
            const double slack = (refined_imbalance - 1.0) * size;
            most_.push_back(static_cast<std::int64_t>(std::floor(size + slack)));
            least_.push_back(std::max<std::int64_t>(
                1, static_cast<std::int64_t>(std::ceil(size - 2.0 * slack))));
        }
        graph_.refresh(labels_);
        count_sizes();
    }

    [[nodiscard]] std::vector<int> run() {
        std::vector<int> best = labels_;
        std::int64_t cut = count_cut();
        for (int pass = 0; pass < max_passes; ++pass) {
            run_round(Direction::up);
            run_round(Direction::down);
            const std::int64_t now = count_cut();
            const bool goes_on =
                static_cast<double>(cut - now) > least_gain * static_cast<double>(cut);
            if (now < cut) {
                best = labels_;
                cut = now;
            }
            if (!goes_on) {
                break;
            }
        }
        best.resize(graph_.vertices());
        return best;
    }

private:
    void sum_over_ranks(std::vector<std::int64_t>& values) const {
        check_mpi(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()),
                                MPI_INT64_T, MPI_SUM, comm_.get()),
                  "MPI_Allreduce");
    }

    void count_sizes() {
        std::fill(sizes_.begin(), sizes_.end(), 0);
        for (std::size_t v = 0; v < graph_.vertices(); ++v) {
            ++sizes_[static_cast<std::size_t>(labels_[v])];
        }
        sum_over_ranks(sizes_);
    }

    [[nodiscard]] std::int64_t count_cut() const {
        std::int64_t ends = 0;
        for (std::size_t v = 0; v < graph_.vertices(); ++v) {
            for (const LocalIndex u : graph_.row(v)) {
                ends += labels_[static_cast<std::size_t>(u)] != labels_[v] ? 1 : 0;
            }
        }
        return comm_.sum(ends) / 2;
    }

    /// The move of this vertex that cuts fewest edges; `to` is its own part when it stays.
    [[nodiscard]] Move best_move(std::size_t vertex, Direction direction) {
        const int own = labels_[vertex];
        adjacent_.clear();
        int inside = 0;
        for (const LocalIndex u : graph_.row(vertex)) {
            const int label = labels_[static_cast<std::size_t>(u)];
            if (label == own) {
                ++inside;
            } else if ((label > own) == (direction == Direction::up)) {
                count_adjacent(label);
            }
        }
        Move candidate{vertex, own, 0};
        for (const AdjacentPart& adjacent : adjacent_) {
            const int gain = adjacent.edges - inside;
            const bool better = gain > candidate.gain ||
                                (gain == candidate.gain && smaller(adjacent.part, candidate.to));
            if (gain >= 0 && better) {
                candidate = {vertex, adjacent.part, gain};
            }
        }
        return candidate;
    }

    void count_adjacent(int part) {
        const auto found =
            std::find_if(adjacent_.begin(), adjacent_.end(),
                         [part](const AdjacentPart& adjacent) { return adjacent.part == part; });
        if (found == adjacent_.end()) {
            adjacent_.push_back({part, 1});
        } else {
            ++found->edges;
        }
    }

    /// A move without gain is worth it only towards a smaller part.
    [[nodiscard]] bool smaller(int a, int b) const {
        return sizes_[static_cast<std::size_t>(a)] + 1 < sizes_[static_cast<std::size_t>(b)];
    }

    [[nodiscard]] std::vector<Move> collect_moves(Direction direction) {
        std::vector<Move> moves;
        for (std::size_t v = 0; v < graph_.vertices(); ++v) {
            const Move candidate = best_move(v, direction);
            if (candidate.to != labels_[v]) {
                moves.push_back(candidate);
            }
        }
        std::stable_sort(moves.begin(), moves.end(),
                         [](const Move& a, const Move& b) { return a.gain > b.gain; });
        return moves;
    }

    /// This rank's share of the room of each part, in proportion to what it wants.
    [[nodiscard]] std::vector<std::int64_t> share(std::vector<std::int64_t> wanted,
                                                  const std::vector<std::int64_t>& room) const {
        const std::vector<std::int64_t> mine = wanted;
        sum_over_ranks(wanted);
        for (std::size_t p = 0; p < wanted.size(); ++p) {
            const std::int64_t total = wanted[p];
            const double part_of_room = static_cast<double>(std::max<std::int64_t>(0, room[p])) *
                                        static_cast<double>(mine[p]) /
                                        static_cast<double>(std::max<std::int64_t>(1, total));
            wanted[p] = total <= room[p] ? mine[p] : static_cast<std::int64_t>(part_of_room);
        }
        return wanted;
    }

    void run_round(Direction direction) {
        const std::vector<Move> moves = collect_moves(direction);
        std::vector<std::int64_t> arriving(sizes_.size(), 0);
        std::vector<std::int64_t> leaving(sizes_.size(), 0);
        std::vector<std::int64_t> room(sizes_.size());
        std::vector<std::int64_t> spare(sizes_.size());
        for (const Move& candidate : moves) {
            ++arriving[static_cast<std::size_t>(candidate.to)];
            ++leaving[static_cast<std::size_t>(labels_[candidate.vertex])];
        }
        for (std::size_t p = 0; p < sizes_.size(); ++p) {
            room[p] = most_[p] - sizes_[p];
            spare[p] = sizes_[p] - least_[p];
        }
        arriving = share(std::move(arriving), room);
        leaving = share(std::move(leaving), spare);
        for (const Move& candidate : moves) {
            move(candidate.vertex, direction, arriving, leaving);
        }
        graph_.refresh(labels_);
        count_sizes();
    }

    /// Moves before this one may have changed the mind of the vertex.
    void move(std::size_t vertex, Direction direction, std::vector<std::int64_t>& arriving,
              std::vector<std::int64_t>& leaving) {
        const Move candidate = best_move(vertex, direction);
        auto& seats = arriving[static_cast<std::size_t>(candidate.to)];
        auto& tickets = leaving[static_cast<std::size_t>(labels_[vertex])];
        if (candidate.to != labels_[vertex] && seats > 0 && tickets > 0) {
            --seats;
            --tickets;
            labels_[vertex] = candidate.to;
        }
    }

    const Communicator& comm_;
    const GhostedGraph& graph_;
    std::vector<int> labels_;  ///< of this rank's vertices, then of the ghosts
    std::vector<std::int64_t> sizes_;
    std::vector<std::int64_t> most_;
    std::vector<std::int64_t> least_;
    std::vector<AdjacentPart> adjacent_;  ///< scratch of best_move
};

}  // namespace

void refine_partition(const Communicator& comm, const GhostedGraph& graph,
                      std::span<const GlobalIndex> targets, std::vector<int>& part) {
    part = Refinement(comm, graph, targets, part).run();
}

}  // namespace halocline::dist
