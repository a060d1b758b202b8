// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Exchanges of dats on a device: values, order against kernels, and the ledger against closed
// formulae, on the emulated device, whose memory host code cannot touch.
#include "halocline/dist/exchange/device_halo.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "halocline/dist/distribute.hpp"
#include "halocline/dist/exchange/halo_exchange.hpp"
#include "halocline/memory/emulated_device.hpp"
#include "halocline/memory/peer_memory.hpp"
#include "mpi/dist/meshes.hpp"

namespace halocline::test {
namespace {

constexpr LocalIndex owned = 40;
constexpr LocalIndex shared = 7;  ///< elements that each other rank wants of a rank

/// Every rank is everyone's neighbour: `shared` owned elements, spread, go to each of the others.
SetPart complete_graph(const Communicator& comm) {
    SetPart set;
    set.name = "elements";
    set.global_size = GlobalIndex{owned} * comm.size();
    set.owned = owned;
    std::vector<GlobalIndex> ids;
    for (LocalIndex i = 0; i < owned; ++i) {
        ids.push_back(GlobalIndex{owned} * comm.rank() + i);
    }
    HaloPattern& halo = set.halo;
    for (int rank = 0; rank < comm.size(); ++rank) {
        if (rank == comm.rank()) {
            continue;
        }
        halo.neighbours.push_back(rank);
        for (LocalIndex k = 0; k < shared; ++k) {
            const LocalIndex element = 3 + 5 * k;
            halo.send_indices.push_back(element);
            halo.recv_indices.push_back(static_cast<LocalIndex>(ids.size()));
            ids.push_back(GlobalIndex{owned} * rank + element);
        }
        halo.send_offsets.push_back(static_cast<LocalIndex>(halo.send_indices.size()));
        halo.recv_offsets.push_back(static_cast<LocalIndex>(halo.recv_indices.size()));
    }
    set.exec = set.total = static_cast<LocalIndex>(ids.size());
    set.global_ids = GlobalIds(ids);
    return set;
}

double field_value(GlobalIndex id, int d, int round) {
    return static_cast<double>(id) * 16.0 + d + 0.5 * round + 1e-9 * static_cast<double>(id * d);
}

/// A dat on the device, and a copy on the host to fill it from and to look at.
class DeviceDat {
public:
    DeviceDat(Device& device, const SetPart& set, int dim, Layout layout)
        : device_(device),
          set_(set),
          dim_(dim),
          layout_(layout),
          host_(static_cast<std::size_t>(layout.size(set.total, dim)), -7.0),
          memory_(MemoryKind::device, host_.size() * sizeof(double), &device) {}

    [[nodiscard]] HaloItem item() const {
        return {
            {reinterpret_cast<double*>(memory_.data()), dim_, layout_}, &set_, MemoryKind::device};
    }

    /// Owned elements get their values, halo elements something else.
    void fill(int round) {
        for (LocalIndex i = 0; i < set_.total; ++i) {
            for (int d = 0; d < dim_; ++d) {
                host_[at(i, d)] = i < set_.owned ? field_value(set_.global_id(i), d, round) : -1.0;
            }
        }
        copy(memory_.data(), host_.data(), CopyDirection::to_device);
    }

    [[nodiscard]] int count_wrong(int round) {
        copy(host_.data(), memory_.data(), CopyDirection::to_host);
        int wrong = 0;
        for (LocalIndex i = 0; i < set_.total; ++i) {
            for (int d = 0; d < dim_; ++d) {
                wrong += host_[at(i, d)] == field_value(set_.global_id(i), d, round) ? 0 : 1;
            }
        }
        return wrong;
    }

private:
    [[nodiscard]] std::size_t at(LocalIndex i, int d) const {
        return static_cast<std::size_t>(layout_.offset(i, d));
    }

    void copy(void* to, const void* from, CopyDirection direction) {
        if (!host_.empty()) {
            copy_now(device_, to, from, memory_.size_bytes(), direction);
        }
    }

