// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Halo exchange: brings exactly the owners' values, in any layout, and counts what it sends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <set>
#include <string>

#include "halocline/core/error.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/dist/exchange/halo_exchange.hpp"
#include "mpi/dist/meshes.hpp"

namespace halocline::test {
namespace {

constexpr double poison = std::numeric_limits<double>::quiet_NaN();

/// A dat in some layout, poisoned everywhere.
struct Field {
    const SetPart* set;
    int dim;
    Layout layout;
    std::vector<double> values;

    Field(const SetPart& on, int components, Layout how) : set(&on), dim(components), layout(how) {
        const LocalIndex padded = (on.total + simd_lanes) / simd_lanes * simd_lanes;
        values.assign(static_cast<std::size_t>(layout.offset(padded, dim)) + 64, poison);
    }
    double& at(LocalIndex i, int d) {
        return values[static_cast<std::size_t>(layout.offset(i, d))];
    }
    [[nodiscard]] HaloItem item() { return {{values.data(), dim, layout}, set}; }

    void set_owned(int salt) {
        for (LocalIndex i = 0; i < set->total; ++i) {
            for (int d = 0; d < dim; ++d) {
                at(i, d) = i < set->owned ? value_of(salt, set->global_id(i), d) : poison;
            }
        }
    }
    void expect_everywhere(int salt) {
        for (LocalIndex i = 0; i < set->total; ++i) {
            for (int d = 0; d < dim; ++d) {
                ASSERT_EQ(at(i, d), value_of(salt, set->global_id(i), d))
                    << set->name << " " << i << " component " << d;
            }
        }
    }
};

class Exchange : public testing::TestWithParam<std::string> {
protected:
    Exchange() {
        DistributeOptions options;
        options.primary_set = 1;
        options.partitioner = "block";
        part = distribute(comm, block_of(random_multigrid(90, 5, 3), comm), options).part;
        exchange = make_halo_exchange(comm, {GetParam()});
    }

    void run(std::vector<HaloItem> items) {
        exchange->begin(items);
        exchange->end();
    }

    /// Messages and bytes one exchange of these items sends from here, from the patterns alone.
    static HaloLedger predict(const std::vector<HaloItem>& items) {
        std::set<int> destinations;
        std::set<int> sources;
        HaloLedger ledger;
        for (const HaloItem& item : items) {
            const HaloPattern& halo = item.set->halo;
            for (std::size_t k = 0; k < halo.neighbours.size(); ++k) {
                const auto sent = halo.send_offsets[k + 1] - halo.send_offsets[k];
                if (sent > 0) {
                    destinations.insert(halo.neighbours[k]);
                }
                if (halo.recv_offsets[k + 1] > halo.recv_offsets[k]) {
                    sources.insert(halo.neighbours[k]);
                }
                ledger.bytes += 8 * std::int64_t{sent} * item.dat.dim;
            }
        }
        ledger.messages = static_cast<std::int64_t>(destinations.size());
        ledger.exchanges = destinations.empty() && sources.empty() ? 0 : 1;
        return ledger;
    }

