// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rows of different length: shapes of polygons from their corners, and what corners get of their
// polygons, on the wall of example 10 against plain loops over offsets and targets.
//   benchmark_polygons [--bricks=N] [flags of race.hpp]
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "halocline/core/failure.hpp"
#include "halocline/halocline.hpp"
#include "kernels.hpp"
#include "mesh.hpp"
#include "race.hpp"
#include "variants.hpp"

namespace halocline::benchmarks {
namespace {

struct Node {};
struct Brick {};

/// Each corner gets its share of the area.
struct Share {
    template <class V>
    void operator()(const Values<Integer<V>, 1>& count, const Values<V, 1>& area,
                    Rows<V, most_corners, 1>& sum) const {
        const V part = area[0] / math::to_real(count[0]);
        for (int k = 0; k < most_corners; ++k) {
            sum[k][0] += part;
        }
    }
};

/// Bricks about three units long and as many rows of them as make a square.
struct WallSize {
    explicit WallSize(GlobalIndex bricks)
        : rows(std::max(std::lround(std::sqrt(static_cast<double>(bricks))), 1L)),
          width(2 * rows) {}
    long rows;
    long width;
};

/// The yardstick: the whole wall on one core.
class PlainWall {
public:
    explicit PlainWall(const WallSize& size) {
        Runtime alone(Communicator(MPI_COMM_SELF), {.backend = Backend::serial});
        MeshDeclaration mesh = declare_wall(alone, size.width, size.rows);
        x_ = std::move(mesh.dats[0].doubles());
        for (std::size_t i = 0; i < mesh.maps[0].targets.size(); ++i) {
            if (mesh.maps[0].targets[i] != absent) {
                corners_.push_back(static_cast<LocalIndex>(mesh.maps[0].targets[i]));
            }
            if (i % most_corners == most_corners - 1) {
                offsets_.push_back(static_cast<LocalIndex>(corners_.size()));
            }
        }
        area_.resize(offsets_.size() - 1);
        centre_.resize(2 * area_.size());
        sum_.resize(x_.size() / 2);
    }

    void measure() {
        for (std::size_t b = 0; b + 1 < offsets_.size(); ++b) {
            double sums[3] = {0.0, 0.0, 0.0};
            for (LocalIndex k = offsets_[b]; k < offsets_[b + 1]; ++k) {
                const double* at = corner(k);
                const double* next = corner(k + 1 < offsets_[b + 1] ? k + 1 : offsets_[b]);
                const double twice = at[0] * next[1] - next[0] * at[1];
                sums[0] += twice;
                sums[1] += twice * (at[0] + next[0]);
                sums[2] += twice * (at[1] + next[1]);
            }
            area_[b] = 0.5 * sums[0];
            centre_[2 * b] = sums[1] / (3.0 * sums[0]);
            centre_[2 * b + 1] = sums[2] / (3.0 * sums[0]);
        }
    }
    void share() {
        for (std::size_t b = 0; b + 1 < offsets_.size(); ++b) {
            const double part = area_[b] / static_cast<double>(offsets_[b + 1] - offsets_[b]);
            for (LocalIndex k = offsets_[b]; k < offsets_[b + 1]; ++k) {
                sum_[static_cast<std::size_t>(corners_[static_cast<std::size_t>(k)])] += part;
            }
        }
    }
    void clear() { std::fill(sum_.begin(), sum_.end(), 0.0); }

    [[nodiscard]] std::size_t bricks() const { return area_.size(); }
    [[nodiscard]] const std::vector<double>& centre() const { return centre_; }
    [[nodiscard]] const std::vector<double>& sum() const { return sum_; }

private:
    [[nodiscard]] const double* corner(LocalIndex k) const {
        return &x_[2 * static_cast<std::size_t>(corners_[static_cast<std::size_t>(k)])];
    }

