// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Fields written by any distribution come back bit for bit, in input order; failures leave nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>
#include <span>

#include "halocline/io/block_exchange.hpp"
#include "halocline/io/field_reader.hpp"
#include "halocline/io/field_writer.hpp"
#include "halocline/io/file_io_times.hpp"
#include "halocline/io/output_check.hpp"
#include "halocline/io/result_names.hpp"
#include "halocline/io/run_record.hpp"
#include "mpi/io/shared_folder.hpp"
#include "support/file_size_limit.hpp"

namespace halocline {
namespace {

using ::testing::AllOf;
using testing::error_of;
using testing::FileSizeLimit;
using ::testing::HasSubstr;
using testing::SharedFolder;
using ::testing::StartsWith;

/// Elements dealt to ranks at random, in random local order, followed by one foreign halo element.
SetPart shuffled_set(const Communicator& comm, GlobalIndex size) {
    std::vector<GlobalIndex> ids(static_cast<std::size_t>(size));
    std::iota(ids.begin(), ids.end(), GlobalIndex{0});
    std::mt19937_64 random(17);
    std::shuffle(ids.begin(), ids.end(), random);
    SetPart set;
    set.name = "nodes";
    set.global_size = size;
    // Uneven on purpose: rank r takes every id whose position falls into its share.
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (static_cast<int>(i * i % static_cast<std::size_t>(comm.size())) == comm.rank()) {
            set.global_ids.push_back(ids[i]);
        }
    }
    set.owned = static_cast<LocalIndex>(set.global_ids.size());
    set.core = set.owned;
    set.exec = set.owned;
    set.total = set.owned + 1;
    set.global_ids.push_back(ids[0]);
    return set;
}

/// Half-written files count: their names begin with a dot.
std::ptrdiff_t files_in(const std::string& folder) {
    return std::distance(std::filesystem::directory_iterator(folder), {});
}

double value_of(GlobalIndex id, int d) {
    return std::ldexp(static_cast<double>(id * 7 + d) + 0.1, static_cast<int>(id % 61) - 30);
}

/// Values in a layout, with a mark on everything that no owned element may touch.
struct Field {
    Field(const SetPart& set, int dim, Layout layout_of) : layout(layout_of) {
        const auto last =
            static_cast<LocalIndex>((set.total + simd_lanes) / simd_lanes * simd_lanes);
        const auto room = static_cast<std::size_t>(layout.offset(last, dim - 1) + 64);
        store.set = &set;
        store.dim = dim;
        store.layout = layout;
        store.values = Buffer<double>(room, -1.0);
        values = {store.values.data(), room};
        raw = store.raw();
    }
    void fill(const SetPart& set) {
        for (LocalIndex i = 0; i < set.owned; ++i) {
            for (int d = 0; d < raw.dim; ++d) {
                values[static_cast<std::size_t>(layout.offset(i, d))] =
                    value_of(set.global_id(i), d);
            }
        }
    }
    Layout layout;
    DatStore store;
    std::span<double> values;
    RawDat raw;
};

class Fields : public ::testing::Test {
protected:
    Communicator comm{MPI_COMM_WORLD};
    SharedFolder folder{comm};
};

std::vector<double> dataset_values(const std::string& path, const std::string& name,
                                   std::size_t size) {
    std::vector<double> values(size);
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t dataset = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
    H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(dataset);
    H5Fclose(file);
    return values;
}

TEST_F(Fields, WrittenRows_AreInInputOrder) {
    const SetPart set = shuffled_set(comm, 1001);
    Field field(set, 5, Layout::rows(8));
    field.fill(set);
    const std::string path = result_path(folder.path() + "/", "variables", 0, 25);
    EXPECT_EQ(write_fields(comm, path, {{result_dataset("variables", 0), field.store}}), 1001 * 40);
    folder.on_root([&] {
        EXPECT_FALSE(std::filesystem::exists(path + ".partial"));
        const auto values =
            dataset_values(folder / "variables.L0.cycles=25.h5", "p_variables_result_L0", 1001 * 5);
        for (GlobalIndex i = 0; i < 1001; ++i) {
            for (int d = 0; d < 5; ++d) {
                ASSERT_EQ(values[static_cast<std::size_t>(5 * i + d)], value_of(i, d)) << i;
            }
        }
    });
}

// h5dump of an OP2 file: size and dim are arrays of one H5T_STD_I32LE, type a string of 6.
TEST_F(Fields, Attributes_AreThoseOfOp2) {
    const SetPart set = shuffled_set(comm, 20);
    Field field(set, 5, Layout::rows(5));
    field.fill(set);
    write_fields(comm, folder / "a.h5", {{"p_variables", field.store}});
    folder.on_root([&] {
        const hid_t file = H5Fopen((folder / "a.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
        int size = 0;
        int dim = 0;
        char type[8] = {};
        for (auto [name, into] : {std::pair{"size", &size}, std::pair{"dim", &dim}}) {
            const hid_t attribute =
                H5Aopen_by_name(file, "p_variables", name, H5P_DEFAULT, H5P_DEFAULT);
            const hid_t space = H5Aget_space(attribute);
            EXPECT_EQ(H5Sget_simple_extent_ndims(space), 1);
            H5Aread(attribute, H5T_NATIVE_INT, into);
            H5Sclose(space);
            H5Aclose(attribute);
        }
        const hid_t attribute =
            H5Aopen_by_name(file, "p_variables", "type", H5P_DEFAULT, H5P_DEFAULT);
        const hid_t text = H5Aget_type(attribute);
        EXPECT_EQ(H5Tget_size(text), 6U);
        H5Aread(attribute, text, type);
        H5Tclose(text);
        H5Aclose(attribute);
        H5Fclose(file);
        EXPECT_EQ(size, 40);
        EXPECT_EQ(dim, 5);
        EXPECT_STREQ(type, "double");
    });
}

TEST_F(Fields, RoundTrip_KeepsEveryBitAndTheHalo) {
    for (const Layout layout : {Layout::rows(8), Layout::lanes(5)}) {
        const SetPart set = shuffled_set(comm, 997);
        Field written(set, 5, layout);
        written.fill(set);
        write_fields(comm, folder / "f.h5", {{"q", written.store}});
        Field read(set, 5, layout);
        read_fields(comm, folder / "f.h5", {{"q", read.store}});
        EXPECT_FALSE(read.store.halo_valid);
        EXPECT_FALSE(read.store.derived_valid);
        EXPECT_EQ(std::memcmp(read.values.data(), written.values.data(),
                              written.values.size() * sizeof(double)),
                  0);
    }
}

TEST_F(Fields, ManyWindows_GiveTheSameRows) {
    const SetPart set = shuffled_set(comm, 503);
    Field field(set, 3, Layout::rows(3));
    field.fill(set);
    const RowPattern pattern(comm, set, 10);
    ExchangeMemory memory;
    BlockExchange exchange(comm, pattern, memory, 3);
    const BlockRange block = block_range(503, comm.rank(), comm.size());
    GlobalIndex next = block.begin;
    for (std::int64_t window = 0; window < exchange.windows(); ++window) {
        exchange.collect(window, field.raw, RowOrder::local);
        const std::int64_t count = exchange.rows(window).size();
        std::vector<double> rows(static_cast<std::size_t>(3 * count));
        exchange.copy_rows(0, count, reinterpret_cast<std::byte*>(rows.data()));
        for (std::size_t i = 0; i < rows.size(); ++i) {
            ASSERT_EQ(rows[i],
                      value_of(next + static_cast<GlobalIndex>(i / 3), static_cast<int>(i % 3)));
        }
        next += static_cast<GlobalIndex>(rows.size() / 3);
    }
    EXPECT_EQ(next, block.end);
}

TEST_F(Fields, FewerElementsThanRanks_AreWritten) {
    const SetPart set = shuffled_set(comm, 1);
    Field field(set, 1, Layout::rows(1));
    field.fill(set);
    write_fields(comm, folder / "one.h5", {{"q", field.store}});
    folder.on_root(
        [&] { EXPECT_EQ(dataset_values(folder / "one.h5", "q", 1)[0], value_of(0, 0)); });
}

TEST_F(Fields, ElementsOwnedTwice_AreRefused) {
    SetPart set = shuffled_set(comm, 12);
    if (comm.is_root()) {
        set.owned += 1;
    }
    Field field(set, 1, Layout::rows(1));
    EXPECT_THAT(error_of([&] {
                    write_fields(comm, folder / "a.h5", {{"q", field.store}});
                }),
                HasSubstr("has 12 elements, but ranks own 13"));
}

TEST_F(Fields, MissingFolder_IsNamedAndNothingIsLeft) {
    const SetPart set = shuffled_set(comm, 12);
    Field field(set, 1, Layout::rows(1));
    EXPECT_THAT(error_of([&] {
                    write_fields(comm, folder / "no/a.h5", {{"q", field.store}});
                }),
                AllOf(StartsWith("5: "), HasSubstr("no/a.h5"), HasSubstr("folder exists")));
    EXPECT_THAT(error_of([&] { check_output_writable(comm, folder / "no/run."); }),
                AllOf(StartsWith("4: "), HasSubstr("no folder")));
}

TEST_F(Fields, WritableFolder_PassesAndStaysClean) {
    EXPECT_EQ(error_of([&] { check_output_writable(comm, folder / "run.", {}, 1 << 20); }), "");
    folder.on_root([&] { EXPECT_TRUE(std::filesystem::is_empty(folder.path())); });
}

TEST_F(Fields, TooLittleSpace_IsSaidAtTheStart) {
    EXPECT_THAT(
        error_of([&] { check_output_writable(comm, folder / "run.", {}, std::int64_t{1} << 60U); }),
        AllOf(StartsWith("4: "), HasSubstr("MiB free")));
}

TEST_F(Fields, FullDisk_EndsInASentenceOnEveryRankAndLeavesTheOldFile) {
    const SetPart set = shuffled_set(comm, 40000);
    Field field(set, 5, Layout::rows(5));
    field.fill(set);
    folder.write_text("full.h5", "the result of an earlier run");
    {
        const FileSizeLimit limit(200000);
        EXPECT_THAT(error_of([&] {
                        write_fields(comm, folder / "full.h5", {{"q", field.store}});
                    }),
                    AllOf(StartsWith("5: "), HasSubstr("full.h5"), HasSubstr("Make free space")));
    }
    folder.on_root([&] {
        EXPECT_EQ(files_in(folder.path()), 1);
        EXPECT_EQ(std::filesystem::file_size(folder / "full.h5"), 28U);
    });
    // The library is still usable afterwards.
    EXPECT_EQ(write_fields(comm, folder / "full.h5", {{"q", field.store}}), 40000 * 40);
}

TEST_F(Fields, FailureOfTheLastRankAlone_IsEveryRanksFailure) {
    const SetPart set = shuffled_set(comm, 40000);
    Field field(set, 5, Layout::rows(5));
    const bool fails = comm.rank() == comm.size() - 1;
    const FileSizeLimit limit(fails ? 900000 : RLIM_INFINITY);
    EXPECT_THAT(error_of([&] {
                    write_fields(comm, folder / "a.h5", {{"q", field.store}});
                }),
                AllOf(StartsWith("5: "), HasSubstr("a.h5"), HasSubstr("File too large")));
    folder.on_root([&] { EXPECT_TRUE(std::filesystem::is_empty(folder.path())); });
}

TEST_F(Fields, RunRecord_ReplacesTheOldOneOrLeavesIt) {
    folder.write_text("record.json", "old");
    RunRecord run;
    run.program = "mgcfd";
    {
        const FileSizeLimit limit(10);
        EXPECT_THAT(error_of([&] { write_run_record(comm, folder / "record.json", run); }),
                    AllOf(StartsWith("5: "), HasSubstr("record.json")));
    }
    folder.on_root([&] { EXPECT_EQ(std::filesystem::file_size(folder / "record.json"), 3U); });
    write_run_record(comm, folder / "record.json", run);
    folder.on_root([&] {
        EXPECT_GT(std::filesystem::file_size(folder / "record.json"), 100U);
        EXPECT_EQ(files_in(folder.path()), 1);
    });
    EXPECT_THAT(error_of([&] { write_run_record(comm, folder / "no/record.json", run); }),
                AllOf(StartsWith("5: "), HasSubstr("folder exists")));
}

TEST_F(Fields, FileIoTimes_GrowByALineARun) {
    const FileIoTimes times{"parmetis-kway", 5, 2, 0.25, 1.5};
    append_file_io_times(comm, folder / "run", times);
    append_file_io_times(comm, folder / "run", times);
    folder.on_root([&] {
        std::ifstream file(folder / "run.P=0.FileIoTimes.csv");
        const std::string text((std::istreambuf_iterator<char>(file)), {});
        EXPECT_EQ(text,
                  "rank,partitioner,level,writeInterval,numberOfWrites,fileIoTime,wallTime\n"
                  "0,parmetis-kway,0,5,2,0.25,1.5\n0,parmetis-kway,0,5,2,0.25,1.5\n");
    });
    EXPECT_THAT(error_of([&] { append_file_io_times(comm, folder / "no/run", times); }),
                AllOf(StartsWith("5: "), HasSubstr("no/run.P=0.FileIoTimes.csv")));
}

TEST_F(Fields, Spread_IsOverRanks) {
    const record::Spread spread = spread_of(comm, comm.rank());
    EXPECT_EQ(spread.min, 0.0);
    EXPECT_EQ(spread.max, comm.size() - 1);
    EXPECT_EQ(spread.mean, (comm.size() - 1) / 2.0);
}

TEST_F(Fields, FullDiskAtStart_IsSaid) {
    const FileSizeLimit limit(0);
    EXPECT_THAT(error_of([&] { check_output_writable(comm, folder / "run."); }),
                AllOf(StartsWith("4: "), HasSubstr("free space")));
}

TEST_F(Fields, WrongDatasets_AreRefusedByTheReader) {
    const SetPart set = shuffled_set(comm, 12);
    Field field(set, 5, Layout::rows(5));
    write_fields(comm, folder / "a.h5", {{"q", field.store}});
    EXPECT_THAT(error_of([&] {
                    read_fields(comm, folder / "a.h5", {{"p", field.store}});
                }),
                AllOf(StartsWith("3: "), HasSubstr("a.h5"), HasSubstr("'p'")));
    const SetPart other = shuffled_set(comm, 13);
    Field larger(other, 5, Layout::rows(5));
    EXPECT_THAT(error_of([&] {
                    read_fields(comm, folder / "a.h5", {{"q", larger.store}});
                }),
                HasSubstr("shape (13, 5)"));
    EXPECT_THAT(error_of([&] {
                    read_fields(comm, folder / "b.h5", {{"q", field.store}});
                }),
                HasSubstr("does not exist"));
}

struct Node {};
struct Cell {};

/// Two dats of nodes and one of cells, which hold other values on other sets.
struct ThreeDats {
    ThreeDats(const SetPart& nodes, const SetPart& cells, double factor)
        : q({&nodes}, "q", LayoutMode::vector),
          p({&nodes}, "p", LayoutMode::vector),
          area({&cells}, "area", LayoutMode::plain) {
        q.fill([&](LocalIndex i, int d) { return factor * value_of(nodes.global_id(i), d); });
        p.fill([&](LocalIndex i, int d) { return factor * value_of(nodes.global_id(i), d + 7); });
        area.fill(
            [&](LocalIndex i, int d) { return factor * value_of(cells.global_id(i), d + 9); });
    }
    bool operator==(const ThreeDats& other) const {
        return same(q.store(), other.q.store()) && same(p.store(), other.p.store()) &&
               same(area.store(), other.area.store());
    }
    static bool same(const DatStore& a, const DatStore& b) {
        for (LocalIndex i = 0; i < a.set->owned; ++i) {
            for (int d = 0; d < a.dim; ++d) {
                if (a.at(i, d) != b.at(i, d)) {
                    return false;
                }
            }
        }
        return true;
    }
    Dat<Node, double, 5, LaneStorage> q;
    Dat<Node, double, 1> p;
    Dat<Cell, double, 2> area;
};

TEST_F(Fields, DatsOfSeveralSets_ComeBackFromOneFile) {
    const SetPart nodes = shuffled_set(comm, 997);
    const SetPart cells = shuffled_set(comm, 41);
    const ThreeDats written(nodes, cells, 1.0);
    ThreeDats read(nodes, cells, -1.0);
    const std::string path = folder / "flow.h5";
    EXPECT_EQ(write_fields(comm, path, {written.q, {"pressure", written.p}, written.area}),
              997 * 48 + 41 * 16);
    read_fields(comm, path, {read.area, {"pressure", read.p}, read.q});
    EXPECT_TRUE(read == written);
    EXPECT_FALSE(read.area.handle().halo_valid);
}

TEST_F(Fields, OneWrongDatasetOfSeveral_ChangesNoValue) {
    const SetPart nodes = shuffled_set(comm, 97);
    const SetPart cells = shuffled_set(comm, 41);
    const ThreeDats written(nodes, cells, 1.0);
    const ThreeDats before(nodes, cells, -1.0);
    ThreeDats read(nodes, cells, -1.0);
    write_fields(comm, folder / "flow.h5", {written.q, written.p});
    EXPECT_THAT(error_of([&] {
                    read_fields(comm, folder / "flow.h5", {read.q, {"p", read.area}});
                }),
                AllOf(StartsWith("3: "), HasSubstr("'p'"), HasSubstr("shape (41, 2)")));
    EXPECT_TRUE(read == before);
}

TEST_F(Fields, TwoDatsOfOneName_AndTemporaries_AreRefused) {
    const SetPart nodes = shuffled_set(comm, 97);
    ThreeDats dats(nodes, nodes, 1.0);
    EXPECT_THAT(error_of([&] {
                    write_fields(comm, folder / "a.h5", {dats.q, {"q", dats.p}});
                }),
                AllOf(StartsWith("5: "), HasSubstr("two dats become dataset 'q'")));
    Dat<Node, double, 1, TemporaryStorage> passing({&nodes}, "passing", LayoutMode::vector, true);
    EXPECT_THAT(error_of([&] { write_fields(comm, folder / "a.h5", {passing}); }),
                HasSubstr("is temporary"));
    EXPECT_THAT(error_of([&] { read_fields(comm, folder / "a.h5", {passing}); }),
                HasSubstr("is temporary"));
    folder.on_root([&] { EXPECT_TRUE(std::filesystem::is_empty(folder.path())); });
}

TEST_F(Fields, ListsThatDifferBetweenRanks_AreNamed) {
    if (comm.size() == 1) {
        GTEST_SKIP() << "one rank agrees with itself: io_mpi_test.np2 and np3 run it";
    }
    const SetPart nodes = shuffled_set(comm, 97);
    ThreeDats dats(nodes, nodes, 1.0);
    const std::string path = folder / "a.h5";
    const bool is_last = comm.rank() == comm.size() - 1;
    const std::string last = std::to_string(comm.size() - 1);
    EXPECT_THAT(error_of([&] {
                    if (is_last) {
                        write_fields(comm, path, {dats.q, {"pressure", dats.p}});
                    } else {
                        write_fields(comm, path, {dats.q});
                    }
                }),
                AllOf(StartsWith("5: ranks write to '" + path + "' different fields (rank 0 'q' ("),
                      HasSubstr(", rank " + last + " 'q' ("), HasSubstr("), 'pressure' (")));
    folder.on_root([&] { EXPECT_TRUE(std::filesystem::is_empty(folder.path())); });
    write_fields(comm, path, {dats.q, {"pressure", dats.p}});
    EXPECT_THAT(error_of([&] {
                    if (is_last) {
                        read_fields(comm, path, {});
                    } else {
                        read_fields(comm, path, {dats.q});
                    }
                }),
                AllOf(HasSubstr("different fields (rank 0 'q' ("),
                      HasSubstr(", rank " + last + " nothing)")));
}

TEST_F(Fields, ReferenceResult_IsReadByGlobalId) {
    const SetPart set = shuffled_set(comm, 5049);
    Field field(set, 5, Layout::rows(5));
    const std::string path = HALOCLINE_TEST_DATA_DIR "/mgcfd-reference/legacy/result_4level.h5";
    read_fields(comm, path, {{"cycles=25/p_variables_result_L0", field.store}});
    const auto values = dataset_values(path, "cycles=25/p_variables_result_L0", 5049 * 5);
    for (LocalIndex i = 0; i < set.owned; ++i) {
        ASSERT_EQ(field.values[static_cast<std::size_t>(5 * i + 4)],
                  values[static_cast<std::size_t>(5 * set.global_id(i) + 4)]);
    }
}

}  // namespace
}  // namespace halocline
