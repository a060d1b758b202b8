// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Dats of every type from the declaration through ranks, loops, halos and files and back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "halocline/backend/par_loop.hpp"
#include "halocline/io/field_reader.hpp"
#include "halocline/io/field_writer.hpp"
#include "halocline/runtime/runtime.hpp"
#include "mpi/io/shared_folder.hpp"
#include "support/error_of.hpp"

namespace halocline {
namespace {

using ::testing::AllOf;
using testing::error_of;
using ::testing::HasSubstr;
using testing::SharedFolder;
using ::testing::StartsWith;

struct Node {};
struct Edge {};

constexpr GlobalIndex nodes_declared = 29;

/// Bits that only this type holds: odd numbers beyond 2^53, floats that are no short decimals.
template <class T>
T declared_value(std::size_t i) {
    const auto n = static_cast<std::int64_t>(i);
    if constexpr (std::is_same_v<T, std::int64_t>) {
        return ((std::int64_t{1} << 60) + 1 - 7 * n) * (i % 2 == 0 ? 1 : -1);
    } else if constexpr (std::is_same_v<T, std::int32_t>) {
        return std::numeric_limits<std::int32_t>::min() + static_cast<std::int32_t>(3 * n);
    } else {
        return static_cast<T>(1.0 / (static_cast<double>(n) + 3.0));
    }
}

template <class T>
class TypedDats : public ::testing::Test {
protected:
    static std::vector<T> declared() {
        std::vector<T> values;
        for (std::size_t i = 0; i < 3 * nodes_declared; ++i) {
            values.push_back(declared_value<T>(i));
        }
        return values;
    }

    /// A ring of nodes and edges; the dat "x" of three components on the nodes.
    static Mesh ring(Runtime& runtime) {
        MeshDeclaration declaration;
        const int nodes = declaration.add_set("nodes", nodes_declared);
        const int edges = declaration.add_set("edges", nodes_declared);
        std::vector<GlobalIndex> ends;
        for (GlobalIndex e = 0; e < nodes_declared; ++e) {
            ends.insert(ends.end(), {e * 5 % nodes_declared, (e * 5 + 1) % nodes_declared});
        }
        declaration.add_map("ends", edges, nodes, 2, runtime.block(ends, 2));
        declaration.add_dat("x", nodes, 3, runtime.block(declared(), 3));
        return runtime.distribute(std::move(declaration));
    }

    /// What the second node of each edge has in component 1, through the halo of other ranks.
    static std::vector<T> fetched(Runtime& runtime, Mesh& mesh, const Dat<Node, T, 3>& x) {
        auto out = mesh.make_dat<Edge, T, 1>(mesh.set<Edge>("edges"), "out");
        par_loop(runtime.context(), "fetch", mesh.set<Edge>("edges"), Fetch{},
                 read<1>(x, mesh.map<Edge, Node, 2>("ends")), write(out));
        return runtime.gather(out);
    }
    static std::vector<T> to_fetch(const std::vector<T>& values) {
        std::vector<T> wanted;
        for (GlobalIndex e = 0; e < nodes_declared; ++e) {
            wanted.push_back(
                values[static_cast<std::size_t>((e * 5 + 1) % nodes_declared * 3 + 1)]);
        }
        return wanted;
    }

    struct Fetch {
        template <class V>
        void operator()(const Values<V, 3>& x, Values<V, 1>& out) const {
            out[0] = x[1];
        }
    };

