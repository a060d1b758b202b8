// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reductions that devices join over ranks: the bits that the host gets, for every number of ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "halocline/backend/device/kernels/finish_reduction.hpp"
#include "halocline/backend/device/launch/rank_join.hpp"
#include "halocline/core/error.hpp"
#include "halocline/memory/emulated_device.hpp"
#include "support/bits.hpp"

namespace halocline::test {

namespace {

using device::GlobalPlace;
using device::JoinItem;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double before = 0.625;
constexpr Access accesses[] = {Access::inc, Access::min, Access::max};

using Terms = std::function<std::vector<double>(int rank)>;

std::vector<double> rough_terms(int rank) {
    std::mt19937_64 random(static_cast<unsigned>(rank) + 1);
    std::uniform_real_distribution<double> exponent(-200.0, 40.0);
    std::vector<double> terms;
    for (int i = 0; i < 50; ++i) {
        terms.push_back((i % 2 == 0 ? 1.0 : -1.0) * std::pow(10.0, exponent(random)));
    }
    return terms;
}

/// The three reductions of some terms as the kernels of one rank leave them.
std::vector<GlobalPlace> reduce_alone(const std::vector<double>& terms) {
    std::vector<GlobalPlace> places(3);
    for (GlobalPlace& place : places) {
        device::clear_place(place);
    }
    for (double term : terms) {
        places[1].shares[0].key = std::max(places[1].shares[0].key, device::kept_key<true>(term));
        places[2].shares[0].key = std::max(places[2].shares[0].key, device::kept_key<false>(term));
        places[0].shares[0].bins.add(term);
    }
    device::finish_place<Access::inc>(places[0], before);
    device::finish_place<Access::min>(places[1], before);
    device::finish_place<Access::max>(places[2], before);
    return places;
}

class RankJoins : public ::testing::Test {
protected:
    Communicator comm{MPI_COMM_WORLD};
    EmulatedDevice device;
    std::unique_ptr<Stream> stream = device.make_stream();
    device::RankJoin join{comm, device};
    SpaceBuffer memory{MemoryKind::device, 3 * sizeof(GlobalPlace), &device};

    /// Sum, minimum and maximum over all ranks, by their devices.
    std::vector<double> join_all(const Terms& terms) {
        std::vector<GlobalPlace> places = reduce_alone(terms(comm.rank()));
        copy_now(device, memory.data(), places.data(), memory.size_bytes(),
                 CopyDirection::to_device);
        std::vector<JoinItem> items;
        for (std::size_t k = 0; k < places.size(); ++k) {
            items.push_back({reinterpret_cast<GlobalPlace*>(memory.data()) + k, accesses[k]});
        }
        join.queue(*stream, join.view(items));
        stream->synchronize();
        copy_now(device, places.data(), memory.data(), memory.size_bytes(), CopyDirection::to_host);
        return {places[0].value, places[1].value, places[2].value};
    }
    /// What a device finds alone in the terms of all ranks.
    std::vector<double> expected(const Terms& terms) const {
        std::vector<double> all;
        for (int rank = 0; rank < comm.size(); ++rank) {
            const std::vector<double> more = terms(rank);
            all.insert(all.end(), more.begin(), more.end());
        }
        const std::vector<GlobalPlace> places = reduce_alone(all);
        return {places[0].value, places[1].value, places[2].value};
    }
};

TEST_F(RankJoins, OfRoughNumbersManyTimesOver) {
    for (int turn = 0; turn < 20; ++turn) {
        const Terms terms = [turn](int rank) { return rough_terms(100 * turn + rank); };
        EXPECT_TRUE(same_numbers(join_all(terms), expected(terms))) << turn;
    }
}

TEST_F(RankJoins, OfOneRanksTermsAlone) {
    const int last = comm.size() - 1;
    const Terms terms = [last](int rank) {
        return rank == last ? std::vector<double>{-0.25, 4.0} : std::vector<double>{};
    };
    EXPECT_EQ(join_all(terms), (std::vector<double>{before + 3.75, -0.25, 4.0}));
}

TEST_F(RankJoins, OfNoTermsChangesNothing) {
    const Terms terms = [](int) { return std::vector<double>{}; };
    EXPECT_EQ(join_all(terms), (std::vector<double>{before, before, before}));
}

TEST_F(RankJoins, OfWhatIsNotANumberOnOneRank) {
    const int last = comm.size() - 1;
    for (const double odd : {nan, infinity, -infinity, -0.0}) {
        const Terms terms = [&](int rank) { return std::vector<double>{rank == last ? odd : 1.0}; };
        EXPECT_TRUE(same_numbers(join_all(terms), expected(terms))) << odd;
    }
}

TEST_F(RankJoins, MoreThanFitAreRefused) {
    const std::vector<JoinItem> items(device::most_join_items + 1);
    EXPECT_THROW((void)join.view(items), ContractError);
}

}  // namespace

}  // namespace halocline::test
