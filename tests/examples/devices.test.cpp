// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A program of anyone on devices: this file is compiled twice, like that of a user who calls
// halocline_compile_for_devices, and its kernels stand in an unnamed namespace. HALOCLINE_TEST_DEVICE says
// which device: emulated (the default) or cuda.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "halocline/dist/exchange/device_halo.hpp"
#include "halocline/halocline.hpp"
#include "halocline/runtime/rank_device.hpp"
#include "support/error_of.hpp"

namespace halocline {
namespace {

using ::testing::AllOf;
using testing::error_of;
using ::testing::HasSubstr;

/// As HALOCLINE_BACKEND names it.
const char* device_name() {
    const char* const name = std::getenv("HALOCLINE_TEST_DEVICE");
    return name == nullptr ? "emulated" : name;
}
Backend tested_device() {
    return device_name() == std::string_view("cuda") ? Backend::cuda : Backend::emulated;
}
/// The schemes of halos that it can do on any machine: the emulated device's memory is the host's, so that
/// MPI can be told that it can read it.
std::vector<std::string> schemes_of_device() {
    std::vector<std::string> names = device_halo_scheme_names();
    if (tested_device() == Backend::cuda) {
        std::erase(names, "direct");
    }
    return names;
}

struct Node {};
struct Edge {};

struct Flow {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& a, const Values<V, 1>& b, Values<V, 1>& gain_a,
                                 Values<V, 1>& gain_b) const {
        gain_a[0] += 0.3 * (b[0] - a[0]);
        gain_b[0] += 0.3 * (a[0] - b[0]);
    }
};

struct Step {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& u, Values<V, 1>& gain, Values<V, 1>& next,
                                 Values<V, 1>& sum) const {
        next[0] = u[0] + gain[0];
        gain[0] = 0.0;
        sum[0] += next[0] * next[0];
    }
};

struct Half {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& sum, Values<V, 1>& half) const {
        half[0] = 0.5 * sum[0];
    }
};

/// A value for each element: local structs have no form, since nvcc could not make one.
template <int number>
struct Add {
    template <class V>
    HALOCLINE_HD void operator()(Values<V, 1>& u) const {
        u[0] += double(number);
    }
};

/// This instance is named in the program only: a device image, where the name is another, has no form.
#if defined(HALOCLINE_DEVICE_IMAGE)
using AddOnHost = Add<1>;
#else
using AddOnHost = Add<2>;
#endif

constexpr GlobalIndex ring_size = 100;

MeshDeclaration declare_ring(const Runtime& runtime) {
    std::vector<GlobalIndex> ends;
    std::vector<double> u;
    for (GlobalIndex i = 0; i < ring_size; ++i) {
        ends.insert(ends.end(), {i, (i + 1) % ring_size});
        u.push_back(1.0 / static_cast<double>(i + 1));
    }
    MeshDeclaration declaration;
    const int nodes = declaration.add_set("nodes", ring_size);
    const int edges = declaration.add_set("edges", ring_size);
    declaration.add_map("ends", edges, nodes, 2, runtime.block(ends, 2));
    declaration.add_dat("u", nodes, 1, runtime.block(u));
    return declaration;
}

/// Heat in a ring, with dats that swap and a global that the next step reads.
class Ring {
public:
    explicit Ring(Runtime& runtime)
        : runtime_(runtime), mesh_(runtime.distribute(declare_ring(runtime))) {}

    void step() {
        Context& context = runtime_.context();
        par_loop(context, "flow", edges_, Flow{}, read<0>(u_, ends_), read<1>(u_, ends_),
                 inc<0>(gain_, ends_), inc<1>(gain_, ends_));
        sum_.set({{0.0}});
        par_loop(context, "step", nodes_, Step{}, read(u_), read_write(gain_), write(next_),
                 inc(sum_));
        swap(u_, next_);
        update_globals(context, make_global_update("half", Half{}, read(sum_), write(half_)));
    }

