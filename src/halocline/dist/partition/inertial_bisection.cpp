// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Moments, projections and cuts of all groups of one depth at a time; points never leave their rank.
#include "halocline/dist/partition/inertial_bisection.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "halocline/dist/partition/hilbert.hpp"
#include "halocline/dist/partition/key_cuts.hpp"
#include "halocline/dist/partition/principal_axis.hpp"
#include "halocline/dist/partition/target_sizes.hpp"

namespace halocline::dist {

namespace {

using Point = std::array<double, 3>;

/// Elements that will become parts [first_part, first_part + parts): [begin, end) of the order.
struct Group {
    int first_part = 0;
    int parts = 1;
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// The order of doubles as an order of 63-bit integers (the last bit of the mantissa is dropped).
std::uint64_t ordered_key(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    return ((bits & sign) != 0 ? ~bits : bits | sign) >> 1;
}

class InertialBisection {
public:
    InertialBisection(const Communicator& comm, const PartitionInput& input)
        : comm_(comm),
          input_(input),
          ends_(running_sums(input.targets)),
          box_(united_box(comm, bounding_box(input.points, input.dim))),
          order_(input.points.size() / static_cast<std::size_t>(input.dim)),
          keys_(order_.size()) {
        std::iota(order_.begin(), order_.end(), 0);
    }

    [[nodiscard]] std::vector<int> run() {
        std::vector<Group> groups{{0, input_.parts, 0, order_.size()}};
        while (std::any_of(groups.begin(), groups.end(), [](auto& g) { return g.parts > 1; })) {
            groups = bisect(groups);
        }
        std::vector<int> part(order_.size());
        for (const Group& group : groups) {
            for (std::size_t i = group.begin; i < group.end; ++i) {
                part[static_cast<std::size_t>(order_[i])] = group.first_part;
            }
        }
        return part;
    }

private:
    [[nodiscard]] Point point(LocalIndex element) const {
        Point x{};
        for (int d = 0; d < input_.dim; ++d) {
            const auto at = static_cast<std::size_t>(d);
            const double value = input_.points[static_cast<std::size_t>(element) *
                                                   static_cast<std::size_t>(input_.dim) +
                                               at];
            const double low = std::isfinite(box_.low[at]) ? box_.low[at] : 0.0;
            x[at] = (std::isfinite(value) ? value : low) - low;
        }
        return x;
    }

    [[nodiscard]] GlobalIndex first_element(int part) const {
        return part == 0 ? 0 : ends_[static_cast<std::size_t>(part) - 1];
    }

    void sum_over_ranks(std::vector<double>& values) const {
        check_mpi(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()),
                                MPI_DOUBLE, MPI_SUM, comm_.get()),
                  "MPI_Allreduce");
    }

    [[nodiscard]] std::vector<Point> centroids(const std::vector<Group>& groups) const {
        std::vector<double> sums(3 * groups.size(), 0.0);
        for (std::size_t g = 0; g < groups.size(); ++g) {
            for (std::size_t i = groups[g].begin; i < groups[g].end; ++i) {
                const Point x = point(order_[i]);
                for (std::size_t d = 0; d < 3; ++d) {
                    sums[3 * g + d] += x[d];
                }
            }
        }
        sum_over_ranks(sums);
        std::vector<Point> result(groups.size());
        for (std::size_t g = 0; g < groups.size(); ++g) {
            const GlobalIndex count = first_element(groups[g].first_part + groups[g].parts) -
                                      first_element(groups[g].first_part);
            for (std::size_t d = 0; d < 3; ++d) {
                result[g][d] = sums[3 * g + d] / static_cast<double>(count);
            }
        }
        return result;
    }

    [[nodiscard]] std::vector<Point> axes(const std::vector<Group>& groups) const {
        const std::vector<Point> centre = centroids(groups);
        std::vector<double> sums(6 * groups.size(), 0.0);
        for (std::size_t g = 0; g < groups.size(); ++g) {
            for (std::size_t i = groups[g].begin; i < groups[g].end; ++i) {
                const Point x = point(order_[i]);
                std::size_t entry = 6 * g;
                for (std::size_t d = 0; d < 3; ++d) {
                    for (std::size_t e = d; e < 3; ++e) {
                        sums[entry++] += (x[d] - centre[g][d]) * (x[e] - centre[g][e]);
                    }
                }
            }
        }
        sum_over_ranks(sums);
        std::vector<Point> result;
        for (std::size_t g = 0; g < groups.size(); ++g) {
            SecondMoments moments{};
            std::copy_n(sums.begin() + static_cast<std::ptrdiff_t>(6 * g), 6, moments.begin());
            result.push_back(principal_axis(moments));
        }
        return result;
    }

    /// Sorts each group along its axis; equal projections stay in the order of global ids.
    void sort_along(const std::vector<Point>& axis, const std::vector<Group>& groups) {
        for (std::size_t g = 0; g < groups.size(); ++g) {
            const Group& group = groups[g];
            if (group.parts == 1) {
                continue;
            }
            Buffer<std::uint64_t> keys(group.end - group.begin);
            std::vector<LocalIndex> elements(
                order_.begin() + static_cast<std::ptrdiff_t>(group.begin),
                order_.begin() + static_cast<std::ptrdiff_t>(group.end));
            std::sort(elements.begin(), elements.end());
            for (std::size_t i = 0; i < keys.size(); ++i) {
                const Point x = point(elements[i]);
                keys[i] = ordered_key(x[0] * axis[g][0] + x[1] * axis[g][1] + x[2] * axis[g][2]);
            }
            const Buffer<LocalIndex> sorted = order_by_key(keys);
            for (std::size_t i = 0; i < keys.size(); ++i) {
                const auto from = static_cast<std::size_t>(sorted[i]);
                order_[group.begin + i] = elements[from];
                keys_[group.begin + i] = keys[from];
            }
        }
    }

    [[nodiscard]] std::span<const std::uint64_t> keys_of(const Group& group) const {
        return std::span<const std::uint64_t>(keys_).subspan(group.begin, group.end - group.begin);
    }

    [[nodiscard]] std::vector<Group> bisect(const std::vector<Group>& groups) {
        sort_along(axes(groups), groups);
        std::vector<CutRequest> requests;
        for (const Group& group : groups) {
            const int middle = group.first_part + group.parts / 2;
            if (group.parts > 1) {
                requests.push_back(
                    {keys_of(group), first_element(middle) - first_element(group.first_part)});
            }
        }
        const std::vector<KeyCut> cuts = find_cuts(comm_, requests);
        std::vector<Group> halves;
        auto cut = cuts.begin();
        for (const Group& group : groups) {
            if (group.parts == 1) {
                halves.push_back(group);
                continue;
            }
            const auto middle =
                group.begin + static_cast<std::size_t>(count_before(keys_of(group), *cut++));
            const int left = group.parts / 2;
            halves.push_back({group.first_part, left, group.begin, middle});
            halves.push_back({group.first_part + left, group.parts - left, middle, group.end});
        }
        return halves;
    }

    const Communicator& comm_;
    const PartitionInput& input_;
    std::vector<GlobalIndex> ends_;
    BoundingBox box_;
    std::vector<LocalIndex> order_;    ///< elements, group by group
    std::vector<std::uint64_t> keys_;  ///< projections, in the same order
};

}  // namespace

std::vector<int> bisect_by_inertia(const Communicator& comm, const PartitionInput& input) {
    return InertialBisection(comm, input).run();
}

}  // namespace halocline::dist