    Device& device_;
    const SetPart& set_;
    int dim_;
    Layout layout_;
    std::vector<double> host_;
    SpaceBuffer memory_;
};

const Capability mpi_may{true, "the emulated device shows its memory"};
const Capability peers_may{true, "one host"};
using Entry = TransferBlocks::Entry;

TransferBlocks cut_by(std::vector<Entry> entries) { return TransferBlocks(std::move(entries)); }

const TransferBlocks uncut = whole_messages();

DeviceHaloOptions options_for(const std::string& scheme, const TransferBlocks& blocks = uncut) {
    return {scheme, blocks, mpi_may, peers_may};
}

class DeviceHalo : public testing::TestWithParam<std::string> {
protected:
    std::unique_ptr<HaloExchange> make(const TransferBlocks& blocks = uncut) {
        return make_device_halo_exchange(comm, device, *compute, options_for(GetParam(), blocks));
    }

    /// One exchange; returns what the ledger says it cost.
    HaloLedger exchange(HaloExchange& halo, const std::vector<HaloItem>& items) {
        const HaloLedger before = halo.ledger();
        halo.begin(items);
        halo.end();
        compute->synchronize();
        return halo.ledger().since(before);
    }

    Communicator comm{MPI_COMM_WORLD};
    EmulatedDevice device{{.link = {}, .mpi_access = true}};
    std::unique_ptr<Stream> compute = device.make_stream();
    SetPart set = complete_graph(comm);
    std::int64_t others = comm.size() - 1;
};

TEST_P(DeviceHalo, BringsEveryValueOfEveryLayout) {
    SetPart second = complete_graph(comm);
    std::vector<DeviceDat> dats;
    dats.emplace_back(device, set, 5, Layout::rows(5));
    dats.emplace_back(device, set, 5, Layout::rows(8));
    dats.emplace_back(device, second, 3, Layout::lanes(3));
    dats.emplace_back(device, second, 5, Layout::pairs(5, (second.total + 7) / 8 * 8));
    dats.emplace_back(device, second, 2, Layout::columns(second.total + 3));
    dats.emplace_back(device, second, 1, Layout::rows(1));
    for (const TransferBlocks& blocks : {uncut, cut_by({{0, 64}})}) {
        const auto halo = make(blocks);
        EXPECT_EQ(halo->scheme(), GetParam());
        for (int round = 0; round < 3; ++round) {
            std::vector<HaloItem> items;
            for (DeviceDat& dat : dats) {
                dat.fill(round);
                items.push_back(dat.item());
            }
            exchange(*halo, items);
            for (std::size_t k = 0; k < dats.size(); ++k) {
                EXPECT_EQ(dats[k].count_wrong(round), 0) << "dat " << k << ", round " << round;
            }
        }
    }
}

/// The formulae of the schemes for M fields, S1 bytes in a whole one and S2 in what it sends and
/// receives together, with N ranks that are all neighbours.
TEST_P(DeviceHalo, CostsWhatTheFormulaeSay) {
    const std::int64_t whole_bytes = std::int64_t{8} * set.total;             // S1
    const std::int64_t packed_bytes = std::int64_t{8} * 2 * shared * others;  // S2
    for (const int fields : {1, 3, 9}) {
        std::vector<DeviceDat> dats;
        std::vector<HaloItem> items;
        for (int k = 0; k < fields; ++k) {
            dats.emplace_back(device, set, 1, Layout::rows(1));
            dats.back().fill(0);
            items.push_back(dats.back().item());
        }
        const auto halo = make();
        exchange(*halo, items);  // makes the plan, which copies its lists to the device
        const TransferCounts before = device.counts();
        const HaloLedger cost = exchange(*halo, items);
        std::int64_t copies = 0;
        std::int64_t bytes = 0;
        if (others > 0 && GetParam() == "whole") {
            copies = 2 * fields;
            bytes = 2 * fields * whole_bytes;
        } else if (GetParam() == "neighbour") {
            copies = 2 * fields * others;
            bytes = fields * packed_bytes;
        } else if (others > 0 && GetParam() == "packed") {
            copies = 2;
            bytes = fields * packed_bytes;
        }
        EXPECT_EQ(cost.link_copies, copies) << fields << " fields";
        EXPECT_EQ(cost.link_bytes, bytes) << fields << " fields";
        EXPECT_EQ(cost.messages, others);
        EXPECT_EQ(cost.bytes, fields * packed_bytes / 2);
        EXPECT_EQ(device.counts().link_copies() - before.link_copies(), copies);
        EXPECT_EQ(device.counts().link_bytes() - before.link_bytes(), bytes);
    }
}

TEST_P(DeviceHalo, CostsWhatIsPredicted) {
    const TransferBlocks blocks = cut_by({{0, 0}, {100, 64}});
    DeviceDat one(device, set, 1, Layout::rows(1));
    DeviceDat rows(device, set, 5, Layout::rows(8));
    one.fill(0);
    rows.fill(0);
    const auto halo = make(blocks);
    for (const std::vector<HaloItem>& items :
         {std::vector{one.item()}, std::vector{one.item(), rows.item()}}) {
        exchange(*halo, items);
        const HaloLedger cost = exchange(*halo, items);
        const HaloLedger predicted = predict_device_exchange(items, GetParam(), blocks);
        EXPECT_EQ(cost.exchanges, predicted.exchanges);
        EXPECT_EQ(cost.messages, predicted.messages);
        EXPECT_EQ(cost.bytes, predicted.bytes);
        EXPECT_EQ(cost.link_copies, predicted.link_copies);
        EXPECT_EQ(cost.link_bytes, predicted.link_bytes);
    }
}

TEST_P(DeviceHalo, WaitsForKernelsBeforeItAndLaterOnesWaitForIt) {
    DeviceDat dat(device, set, 2, Layout::rows(2));
    dat.fill(0);
    const HaloItem item = dat.item();
    const auto halo = make();
    exchange(*halo, {item});
    auto* values = static_cast<double*>(device.kernel_address(item.dat.values));
    const auto owned_values = static_cast<std::size_t>(owned) * 2;
    std::atomic<bool> go{false};
    device.launch(*compute, [&] {
        go.wait(false);
        for (std::size_t i = 0; i < owned_values; ++i) {
            values[i] += 1.0;
        }
    });
    halo->begin({&item, 1});
    EXPECT_EQ(halo->progress(), others > 0 && !halo->is_queued())
        << "what is sent is not computed yet, which the host only waits for where it takes part";
    go = true;
    go.notify_all();
    halo->end();
    double sum = 0.0;
    device.launch(*compute, [&] {
        for (LocalIndex i = owned; i < set.total; ++i) {
            sum += values[static_cast<std::size_t>(i) * 2] - field_value(set.global_id(i), 0, 0);
        }
    });
    compute->synchronize();
    EXPECT_EQ(sum, static_cast<double>(shared * others));
}

/// Irregular patterns: the parts of a random mesh, against the host's scheme.
TEST_P(DeviceHalo, EqualsTheHostOnPartsOfAMesh) {
    DistributeOptions distribution;
    distribution.partitioner = "random";
    const MeshPart part =
        distribute(comm, block_of(random_multigrid(300, 20, 17), comm), distribution).part;
    for (const SetPart& nodes : part.sets) {
        DeviceDat dat(device, nodes, 4, Layout::rows(4));
        dat.fill(1);
        const auto halo = make(cut_by({{0, 0}, {256, 128}}));
        exchange(*halo, {dat.item()});
        EXPECT_EQ(dat.count_wrong(1), 0) << nodes.name;
    }
}

class DeviceHaloBesideHosts : public DeviceHalo {};

/// Host ranks and device ranks understand each other where no message is cut.
TEST_P(DeviceHaloBesideHosts, UnderstandsThem) {
    const bool on_host = comm.rank() % 2 == 0;
    if (on_host) {
        const auto halo = make_halo_exchange(comm);
        std::vector<double> values(static_cast<std::size_t>(set.total) * 3);
        for (LocalIndex i = 0; i < set.total; ++i) {
            for (int d = 0; d < 3; ++d) {
                values[static_cast<std::size_t>(i) * 3 + static_cast<std::size_t>(d)] =
                    i < owned ? field_value(set.global_id(i), d, 4) : -1.0;
            }
        }
        const HaloItem item{{values.data(), 3, Layout::rows(3)}, &set};
        halo->begin({&item, 1});
        halo->end();
        for (LocalIndex i = 0; i < set.total; ++i) {
            for (int d = 0; d < 3; ++d) {
                EXPECT_EQ(values[static_cast<std::size_t>(i) * 3 + static_cast<std::size_t>(d)],
                          field_value(set.global_id(i), d, 4));
            }
        }
    } else {
        DeviceDat dat(device, set, 3, Layout::rows(8));
        dat.fill(4);
        const auto halo = make();
        exchange(*halo, {dat.item()});
        EXPECT_EQ(dat.count_wrong(4), 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Schemes, DeviceHalo, testing::ValuesIn(device_halo_scheme_names()),
                         [](const auto& scheme) { return scheme.param; });
INSTANTIATE_TEST_SUITE_P(Schemes, DeviceHaloBesideHosts,
                         testing::Values("packed", "neighbour", "whole", "direct"),
                         [](const auto& scheme) { return scheme.param; });

class PeerHalo : public DeviceHalo {};

/// The host may be many exchanges ahead of the device, and ranks one ahead of each other: a message is
/// not written over before it was read.
TEST_P(PeerHalo, QueuesManyExchangesWithoutWaiting) {
    DeviceDat dat(device, set, 3, Layout::rows(4));
    dat.fill(0);
    const HaloItem item = dat.item();
    const auto halo = make();
    ASSERT_TRUE(halo->is_queued());
    halo->prepare({&item, 1});
    auto* values = static_cast<double*>(device.kernel_address(item.dat.values));
    std::atomic<int> wrong{0};
    constexpr int rounds = 200;
    for (int round = 1; round <= rounds; ++round) {
        device.launch(*compute, [this, values, round] {
            usleep(static_cast<useconds_t>((comm.rank() * 7 + round * 13) % 40));
            for (LocalIndex i = 0; i < owned; ++i) {
                values[std::size_t{4} * static_cast<std::size_t>(i)] =
                    field_value(set.global_id(i), 0, round);
            }
        });
        halo->begin({&item, 1});
        halo->end();
        device.launch(*compute, [this, values, round, &wrong] {
            for (LocalIndex i = owned; i < set.total; ++i) {
                wrong += values[std::size_t{4} * static_cast<std::size_t>(i)] ==
                                 field_value(set.global_id(i), 0, round)
                             ? 0
                             : 1;
            }
        });
    }
    compute->synchronize();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(halo->ledger().exchanges, others > 0 ? rounds : 0);
}

/// Recorded once, done three times: each time with what the dat holds then.
TEST_P(PeerHalo, IsRecordedAndRepeated) {
    DeviceDat dat(device, set, 2, Layout::rows(2));
    dat.fill(0);
    const HaloItem item = dat.item();
    const auto halo = make();
    halo->prepare({&item, 1});
    device.begin_capture(*compute);
    halo->begin({&item, 1});
    halo->end();
    const std::unique_ptr<Graph> graph = device.end_capture(*compute);
    EXPECT_EQ(graph->size(), others > 0 ? 1 : 0);
    const HaloLedger recorded = halo->ledger();
    double taken_s = 0.0;
    for (int round = 1; round <= 3; ++round) {
        dat.fill(round);
        graph->launch(*compute);
        halo->count({&item, 1});
        compute->synchronize();
        EXPECT_EQ(dat.count_wrong(round), 0);
        const HaloLedger settled = halo->completed_ledger();
        if (others > 0) {
            EXPECT_GT(settled.total_s, taken_s) << "the device's clock misses what is repeated";
        }
        EXPECT_EQ(settled.exposed_s, settled.total_s);
        taken_s = settled.total_s;
    }
    EXPECT_EQ(halo->ledger().total_s, 0.0);
    const HaloLedger repeated = halo->ledger().since(recorded);
    EXPECT_EQ(repeated.exchanges, 3 * recorded.exchanges);
    EXPECT_EQ(repeated.messages, 3 * recorded.messages);
    EXPECT_EQ(repeated.bytes, 3 * recorded.bytes);
}

INSTANTIATE_TEST_SUITE_P(Schemes, PeerHalo, testing::Values("peer"),
                         [](const auto& scheme) { return scheme.param; });

class DeviceHaloOptionsTest : public testing::Test {
protected:
    Communicator comm{MPI_COMM_WORLD};
    EmulatedDevice device;
    std::unique_ptr<Stream> compute = device.make_stream();
};

TEST_F(DeviceHaloOptionsTest, RefusesWhatTheMachineCannotDo) {
    try {
        (void)make_device_halo_exchange(comm, device, *compute, options_for("direct"));
        FAIL() << "the emulated device does not show its memory";
    } catch (const EnvironmentError& error) {
        EXPECT_NE(std::string(error.what()).find("'direct' cannot be used"), std::string::npos);
    }
    EmulatedDevice open({.link = {}, .mpi_access = true});
    const std::unique_ptr<Stream> stream = open.make_stream();
    const DeviceHaloOptions no_mpi{"direct", uncut, {false, "MPIX_Query_cuda_support() is 0"}};
    EXPECT_THROW((void)make_device_halo_exchange(comm, open, *stream, no_mpi), EnvironmentError);
    const DeviceHaloOptions no_peers{"peer", uncut, mpi_may, {false, "several hosts"}};
    EXPECT_THROW((void)make_device_halo_exchange(comm, device, *compute, no_peers),
                 EnvironmentError);
    EXPECT_THROW((void)make_device_halo_exchange(comm, device, *compute, options_for("packd")),
                 UsageError);
}

TEST_F(DeviceHaloOptionsTest, FindsOutWhetherDevicesReachEachOther) {
    EXPECT_TRUE(find_peer_access(comm, &device).possible);
    const bool is_last = comm.rank() == comm.size() - 1;
    const Capability without = find_peer_access(comm, is_last ? nullptr : &device);
    EXPECT_FALSE(without.possible);
    EXPECT_EQ(without.evidence, "some ranks of this job have no device");
    EmulatedDevice full({.link = {}, .memory_bytes = is_last ? 4096 : 0});
    const Capability no_room = find_peer_access(comm, &full);
    EXPECT_FALSE(no_room.possible) << "memory of one rank does not suffice";
    EXPECT_NE(no_room.evidence.find("out of device memory"), std::string::npos);
}

/// What `halocline p2p --sweep` measured is what an exchange cuts by, and rank 0's file counts.
TEST_F(DeviceHaloOptionsTest, ReadsTheBlocksThatWereMeasured) {
    const std::filesystem::path path = std::filesystem::temp_directory_path() /
                                       ("halocline-blocks-" + std::to_string(getpid()) + ".json");
    if (comm.is_root()) {
        std::ofstream(path) << R"({"format": "halocline-transfer-blocks", "version": 1,
            "entries": [{"message_bytes": 0, "block_bytes": 16}]})";
        setenv("HALOCLINE_TRANSFER_BLOCKS", path.c_str(), 1);
    } else {
        setenv("HALOCLINE_TRANSFER_BLOCKS", "/nowhere", 1);
    }
    const SetPart set = complete_graph(comm);
    DeviceDat dat(device, set, 1, Layout::rows(1));
    dat.fill(2);
    const HaloItem item = dat.item();
    const auto halo = make_device_halo_exchange(comm, device, *compute, {});
    unsetenv("HALOCLINE_TRANSFER_BLOCKS");
    std::filesystem::remove(path);
    halo->begin({&item, 1});
    halo->end();
    compute->synchronize();
    EXPECT_EQ(dat.count_wrong(2), 0);
    const std::int64_t others = comm.size() - 1;
    const std::int64_t pieces = (shared + 1) / 2;  // two values fit 16 bytes
    EXPECT_EQ(halo->ledger().messages, others * pieces);
    EXPECT_EQ(halo->ledger().link_copies, 2 * others * pieces);
}

}  // namespace
}  // namespace halocline::test