    /// u by global index, then the sums.
    std::vector<double> results() {
        std::vector<double> all = runtime_.gather(u_);
        all.push_back(sum_[0]);
        all.push_back(half_[0]);
        return all;
    }
    double sum() { return sum_[0]; }
    Dat<Node, double, 1>& u() { return u_; }
    [[nodiscard]] Set<Node> nodes() const { return nodes_; }

private:
    Runtime& runtime_;
    Mesh mesh_;
    Set<Node> nodes_{mesh_.set<Node>("nodes")};
    Set<Edge> edges_{mesh_.set<Edge>("edges")};
    Map<Edge, Node, 2> ends_{mesh_.map<Edge, Node, 2>("ends")};
    Dat<Node, double, 1> u_{mesh_.take_dat<Node, double, 1>("u")};
    Dat<Node, double, 1> next_{mesh_.make_dat<Node, double, 1>(nodes_, "next")};
    Dat<Node, double, 1> gain_{mesh_.make_dat<Node, double, 1>(nodes_, "gain")};
    Global<double, 1> sum_;
    Global<double, 1> half_;
};

Communicator world() { return Communicator(MPI_COMM_WORLD); }

constexpr int steps = 9;

std::vector<double> serial_results() {
    Runtime runtime(world(), {.backend = Backend::serial});
    Ring ring(runtime);
    for (int i = 0; i < steps; ++i) {
        ring.step();
    }
    return ring.results();
}

/// A variable for the length of a test.
class Variable {
public:
    Variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
    ~Variable() { unsetenv(name_); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* name_;
};

TEST(Devices, LoopsRunThereAndHaveTheBitsOfSerial) {
    Runtime runtime(world(), {.backend = tested_device()});
    ASSERT_NE(runtime.context().device(), nullptr);
    Ring ring(runtime);
    for (int i = 0; i < steps; ++i) {
        ring.step();
    }
    EXPECT_EQ(ring.results(), serial_results());
    for (const LoopStatistics& row : runtime.context().loops().rows()) {
        EXPECT_TRUE(row.on_device) << row.name;
    }
}

TEST(Devices, EverySchemeOfHalosBringsTheBitsOfSerial) {
    const std::vector<double> expected = serial_results();
    const Variable trust("HALOCLINE_ASSUME_GPU_AWARE", "1");
    for (const std::string& scheme : schemes_of_device()) {
        const Variable wanted("HALOCLINE_HALO", scheme.c_str());
        Runtime runtime(world(), {.backend = tested_device()});
        EXPECT_EQ(runtime.halo_scheme(), scheme);
        Ring ring(runtime);
        for (int i = 0; i < steps; ++i) {
            ring.step();
        }
        EXPECT_EQ(ring.results(), expected) << scheme;
    }
}

TEST(Devices, RanksOnCoresAndOnDevicesWorkTogether) {
    const Variable backend("HALOCLINE_BACKEND", device_name());
    const Variable mixed("HALOCLINE_DEVICE", "mixed");
    const Variable one("HALOCLINE_DEVICE_RANKS", "1");
    // Beside it a program of serial loops, which asks for no device.
    const std::vector<double> expected = serial_results();
    Runtime runtime(world(), {.threads = 1});
    EXPECT_EQ(runtime.context().device() != nullptr, runtime.comm().is_root());
    EXPECT_EQ(runtime.device().mixed(), runtime.comm().size() > 1);
    Ring ring(runtime);
    for (int i = 0; i < steps; ++i) {
        ring.step();
    }
    EXPECT_EQ(ring.results(), expected);
}

/// The sum over both ends of an edge, in one argument.
struct SumOfEnds {
    template <class V>
    HALOCLINE_HD void operator()(const Rows<V, 2, 1>& ends, Values<V, 1>& sum) const {
        sum[0] += ends[0][0] + ends[1][0];
    }
};

struct Count {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& u, Values<V, 1>& sum) const {
        sum[0] += u[0];
    }
};

std::vector<double> sums_on(Backend backend) {
    Runtime runtime(world(), {.backend = backend, .threads = 1});
    Mesh mesh = runtime.distribute(declare_ring(runtime));
    const auto nodes = mesh.set<Node>("nodes");
    const auto ends = mesh.map<Edge, Node, 2>("ends");
    const auto u = mesh.take_dat<Node, double, 1>("u");
    const Subset<Node> few = make_subset(runtime.context(), mesh, nodes, "few", [&](LocalIndex i) {
        return nodes.part->global_id(i) % 7 == 3;
    });
    Global<double, 1> all;
    Global<double, 1> of_few;
    par_loop(runtime.context(), "sum_of_ends", mesh.set<Edge>("edges"), SumOfEnds{},
             read_all(u, ends), inc(all));
    par_loop(runtime.context(), "count", few, Count{}, read(u), inc(of_few));
    if (is_device(backend)) {
        EXPECT_TRUE(runtime.context().loops().row("sum_of_ends").on_device);
    }
    return {all[0], of_few[0]};
}