    std::vector<double> x_;
    std::vector<LocalIndex> corners_;
    std::vector<LocalIndex> offsets_{0};
    std::vector<double> area_, centre_, sum_;
};

class Wall {
public:
    Wall(const Communicator& comm, const Variant& variant, const WallSize& size)
        : runtime_(comm, variant.options),
          mesh_(
              distributed(runtime_, declare_wall(runtime_, size.width, size.rows), variant.order)) {
        x_.set_absent({0.0, 0.0});
    }

    void measure() {
        par_loop(runtime_.context(), "measure", bricks_, Measure{}, read(count_),
                 read_all(x_, corners_), write(area_), write(centre_), inc(largest_));
    }
    void share() {
        par_loop(runtime_.context(), "share", bricks_, Share{}, read(count_), read(area_),
                 inc_all(sum_, corners_));
    }
    void clear() { sum_.fill({0.0}); }

    [[nodiscard]] std::vector<double> centre() const { return runtime_.gather(centre_); }
    [[nodiscard]] std::vector<double> sum() const { return runtime_.gather(sum_); }

private:
    Runtime runtime_;
    Mesh mesh_;
    Set<Brick> bricks_ = mesh_.set<Brick>("bricks");
    Set<Node> nodes_ = mesh_.set<Node>("nodes");
    Map<Brick, Node, most_corners> corners_ = mesh_.map<Brick, Node, most_corners>("corners");
    Dat<Brick, std::int32_t, 1> count_ = mesh_.row_lengths(corners_);
    Dat<Node, double, 2> x_ = mesh_.take_dat<Node, double, 2>("x");
    Dat<Brick, double, 1> area_ = mesh_.make_dat<Brick, double, 1>(bricks_, "area");
    Dat<Brick, double, 2> centre_ = mesh_.make_dat<Brick, double, 2>(bricks_, "centre");
    Dat<Node, double, 1> sum_ = mesh_.make_dat<Node, double, 1>(nodes_, "sum");
    Global<std::int64_t, 1> largest_;
};

int run(const Communicator& comm, int argc, char** argv) {
    const RaceFlags flags =
        read_race_flags(argc, argv, "bricks",
                        {.size = 1'000'000, .numberings = {Numbering::natural}, .iterations = 10});
    const WallSize size(flags.size);
    PlainWall plain(size);
    std::vector<std::unique_ptr<Wall>> walls;
    const std::string title = "polygons, " + std::to_string(plain.bricks()) + " bricks";
    Race race(comm, Numbering::natural, title, "ns a brick",
              1e-9 * static_cast<double>(flags.iterations) * static_cast<double>(plain.bricks()));
    const auto repeated = [&](std::function<void()> once) -> std::function<void()> {
        return [once, n = flags.iterations] {
            for (int i = 0; i < n; ++i) {
                once();
            }
        };
    };
    plain.measure();
    plain.clear();
    plain.share();
    race.add({"measure, plain", {}, {}, repeated([&] { plain.measure(); })});
    race.add({"share, plain", {}, {}, repeated([&] { plain.share(); })});
    for (const Variant& variant : variants(flags.threads)) {
        if (!flags.wants(variant.name)) {
            continue;
        }
        Wall& wall = *walls.emplace_back(std::make_unique<Wall>(comm, variant, size));
        wall.measure();
        wall.clear();
        wall.share();
        require_same_bits(title + ", measure, " + variant.name, plain.centre(), wall.centre());
        require_same_bits(title + ", share, " + variant.name, plain.sum(), wall.sum());
        race.add({"measure, " + variant.name,
                  {"measure, plain", "measure, " + variant.one_thread},
                  {},
                  repeated([&wall] { wall.measure(); })});
        race.add({"share, " + variant.name,
                  {"share, plain", "share, " + variant.one_thread},
                  {},
                  repeated([&wall] { wall.share(); })});
    }
    race.warm_up();
    race.run(flags.repetitions);
    race.print();
    write_json(comm, flags.json, {race.json()});
    return 0;
}

}  // namespace
}  // namespace halocline::benchmarks

int main(int argc, char** argv) {
    return halocline::run_mpi_program(argc, argv, MPI_THREAD_FUNNELED, "benchmark_polygons",
                                      halocline::benchmarks::run);
}