    Communicator comm{MPI_COMM_WORLD};
    MeshPart part;
    std::unique_ptr<HaloExchange> exchange;
};

TEST_P(Exchange, BringsTheOwnersValuesInEveryLayout) {
    int salt = 0;
    for (const SetPart& set : part.sets) {
        for (const int dim : {1, 3, 5}) {
            for (const Layout layout : {Layout::rows(dim), Layout::rows(8), Layout::lanes(dim)}) {
                Field field(set, dim, layout);
                field.set_owned(++salt);
                run({field.item()});
                field.expect_everywhere(salt);
            }
        }
    }
}

TEST_P(Exchange, PutsAllDatsInOneMessagePerNeighbour) {
    Field a(part.sets[0], 2, Layout::rows(2));
    Field b(part.sets[1], 5, Layout::lanes(5));
    Field c(part.sets[1], 1, Layout::rows(1));
    const std::vector<HaloItem> items{a.item(), b.item(), c.item()};
    const HaloLedger expected = predict(items);
    for (int round = 1; round <= 3; ++round) {
        a.set_owned(round);
        b.set_owned(round + 10);
        c.set_owned(round + 20);
        run(items);
        a.expect_everywhere(round);
        b.expect_everywhere(round + 10);
        c.expect_everywhere(round + 20);
        EXPECT_EQ(exchange->ledger().exchanges, round * expected.exchanges);
        EXPECT_EQ(exchange->ledger().messages, round * expected.messages);
        EXPECT_EQ(exchange->ledger().bytes, round * expected.bytes);
    }
    const HaloLedger& ledger = exchange->ledger();
    EXPECT_LE(ledger.exposed_s, ledger.total_s);
    EXPECT_EQ(comm.sum(ledger.bytes) > 0, comm.size() > 1);
}

TEST_P(Exchange, AlternatesBetweenListsAndBuffers) {
    Field a(part.sets[1], 3, Layout::rows(3));
    Field b(part.sets[1], 3, Layout::lanes(3));
    for (int round = 0; round < 4; ++round) {
        // The same set and dim: one plan serves both, whatever memory and layout they have.
        Field& field = round % 2 == 0 ? a : b;
        field.set_owned(round);
        run({field.item()});
        field.expect_everywhere(round);
    }
}

TEST_P(Exchange, SurvivesMoreListsThanItRemembers) {
    Field field(part.sets[1], 1, Layout::rows(1));
    std::vector<HaloItem> items;
    for (int length = 1; length <= 80; ++length) {
        items.push_back(field.item());
        field.set_owned(length);
        run(items);
        field.expect_everywhere(length);
    }
}

TEST_P(Exchange, TellsAnewSetAtAnOldAddressFromTheOldOne) {
    SetPart set = part.sets[1];
    Field first(set, 1, Layout::rows(1));
    run({first.item()});
    set = part.sets[0];
    Field second(set, 1, Layout::rows(1));
    second.set_owned(5);
    run({second.item()});
    second.expect_everywhere(5);
}

TEST_P(Exchange, LeavesOtherValuesAlone) {
    Field field(part.sets[1], 2, Layout::rows(8));
    field.set_owned(1);
    for (LocalIndex i = 0; i < field.set->total; ++i) {
        field.at(i, 2) = -7.0;
    }
    run({field.item()});
    for (LocalIndex i = 0; i < field.set->total; ++i) {
        ASSERT_EQ(field.at(i, 2), -7.0);
    }
}

TEST_P(Exchange, OfNothingCountsNothing) {
    run({});
    EXPECT_EQ(exchange->ledger().exchanges, 0);
    EXPECT_EQ(exchange->ledger().messages, 0);
}

TEST_P(Exchange, RefusesToNestAndToEndTwice) {
    Field field(part.sets[1], 1, Layout::rows(1));
    const HaloItem item = field.item();
    EXPECT_THROW(exchange->end(), ContractError);
    exchange->begin({&item, 1});
    EXPECT_THROW(exchange->begin({&item, 1}), ContractError);
    exchange->end();
    EXPECT_THROW(exchange->end(), ContractError);
}

TEST_P(Exchange, MovesMessagesBetweenBeginAndEnd) {
    Field field(part.sets[1], 3, Layout::rows(3));
    const std::vector<HaloItem> items{field.item()};
    for (int round = 0; round < 3; ++round) {
        field.set_owned(round);
        comm.barrier();
        exchange->begin(items);
        while (exchange->progress()) {
        }
        field.expect_everywhere(round);  // all is there before end
        exchange->end();
    }
    EXPECT_FALSE(exchange->progress());
    const HaloLedger& ledger = exchange->ledger();
    EXPECT_LE(ledger.packing_s, ledger.exposed_s);
    EXPECT_LE(ledger.exposed_s, ledger.total_s);
}

TEST_P(Exchange, OnAModelledNetworkTakesAsLongAsItSays) {
    constexpr double latency_s = 0.02;
    constexpr double bytes_per_s = 1e6;
    Field field(part.sets[1], 5, Layout::rows(5));
    const std::vector<HaloItem> items{field.item()};
    const HaloLedger expected = predict(items);
    exchange = make_halo_exchange(comm, {GetParam(), NetworkModel{latency_s, bytes_per_s}});
    field.set_owned(1);
    run(items);
    field.expect_everywhere(1);
    EXPECT_EQ(exchange->ledger().bytes, expected.bytes) << "the time stamps are not halo values";
    EXPECT_EQ(exchange->ledger().messages, expected.messages);
    const double longest_s = comm.max(exchange->ledger().total_s);
    EXPECT_GE(longest_s, comm.size() > 1 ? latency_s : 0.0);
}

TEST_P(Exchange, KeepsPlansOfSchemesApart) {
    const auto other = make_halo_exchange(comm, {"p2p"});
    Field a(part.sets[1], 2, Layout::rows(2));
    Field b(part.sets[1], 2, Layout::rows(2));
    a.set_owned(1);
    b.set_owned(2);
    const HaloItem first = a.item();
    const HaloItem second = b.item();
    exchange->begin({&first, 1});
    other->begin({&second, 1});
    other->end();
    exchange->end();
    a.expect_everywhere(1);
    b.expect_everywhere(2);
}

INSTANTIATE_TEST_SUITE_P(Schemes, Exchange, testing::ValuesIn(halo_scheme_names()),
                         [](const auto& scheme) { return scheme.param; });

TEST(ExchangeNames, SuggestTheNearest) {
    const Communicator comm(MPI_COMM_WORLD);
    const auto message_of = [&](const std::string& scheme) -> std::string {
        try {
            static_cast<void>(make_halo_exchange(comm, {scheme}));
        } catch (const UsageError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_THAT(message_of("rmb"), testing::HasSubstr("rma"));
    EXPECT_THAT(message_of("p2q"), testing::HasSubstr("p2p"));
    EXPECT_THAT(message_of("auto"), testing::HasSubstr("choose_halo_scheme"));
    EXPECT_EQ(message_of("rma"), "");
}

TEST(NetworkModelText, IsLatencyAndRate) {
    const NetworkModel model = network_model_from_text("50,0.125");
    EXPECT_DOUBLE_EQ(model.latency_s, 50e-6);
    EXPECT_DOUBLE_EQ(model.bytes_per_s, 0.125e9);
    for (const char* wrong : {"", "50", "50,", "50,0", "-1,1", "50,1x", "nan,1", "a,b", "1,inf"}) {
        EXPECT_THROW(static_cast<void>(network_model_from_text(wrong)), UsageError) << wrong;
    }
}

TEST(ExchangeAlone, OnOneRankIsFree) {
    const Communicator comm(MPI_COMM_SELF);
    const MeshPart part = distribute(comm, block_of(line(5), comm), {}).part;
    const auto exchange = make_halo_exchange(comm);
    Field field(part.sets[0], 1, Layout::rows(1));
    const HaloItem item = field.item();
    exchange->begin({&item, 1});
    exchange->end();
    EXPECT_EQ(exchange->ledger().exchanges, 0);
    EXPECT_EQ(exchange->ledger().total_s, 0.0);
    EXPECT_STREQ(exchange->scheme(), "p2p");
}

}  // namespace
}  // namespace halocline::test