TEST(Devices, VectorArgumentsAndSubsetsHaveTheBitsOfSerial) {
    const std::vector<double> expected = sums_on(Backend::serial);
    EXPECT_GT(expected[1], 0.25);
    EXPECT_LT(expected[1], expected[0]);
    EXPECT_EQ(sums_on(tested_device()), expected);
    EXPECT_EQ(sums_on(Backend::openmp), expected);
}

/// Ids and degrees of nodes, and a float of both ends.
struct Tag {
    template <class V>
    HALOCLINE_HD void operator()(const Values<Integer<V>, 1>& id, const Values<V, 1>& u,
                                 Values<Integer<V>, 1>& tag, Values<V, 1>& half) const {
        tag[0] = id[0] * 3 + 1;
        half[0] = 0.5 * u[0];
    }
};
struct Join {
    template <class V>
    HALOCLINE_HD void operator()(const Rows<Integer<V>, 2, 1>& tags, const Rows<V, 2, 1>& halves,
                                 const Values<Integer<V>, 1>& bound, Rows<V, 2, 1>& gain,
                                 Values<Integer<V>, 1>& sum) const {
        const V flux = select(tags[0][0] < bound[0], halves[1][0], halves[0][0]);
        gain[0][0] += flux;
        gain[1][0] -= flux;
        sum[0] += tags[1][0];
    }
};
struct Twice {
    template <class V>
    HALOCLINE_HD void operator()(const Values<Integer<V>, 1>& a, Values<Integer<V>, 1>& b) const {
        b[0] = a[0] * 2;
    }
};

std::vector<double> tags_on(Backend backend) {
    Runtime runtime(world(), {.backend = backend, .threads = 1});
    Mesh mesh = runtime.distribute(declare_ring(runtime));
    const auto nodes = mesh.set<Node>("nodes");
    const auto ends = mesh.map<Edge, Node, 2>("ends");
    const auto id = mesh.make_ids(nodes);
    const auto u = mesh.take_dat<Node, double, 1>("u");
    auto tag = mesh.make_dat<Node, std::int32_t, 1>(nodes, "tag");
    auto half = mesh.make_dat<Node, float, 1>(nodes, "half");
    auto gain = mesh.make_dat<Node, double, 1>(nodes, "gain");
    Global<std::int64_t, 1> bound{{80}};
    Global<std::int64_t, 1> sum;
    for (int i = 0; i < 2; ++i) {
        par_loop(runtime.context(), "tag", nodes, Tag{}, read(id), read(u), write(tag),
                 write(half));
        par_loop(runtime.context(), "join", mesh.set<Edge>("edges"), Join{}, read_all(tag, ends),
                 read_all(half, ends), read(bound), inc_all(gain, ends), inc(sum));
        update_globals(runtime.context(),
                       make_global_update("twice", Twice{}, read(sum), write(bound)));
    }
    std::vector<double> all = runtime.gather(gain);
    all.push_back(static_cast<double>(sum[0]));
    all.push_back(static_cast<double>(bound[0]));
    return all;
}

/// On the host, until devices know other types than double: the bits do not depend on it.
TEST(Devices, LoopsOverIntegersAndFloatsHaveTheBitsOfSerial) {
    const std::vector<double> expected = tags_on(Backend::serial);
    EXPECT_EQ(expected.back(), 2 * 2 * (3 * 99 * 50 + 100));
    EXPECT_EQ(tags_on(Backend::openmp), expected);
    const Variable trust("HALOCLINE_ASSUME_GPU_AWARE", "1");
    for (const std::string& scheme : schemes_of_device()) {
        const Variable wanted("HALOCLINE_HALO", scheme.c_str());
        EXPECT_EQ(tags_on(tested_device()), expected) << scheme;
    }
}

class Repeated : public ::testing::TestWithParam<const char*> {};

TEST_P(Repeated, StepsHaveTheBitsOfSteps) {
    const Variable backend("HALOCLINE_BACKEND", GetParam());
    Runtime runtime(world(), {.threads = 1});
    Ring ring(runtime);
    RepeatedLoops step = runtime.repeat([&] { ring.step(); });
    for (int i = 0; i < steps; ++i) {
        step();
        EXPECT_GT(ring.sum(), 0.0);  // between repetitions everything may be looked at
    }
    EXPECT_EQ(ring.results(), serial_results());
    const bool on_device = runtime.context().device() != nullptr;
    // By `peer` where GPUs reach each other.
    const bool by_host = runtime.comm().size() > 1 && runtime.halo_scheme() != "peer";
    EXPECT_EQ(step.launches() > 0, on_device && !by_host) << step.obstacle();
    EXPECT_EQ(step.obstacle(), on_device && by_host ? "halos travel through the host" : "");
}