    static ContextOptions on(Backend backend) { return {backend, 1}; }
    Communicator comm{MPI_COMM_WORLD};
};

using AllTypes = ::testing::Types<double, float, std::int64_t, std::int32_t>;
TYPED_TEST_SUITE(TypedDats, AllTypes);

TYPED_TEST(TypedDats, ArriveWithEveryBitAndTheirHalos) {
    for (const Backend backend : {Backend::serial, Backend::openmp, Backend::check}) {
        Runtime runtime(this->comm, this->on(backend));
        Mesh mesh = this->ring(runtime);
        auto x = mesh.template take_dat<Node, TypeParam, 3>("x");
        EXPECT_EQ(runtime.gather(x), this->declared());
        const std::vector<TypeParam> at_root = runtime.gather_to_root(x);
        EXPECT_EQ(at_root, this->comm.is_root() ? this->declared() : std::vector<TypeParam>());
        EXPECT_EQ(this->fetched(runtime, mesh, x), this->to_fetch(this->declared()));
    }
}

/// The ledger counts what is stored: 4 or 8 bytes a value, three values a node.
TYPED_TEST(TypedDats, SendHalosAsTheyAreStored) {
    Runtime runtime(this->comm, this->on(Backend::openmp));
    Mesh mesh = this->ring(runtime);
    auto x = mesh.template take_dat<Node, TypeParam, 3>("x");
    std::vector<TypeParam> values = this->declared();
    std::reverse(values.begin(), values.end());
    x.fill([&](LocalIndex i, int d) {
        const auto at = static_cast<std::size_t>(x.set().part->global_id(i) * 3 + d);
        // Of halo elements it must not count.
        return i < x.set().part->owned ? values[at] : TypeParam{1};
    });
    const std::int64_t before = runtime.halo_ledger().bytes;
    EXPECT_EQ(this->fetched(runtime, mesh, x), this->to_fetch(values));
    const std::int64_t sent = this->comm.sum(runtime.halo_ledger().bytes - before);
    const auto mine = static_cast<std::int64_t>(x.set().part->halo.send_indices.size());
    EXPECT_EQ(sent, this->comm.sum(mine) * 3 * static_cast<std::int64_t>(sizeof(TypeParam)));
    EXPECT_TRUE(this->comm.size() == 1 || sent > 0);
}

TYPED_TEST(TypedDats, AreTakenAsTheTypeTheyWereDeclaredWith) {
    using Other = std::conditional_t<std::is_same_v<TypeParam, float>, double, float>;
    Runtime runtime(this->comm, this->on(Backend::serial));
    Mesh mesh = this->ring(runtime);
    EXPECT_THAT(error_of([&] { (void)mesh.template take_dat<Node, Other, 3>("x"); }),
                AllOf(HasSubstr("dat 'x' was declared with values of type"),
                      HasSubstr(std::string("not ") + name_of(element_type_of<Other>))));
}

TYPED_TEST(TypedDats, SwapAndFill) {
    Runtime runtime(this->comm, this->on(Backend::openmp));
    Mesh mesh = this->ring(runtime);
    auto x = mesh.template take_dat<Node, TypeParam, 3>("x");
    auto y = mesh.template make_dat<Node, TypeParam, 3>(x.set(), "y");
    EXPECT_EQ(runtime.gather(y), std::vector<TypeParam>(3 * nodes_declared, TypeParam{0}));
    y.fill(Values<TypeParam, 3>{TypeParam{7}, TypeParam{7}, TypeParam{7}});
    swap(x, y);
    EXPECT_EQ(runtime.gather(y), this->declared());
    EXPECT_EQ(this->fetched(runtime, mesh, x),
              std::vector<TypeParam>(nodes_declared, TypeParam{7}));
}

/// Rows and blocks of lanes; the file holds the native type of HDF5.
TYPED_TEST(TypedDats, AreWrittenAndReadBack) {
    const SharedFolder folder(this->comm);
    Runtime runtime(this->comm, this->on(Backend::openmp));
    Mesh mesh = this->ring(runtime);
    const auto x =
        mesh.template laid_out<LaneStorage>(mesh.template take_dat<Node, TypeParam, 3>("x"));
    EXPECT_EQ(write_fields(this->comm, folder / "f.h5", {x}),
              static_cast<std::int64_t>(3 * nodes_declared * sizeof(TypeParam)));
    folder.on_root([&] {
        const hid_t file = H5Fopen((folder / "f.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
        const hid_t dataset = H5Dopen2(file, "x", H5P_DEFAULT);
        const hid_t type = H5Dget_type(dataset);
        const hid_t native = std::is_same_v<TypeParam, double>         ? H5T_NATIVE_DOUBLE
                             : std::is_same_v<TypeParam, float>        ? H5T_NATIVE_FLOAT
                             : std::is_same_v<TypeParam, std::int64_t> ? H5T_NATIVE_INT64
                                                                       : H5T_NATIVE_INT32;
        EXPECT_GT(H5Tequal(type, native), 0);
        H5Tclose(type);
        H5Dclose(dataset);
        H5Fclose(file);
    });
    auto rows = mesh.template make_dat<Node, TypeParam, 3>(x.set(), "rows");
    read_fields(this->comm, folder / "f.h5", {{"x", rows}});
    EXPECT_EQ(runtime.gather(rows), this->declared());
    EXPECT_EQ(this->fetched(runtime, mesh, rows), this->to_fetch(this->declared()));
}

/// Wider files would be rounded or cut, other kinds mean something else; narrower ones fit.
TEST(TypedFiles, HoldWhatADatHoldsExactly) {
    const Communicator comm(MPI_COMM_WORLD);
    const SharedFolder folder(comm);
    Runtime runtime(comm, {Backend::serial, 1});
    MeshDeclaration declaration;
    declaration.add_set("nodes", 5);
    Mesh mesh = runtime.distribute(std::move(declaration));
    const auto nodes = mesh.set<Node>("nodes");
    auto f64 = mesh.make_dat<Node, double, 1>(nodes, "f64");
    auto f32 = mesh.make_dat<Node, float, 1>(nodes, "f32");
    auto i64 = mesh.make_dat<Node, std::int64_t, 1>(nodes, "i64");
    auto i32 = mesh.make_dat<Node, std::int32_t, 1>(nodes, "i32");
    f32.fill([](LocalIndex i, int) { return 0.1F * static_cast<float>(i); });
    i32.fill([](LocalIndex i, int) { return -i; });
    write_fields(comm, folder / "f.h5", {f64, f32, i64, i32});
    const auto error = [&](const char* dataset, FieldToRead into) {
        into.dataset = dataset;
        return error_of([&] { read_fields(comm, folder / "f.h5", {into}); });
    };
    EXPECT_THAT(error("f64", f32),
                AllOf(StartsWith("3: "), HasSubstr("dataset 'f64' of '"), HasSubstr("f.h5"),
                      HasSubstr("64-bit floating-point numbers, which dat 'f32' of float cannot")));
    EXPECT_THAT(error("i64", i32), HasSubstr("64-bit integers, which dat 'i32' of int32 cannot"));
    EXPECT_THAT(error("f64", i64), HasSubstr("64-bit floating-point numbers, which dat 'i64'"));
    EXPECT_THAT(error("i32", f64), HasSubstr("holds no floating-point numbers"));
    EXPECT_EQ(error("f32", f64), "");
    EXPECT_EQ(error("i32", i64), "");
    const std::vector<float> narrow = runtime.gather(f32);
    EXPECT_EQ(runtime.gather(f64), std::vector<double>(narrow.begin(), narrow.end()));
    const std::vector<std::int32_t> few = runtime.gather(i32);
    EXPECT_EQ(runtime.gather(i64), std::vector<std::int64_t>(few.begin(), few.end()));
}

struct Add {
    template <class V>
    void operator()(const Values<Integer<V>, 1>& x, Values<Integer<V>, 1>& narrow,
                    Values<Integer<V>, 1>& wide) const {
        narrow[0] += x[0] >> 40;
        wide[0] += x[0];
    }
};

/// On the way the sum of 2^62 leaves 64 bits; where it ends counts.
TEST(IntegerGlobals, AreExactOrRefused) {
    const Communicator comm(MPI_COMM_WORLD);
    for (const Backend backend : {Backend::serial, Backend::openmp}) {
        Runtime runtime(comm, {backend, 1});
        MeshDeclaration declaration;
        declaration.add_set("nodes", 600);
        Mesh mesh = runtime.distribute(std::move(declaration));
        const auto nodes = mesh.set<Node>("nodes");
        auto x = mesh.make_dat<Node, std::int64_t, 1>(nodes, "x");
        const auto sum_of = [&](std::int64_t upper) {
            x.fill([&](LocalIndex i, int) {
                return nodes.part->global_id(i) < 300 ? -(std::int64_t{1} << 62) + 1 : upper;
            });
            Global<std::int32_t, 1> narrow{{1}};
            Global<std::int64_t, 1> wide{{-5}};
            par_loop(runtime.context(), "add", nodes, Add{}, read(x), inc(narrow), inc(wide));
            return wide[0];
        };
        EXPECT_EQ(sum_of(std::int64_t{1} << 62), 300 - 5);
        x.fill([](LocalIndex, int) { return std::int64_t{1} << 62; });
        Global<std::int32_t, 1> narrow{{1}};
        Global<std::int64_t, 1> unused;
        EXPECT_THAT(error_of([&] {
                        par_loop(runtime.context(), "add", nodes, Add{}, read(x), inc(narrow),
                                 inc(unused));
                    }),
                    HasSubstr("loop 'add': a sum over its elements is 2516582401, which a global "
                              "of int32 does not hold"));
        x.fill([](LocalIndex, int) { return std::int64_t{1} << 55; });
        Global<std::int64_t, 1> ignored;
        Global<std::int64_t, 1> wide;
        EXPECT_THAT(error_of([&] {
                        par_loop(runtime.context(), "add", nodes, Add{}, read(x), inc(ignored),
                                 inc(wide));
                    }),
                    HasSubstr("beyond 2^63, which a global of int64 does not hold"));
    }
}

}  // namespace
}  // namespace halocline
