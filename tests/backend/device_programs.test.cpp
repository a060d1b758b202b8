// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Random programs of loops on the emulated device give the bits of serial, on one rank and on several,
// launched one by one and as recorded work.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <vector>

#include "halocline/backend/device/kernels/chain.hpp"
#include "halocline/backend/device/launch/executor.hpp"
#include "halocline/backend/par_loop.hpp"
#include "halocline/dist/exchange/device_halo.hpp"
#include "halocline/memory/emulated_device.hpp"
#include "support/bits.hpp"
#include "support/loop_world.hpp"

namespace halocline::test {

namespace {

using Field = Dat<Node, double, 1>;

struct Mix {
    template <class V>
    void operator()(const Values<V, 1>& from, Values<V, 1>& to) const {
        to[0] = V(0.5) * to[0] + V(0.375) * from[0];
    }
};

struct Diffuse {
    static constexpr bool swap_symmetric = true;
    template <class V>
    void operator()(const Values<V, 1>& a, const Values<V, 1>& b, Values<V, 1>& sum_a,
                    Values<V, 1>& sum_b) const {
        const V flow = V(0.03125) * (b[0] - a[0]);
        sum_a[0] += flow;
        sum_b[0] -= flow;
    }
};

struct Sum {
    template <class V>
    void operator()(const Values<V, 1>& x, Values<V, 1>& total) const {
        total[0] += x[0];
    }
};

struct Damp {
    template <class V>
    void operator()(const Values<V, 1>& total, Values<V, 1>& x) const {
        x[0] = x[0] / (V(1.0) + abs(total[0]));
    }
};

/// One step of a program: a loop over some of the dats.
struct Step {
    int kind;
    std::size_t from;
    std::size_t to;
};

std::vector<Step> random_steps(int count, int seed, std::size_t dats) {
    std::mt19937 random(static_cast<unsigned>(seed));
    std::vector<Step> steps;
    while (static_cast<int>(steps.size()) < count) {
        const Step step{static_cast<int>(random() % 4), random() % dats, random() % dats};
        if (step.from != step.to) {
            steps.push_back(step);
        }
    }
    return steps;
}

/// Six dats and two globals that random programs work on.
class Program {
public:
    Program(LoopWorld& world, Context& context)
        : context_(context),
          nodes_(world.nodes()),
          edges_(world.edges()),
          ends_(world.edge_nodes()) {
        for (int k = 0; k < 6; ++k) {
            dats_.push_back(world.dat<1>(nodes_, "x", [k](GlobalIndex i, int) {
                return 1.0 + 0.01 * double(i % 17) + 0.1 * k;
            }));
        }
        // Not what places on a device hold before anybody gives them a value.
        totals_[0][0] = 0.5;
        totals_[1][0] = -2.0;
    }

    auto mix(const Step& s) {
        return make_loop("mix", nodes_, Mix{}, read(dats_[s.from]), read_write(dats_[s.to]));
    }
    auto diffuse(const Step& s) {
        return make_loop("diffuse", edges_, Diffuse{}, read<0>(dats_[s.from], ends_),
                         read<1>(dats_[s.from], ends_), inc<0>(dats_[s.to], ends_),
                         inc<1>(dats_[s.to], ends_));
    }
    auto sum(const Step& s) {
        return make_loop("sum", nodes_, Sum{}, read(dats_[s.from]), inc(totals_[s.to % 2]));
    }
    auto damp(const Step& s) {
        return make_loop("damp", nodes_, Damp{}, read(totals_[s.from % 2]),
                         read_write(dats_[s.to]));
    }

    void add_forms() {
        const Step any{0, 0, 1};
        device::add_form<decltype(mix(any))>();
        device::add_form<decltype(diffuse(any))>();
        device::add_form<decltype(sum(any))>();
        device::add_form<decltype(damp(any))>();
    }

    void run(const std::vector<Step>& steps) {
        for (const Step& step : steps) {
            switch (step.kind) {
                case 0:
                    par_loop(context_, mix(step));
                    break;
                case 1:
                    par_loop(context_, diffuse(step));
                    break;
                case 2:
                    par_loop(context_, sum(step));
                    break;
                default:
                    par_loop(context_, damp(step));
            }
        }
    }