INSTANTIATE_TEST_SUITE_P(Backends, Repeated, ::testing::Values("serial", "openmp", device_name()));

TEST(RepeatedLoops, AreOneGraphOnRanksWhoseDevicesReachEachOther) {
    if (world().size() == 1) {
        GTEST_SKIP() << "one rank reaches nobody: devices.np2 and np3 run it";
    }
    const std::vector<double> expected = serial_results();
    const Variable scheme("HALOCLINE_HALO", "peer");
    Runtime runtime(world(), {.backend = tested_device()});
    Ring ring(runtime);
    RepeatedLoops step = runtime.repeat([&] { ring.step(); });
    for (int i = 0; i < steps; ++i) {
        step();
    }
    EXPECT_EQ(ring.results(), expected);
    EXPECT_GT(step.launches(), 0) << step.obstacle();
}

/// On several ranks this scheme makes no graph; the rules are those of work that has one.
TEST(RepeatedLoops, AreNotLookedIntoWhileTheyAreRecorded) {
    Runtime runtime(world(), {.backend = tested_device()});
    Ring ring(runtime);
    RepeatedLoops looks = runtime.repeat([&] {
        ring.step();
        static_cast<void>(ring.sum());
    });
    looks();
    EXPECT_THAT(error_of([&] { looks(); }),
                AllOf(HasSubstr("global"), HasSubstr("Read it between repetitions")));
    // What threw left nothing behind: loops run as before.
    ring.step();
    EXPECT_GT(ring.sum(), 0.0);
}

TEST(RepeatedLoops, LetNoDatBeReadThatTheyChange) {
    Runtime runtime(world(), {.backend = tested_device()});
    Ring ring(runtime);
    RepeatedLoops looks = runtime.repeat([&] {
        ring.step();
        static_cast<void>(ring.u().store());
    });
    looks();
    EXPECT_THAT(error_of([&] { looks(); }),
                AllOf(HasSubstr("dat 'u' is read"), HasSubstr("Read it between repetitions")));
    ring.step();
    EXPECT_GT(ring.sum(), 0.0);
}

TEST(RepeatedLoops, RunTheSameLoopsEveryTime) {
    Runtime runtime(world(), {.backend = tested_device()});
    Ring ring(runtime);
    bool adds = false;
    RepeatedLoops step = runtime.repeat([&] {
        ring.step();
        if (adds) {
            par_loop(runtime.context(), "late", ring.nodes(), Add<7>{}, read_write(ring.u()));
        }
    });
    for (int i = 0; i < 3; ++i) {
        step();
    }
    adds = true;
    EXPECT_THAT(error_of([&] { step(); }),
                AllOf(HasSubstr("loop 'late' differs"), HasSubstr("the same every time")));
    RepeatedLoops shorter = runtime.repeat([&] {
        if (adds) {
            ring.step();
        }
        par_loop(runtime.context(), "late", ring.nodes(), Add<7>{}, read_write(ring.u()));
    });
    for (int i = 0; i < 3; ++i) {
        shorter();
    }
    adds = false;
    EXPECT_THAT(error_of([&] { shorter(); }), HasSubstr("the same every time"));
}

TEST(RepeatedLoops, CallTheirBodyOnceARunWhereThereIsNoGraph) {
    Runtime runtime(world(), {.backend = tested_device()});
    Ring ring(runtime);
    int calls = 0;
    RepeatedLoops on_host = runtime.repeat([&] {
        ++calls;
        ring.step();
        par_loop(runtime.context(), "add_on_host", ring.nodes(), AddOnHost{}, read_write(ring.u()));
    });
    for (int i = 1; i <= 4; ++i) {
        on_host();
        EXPECT_EQ(calls, i);
    }
    EXPECT_EQ(on_host.obstacle(), "loop 'add_on_host' runs on the host");
    EXPECT_EQ(on_host.launches(), 0);
    calls = 0;
    RepeatedLoops step = runtime.repeat([&] {
        ++calls;
        ring.step();
    });
    for (int i = 0; i < 4; ++i) {
        step();
    }
    EXPECT_EQ(step.launches() == 0, calls == 4) << step.obstacle();
}

TEST(RepeatedLoops, AreRefusedWhenADatOfTheirsIsGone) {
    for (const Backend backend : {Backend::serial, tested_device()}) {
        Runtime runtime(world(), {.backend = backend});
        Mesh mesh = runtime.distribute(declare_ring(runtime));
        auto extra =
            std::make_optional(mesh.make_dat<Node, double, 1>(mesh.set<Node>("nodes"), "extra"));
        const auto loop = make_loop("add", mesh.set<Node>("nodes"), Add<7>{}, read_write(*extra));
        RepeatedLoops step = runtime.repeat([&] { par_loop(runtime.context(), loop); });
        for (int i = 0; i < 3; ++i) {
            step();
        }
        extra.reset();
        EXPECT_THAT(error_of([&] { step(); }),
                    AllOf(HasSubstr("gone"), HasSubstr("Keep dats as long as")));
    }
}

TEST(RepeatedLoops, AreRefusedAfterTheyWereMovedFrom) {
    for (const Backend backend : {Backend::serial, tested_device()}) {
        Runtime runtime(world(), {.backend = backend});
        Ring ring(runtime);
        RepeatedLoops step = runtime.repeat([&] { ring.step(); });
        step();
        RepeatedLoops other = std::move(step);
        other();
        const auto refused = AllOf(HasSubstr("after they were moved from"), HasSubstr("moved to"));
        EXPECT_THAT(error_of([&] { step.run(); }), refused);
        EXPECT_THAT(error_of([&] { static_cast<void>(step.launches()); }), refused);
        EXPECT_THAT(error_of([&] { static_cast<void>(step.obstacle()); }), refused);
    }
}

/// The sums that loops made with `sum` leave there, and in globals that it is copied and moved to.
std::vector<double> copied_sums_on(Backend backend) {
    Runtime runtime(world(), {.backend = backend, .threads = 1});
    Mesh mesh = runtime.distribute(declare_ring(runtime));
    const auto u = mesh.take_dat<Node, double, 1>("u");
    Global<double, 1> sum;
    const auto loop = make_loop("count", mesh.set<Node>("nodes"), Count{}, read(u), inc(sum));
    par_loop(runtime.context(), loop);
    Global<double, 1> copy = sum;
    par_loop(runtime.context(), loop);
    Global<double, 1> assigned{{7.0}};
    par_loop(runtime.context(), "count", mesh.set<Node>("nodes"), Count{}, read(u), inc(assigned));
    assigned = sum;
    Global<double, 1> moved = std::move(sum);
    par_loop(runtime.context(), loop);
    par_loop(runtime.context(), "count", mesh.set<Node>("nodes"), Count{}, read(u), inc(copy));
    return {copy[0], assigned[0], moved[0], sum[0]};
}

TEST(Devices, GlobalsThatAreCopiedAndMovedHaveTheValuesOfSerial) {
    const std::vector<double> expected = copied_sums_on(Backend::serial);
    EXPECT_EQ(expected[0], expected[1]);
    EXPECT_EQ(expected[1], expected[2]);
    EXPECT_GT(expected[3], expected[2]);
    EXPECT_EQ(copied_sums_on(tested_device()), expected);
}

/// Two runtimes take turns with a global and with a dat of the first one's mesh.
std::vector<double> results_of_turns_on(Backend backend) {
    Global<double, 1> sum;
    Global<double, 1> half;
    Runtime first(world(), {.backend = backend, .threads = 1});
    Runtime second(world(), {.backend = backend, .threads = 1});
    Mesh mesh = first.distribute(declare_ring(first));
    const auto nodes = mesh.set<Node>("nodes");
    auto u = mesh.take_dat<Node, double, 1>("u");
    for (Runtime* const runtime : {&first, &second, &first}) {
        Context& context = runtime->context();
        par_loop(context, "add", nodes, Add<7>{}, read_write(u));
        par_loop(context, "count", nodes, Count{}, read(u), inc(sum));
        update_globals(context, make_global_update("half", Half{}, read(sum), write(half)));
    }
    std::vector<double> results = first.gather(u);
    results.insert(results.end(), {sum[0], half[0]});
    return results;
}

TEST(Devices, RuntimesThatTakeTurnsHaveTheValuesOfSerial) {
    EXPECT_EQ(results_of_turns_on(tested_device()), results_of_turns_on(Backend::serial));
}