    [[nodiscard]] std::vector<double> results(const LoopWorld& world) {
        std::vector<double> all;
        for (const Field& dat : dats_) {
            const std::vector<double> values = world.collect(dat);
            all.insert(all.end(), values.begin(), values.end());
        }
        for (const auto& total : totals_) {
            all.push_back(total[0]);
        }
        return all;
    }

private:
    Context& context_;
    Set<Node> nodes_;
    Set<Edge> edges_;
    Map<Edge, Node, 2> ends_;
    std::vector<Field> dats_;
    Global<double, 1> totals_[2];
};

const WorldTables& tables() {
    static const WorldTables made({200, 500, 3, 3, 20, 20}, 3);
    return made;
}

/// A rank's part of the world, its halos travelling from device memory by the scheme of this name.
class DevicePrograms : public ::testing::TestWithParam<const char*> {
protected:
    Communicator comm{MPI_COMM_WORLD};
    EmulatedDevice device;
    std::unique_ptr<Stream> compute = device.make_stream();
    LoopWorld world{comm, tables(), {Backend::serial, 1, "block", false}};
    std::unique_ptr<HaloExchange> halo =
        make_device_halo_exchange(comm, device, *compute, options());

    static DeviceHaloOptions options() { return {GetParam(), {}, {}, {true, "emulated"}}; }

    std::unique_ptr<Context> make_context() {
        return std::make_unique<Context>(
            comm, *halo,
            ContextOptions{Backend::emulated, 1, Overlap::on, &device,
                           DeviceOptions{true, LoopTimes::off, false}, compute.get()});
    }
    std::vector<double> serial_results(const std::vector<std::vector<Step>>& parts, int rounds) {
        Program program(world, world.context());
        for (int i = 0; i < rounds; ++i) {
            for (const std::vector<Step>& steps : parts) {
                program.run(steps);
            }
        }
        return program.results(world);
    }
    /// Both parts in turns, each recorded when it comes first: the second finds what the first left.
    void expect_bits_of_serial(const std::vector<std::vector<Step>>& parts) {
        constexpr int rounds = 4;
        const bool is_recorded = comm.size() == 1 || halo->is_queued();
        const auto context = make_context();
        Program program(world, *context);
        program.add_forms();
        std::vector<device::RepeatedWork> works(parts.size());
        const auto prepare = [&](std::size_t w) {
            context->device()->recorder().prepare(
                works[w], [] { return std::vector<const void*>{}; }, [&] { program.run(parts[w]); },
                is_recorded ? "" : "halos travel between launches");
            EXPECT_EQ(works[w].launches() > 0, is_recorded);
            EXPECT_EQ(works[w].launches() == 40, comm.size() == 1);  // joins are launches, too
        };
        for (int i = 0; i < rounds; ++i) {
            for (std::size_t w = 0; w < works.size(); ++w) {
                if (i == 0) {
                    prepare(w);  // the second when the first has run: halos are another way
                }
                context->device()->recorder().repeat(works[w], {}, [&] { program.run(parts[w]); });
            }
        }
        EXPECT_TRUE(same_numbers(program.results(world), serial_results(parts, rounds)));
    }
};

TEST_P(DevicePrograms, RandomProgramsGiveTheBitsOfSerial) {
    for (int seed = 1; seed <= 8; ++seed) {
        const std::vector<Step> steps = random_steps(60, seed, 6);
        const auto context = make_context();
        Program program(world, *context);
        program.add_forms();
        program.run(steps);
        EXPECT_TRUE(same_numbers(program.results(world), serial_results({steps}, 1))) << seed;
    }
}

/// Two pieces of recorded work in turns, each of which leaves other halos stale than it found.
TEST_P(DevicePrograms, RecordedProgramsGiveTheBitsOfSerial) {
    for (int seed = 21; seed < 25; ++seed) {
        expect_bits_of_serial({random_steps(40, seed, 6), random_steps(40, seed + 100, 6)});
    }
}

INSTANTIATE_TEST_SUITE_P(Scheme, DevicePrograms, ::testing::Values("packed", "peer"));

}  // namespace

}  // namespace halocline::test