TEST(Devices, GlobalsAndDatsMayEndAfterTheirRuntime) {
    Global<double, 1> sum;
    std::optional<Dat<Node, double, 1>> changed;
    {
        Runtime runtime(world(), {.backend = tested_device()});
        Mesh mesh = runtime.distribute(declare_ring(runtime));
        const auto nodes = mesh.set<Node>("nodes");
        changed = mesh.take_dat<Node, double, 1>("u");
        par_loop(runtime.context(), "add", nodes, Add<7>{}, read_write(*changed));
        par_loop(runtime.context(), "count", nodes, Count{}, read(*changed), inc(sum));
    }
    const std::string error = error_of([&] { static_cast<void>(sum[0]); });
    if (world().size() == 1) {
        EXPECT_THAT(error, HasSubstr("global is read whose value was on a device"));
    } else {
        EXPECT_EQ(error, "");  // ranks have joined their sums on the host
    }
    sum.set({{1.0}});
    EXPECT_EQ(sum[0], 1.0);
    Runtime next(world(), {.backend = tested_device()});
    Global<double, 1> half;
    update_globals(next.context(), make_global_update("half", Half{}, read(sum), write(half)));
    EXPECT_EQ(half[0], 0.5);
}

/// The mesh outlives its runtime, and so could its values.
TEST(Devices, ADatWhoseDeviceIsClosedIsASentence) {
    auto runtime = std::make_unique<Runtime>(world(), ContextOptions{.backend = tested_device()});
    Mesh mesh = runtime->distribute(declare_ring(*runtime));
    auto u = mesh.take_dat<Node, double, 1>("u");
    par_loop(runtime->context(), "add", mesh.set<Node>("nodes"), Add<7>{}, read_write(u));
    runtime.reset();
    EXPECT_THAT(error_of([&] { static_cast<void>(u.store()); }),
                AllOf(HasSubstr("dat 'u' is read"), HasSubstr("a device that is closed")));
}

TEST(Devices, AnUpdateWithAGlobalThatIsGoneIsRefused) {
    for (const Backend backend : {Backend::serial, Backend::openmp, tested_device()}) {
        Runtime runtime(world(), {.backend = backend, .threads = 1});
        auto sum = std::make_optional<Global<double, 1>>();
        Global<double, 1> half;
        const auto update = make_global_update("half", Half{}, read(*sum), write(half));
        update_globals(runtime.context(), update);
        sum.reset();
        EXPECT_THAT(error_of([&] { update_globals(runtime.context(), update); }),
                    AllOf(HasSubstr("'half' was made with a global that is gone"),
                          HasSubstr("argument 0")));
    }
}

TEST(Devices, ALoopThatTheyCannotRunIsNamedOnceWithTheReason) {
    Runtime runtime(world(), {.backend = tested_device()});
    Ring ring(runtime);
    ::testing::internal::CaptureStderr();
    for (int i = 0; i < 4; ++i) {
        par_loop(runtime.context(), "add_on_host", ring.nodes(), AddOnHost{}, read_write(ring.u()));
    }
    const std::string told = ::testing::internal::GetCapturedStderr();
    const std::size_t first = told.find("loop 'add_on_host' runs on the host");
    EXPECT_EQ(first != std::string::npos, runtime.comm().is_root()) << told;
    EXPECT_EQ(told.find("add_on_host", first + 20), std::string::npos) << told;
    EXPECT_FALSE(runtime.context().loops().row("add_on_host").on_device);
    EXPECT_THAT(runtime.context().loops().row("add_on_host").reason,
                HasSubstr("no form for its arguments"));
    EXPECT_EQ(runtime.gather(ring.u())[0], 9.0);
}

TEST(Devices, WordsThatExcludeEachOtherAreRefused) {
    const Variable backend("HALOCLINE_BACKEND", "openmp");
    const Variable device("HALOCLINE_DEVICE", "gpu");
    EXPECT_THAT(error_of([] { Runtime{world()}; }),
                AllOf(HasSubstr("HALOCLINE_BACKEND=openmp"), HasSubstr("HALOCLINE_DEVICE")));
}

TEST(Devices, UnknownWordsAreRefused) {
    {
        const Variable device("HALOCLINE_DEVICE", "gpus");
        EXPECT_THAT(error_of([] { Runtime{world()}; }), HasSubstr("'gpus'"));
    }
    const Variable halo("HALOCLINE_HALO", "peers");
    EXPECT_THAT(error_of([] {
                    Runtime{world(), {.backend = tested_device()}};
                }),
                HasSubstr("Did you mean 'peer'?"));
}

}  // namespace
}  // namespace halocline
