// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Schemes tried on a real pattern: wrong ones are rejected whatever their speed, slow ones not taken.
#include "halocline/dist/exchange/halo_choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstring>

#include "halocline/core/error.hpp"
#include "halocline/dist/distribute.hpp"
#include "mpi/dist/meshes.hpp"

namespace halocline::test {
namespace {

using dist::HaloScheme;
using dist::HaloTransport;
using dist::Wait;
using dist::WirePlan;

/// The point-to-point scheme with a defect in every message, as a broken network or a wrong program has
/// it. A message is spoilt when it arrives: the next poll may come after its values were taken.
template <void (*spoil)(double* received, std::size_t values)>
class SpoiltTransport final : public HaloTransport {
public:
    explicit SpoiltTransport(const WirePlan& plan)
        : inner_(dist::make_p2p_transport(plan)),
          receives_(plan.receives.begin(), plan.receives.end()) {}

    [[nodiscard]] const double* receive_buffer() const override { return inner_->receive_buffer(); }
    void open() override { inner_->open(); }
    void send(std::size_t m) override { inner_->send(m); }
    bool poll(Wait wait, std::vector<int>& arrived) override {
        const std::size_t before = arrived.size();
        const bool done = inner_->poll(wait, arrived);
        for (std::size_t k = before; k < arrived.size(); ++k) {
            const dist::WireMessage& message = receives_[static_cast<std::size_t>(arrived[k])];
            spoil(const_cast<double*>(inner_->receive_buffer()) + message.offset, message.count);
        }
        return done;
    }
    void finish() override { inner_->finish(); }

private:
    std::unique_ptr<HaloTransport> inner_;
    std::vector<dist::WireMessage> receives_;
};

/// The sign of a zero or the payload of a NaN: no comparison of numbers would see it.
void flip_one_bit(double* received, std::size_t values) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, received + values - 1, sizeof bits);
    bits ^= 1;
    std::memcpy(received + values - 1, &bits, sizeof bits);
}

void keep(double*, std::size_t) {}
// Far beyond what a crowded machine adds to an exchange: the choice must not depend on its load.
void keep_slowly(double*, std::size_t) { usleep(20000); }

template <void (*spoil)(double*, std::size_t)>
std::unique_ptr<HaloTransport> make_spoilt(const WirePlan& plan) {
    return std::make_unique<SpoiltTransport<spoil>>(plan);
}

/// Leaves the last message out: the receiver takes what the round before left in the buffer.
class LosingTransport final : public HaloTransport {
public:
    explicit LosingTransport(const WirePlan& plan) : inner_(dist::make_p2p_transport(plan)) {}
    [[nodiscard]] const double* receive_buffer() const override { return inner_->receive_buffer(); }
    void open() override {
        if (first_) {
            inner_->open();
        }
    }
    void send(std::size_t m) override {
        if (first_) {
            inner_->send(m);
        }
    }
    bool poll(Wait wait, std::vector<int>& arrived) override {
        if (first_) {
            const bool done = inner_->poll(wait, arrived);
            seen_.assign(arrived.begin(), arrived.end());
            return done;
        }
        arrived.insert(arrived.end(), seen_.begin(), seen_.end());
        return true;
    }
    void finish() override {
        if (first_) {
            inner_->finish();
        }
        first_ = false;
    }

private:
    std::unique_ptr<HaloTransport> inner_;
    std::vector<int> seen_;
    bool first_ = true;
};

std::unique_ptr<HaloTransport> make_losing(const WirePlan& plan) {
    return std::make_unique<LosingTransport>(plan);
}

/// What a library without one-sided communication does.
std::unique_ptr<HaloTransport> make_impossible(const WirePlan&) {
    throw RunError("MPI_Win_allocate failed");
}

class HaloChoices : public testing::Test {
protected:
    HaloChoices() {
        DistributeOptions options;
        options.primary_set = 1;
        options.partitioner = "block";
        part = distribute(comm, block_of(random_multigrid(90, 5, 3), comm), options).part;
        samples = {{&part.sets[1], 5, 4}, {&part.sets[0], 1, 2}};
    }

    static const HaloTrial& trial(const HaloChoice& choice, std::string_view scheme) {
        for (const HaloTrial& candidate : choice.trials) {
            if (candidate.scheme == scheme) {
                return candidate;
            }
        }
        throw std::runtime_error("no such trial");
    }

    Communicator comm{MPI_COMM_WORLD};
    MeshPart part;
    std::vector<HaloSample> samples;
};

TEST_F(HaloChoices, TriesEverySchemeAndKeepsARightOne) {
    const HaloChoice choice = choose_halo_scheme(comm, samples, host_candidates(comm));
    ASSERT_EQ(choice.trials.size(), halo_scheme_names().size());
    EXPECT_THAT(halo_scheme_names(), testing::Contains(choice.scheme));
    const HaloLedger once = predict_exchange(samples);
    for (const HaloTrial& scheme : choice.trials) {
        EXPECT_TRUE(scheme.correct) << scheme.scheme << ": " << scheme.verdict;
        EXPECT_EQ(scheme.counts.bytes > 0, comm.sum(once.bytes) > 0);
        EXPECT_EQ(scheme.counts.messages, choice.trials.front().counts.messages);
        EXPECT_EQ(scheme.counts.bytes, choice.trials.front().counts.bytes);
        EXPECT_EQ(scheme.verdict == "kept", scheme.scheme == choice.scheme);
    }
    EXPECT_THAT(choice.reason, testing::StartsWith(choice.scheme));
}

TEST_F(HaloChoices, RejectsWrongSchemesHoweverFast) {
    const std::array<HaloScheme, 4> schemes{{{"p2p", dist::make_p2p_transport},
                                             {"flipping", make_spoilt<flip_one_bit>},
                                             {"losing", make_losing},
                                             {"same", make_spoilt<keep>}}};
    const HaloChoice choice =
        choose_halo_scheme(comm, samples, host_candidates(comm, std::nullopt, schemes));
    if (comm.size() == 1) {
        return;  // nothing travels, nothing can be wrong
    }
    EXPECT_THAT(trial(choice, "flipping").verdict, testing::HasSubstr("differ from p2p"));
    EXPECT_THAT(trial(choice, "losing").verdict, testing::StartsWith("rejected"));
    EXPECT_TRUE(trial(choice, "same").correct);
    EXPECT_NE(choice.scheme, "flipping");
    EXPECT_NE(choice.scheme, "losing");
}

TEST_F(HaloChoices, LeavesOutWhatTheLibraryCannotDo) {
    const std::array<HaloScheme, 2> schemes{
        {{"p2p", dist::make_p2p_transport}, {"impossible", make_impossible}}};
    const HaloChoice choice =
        choose_halo_scheme(comm, samples, host_candidates(comm, std::nullopt, schemes));
    EXPECT_EQ(choice.scheme, "p2p");
    EXPECT_THAT(trial(choice, "impossible").verdict, testing::HasSubstr("MPI_Win_allocate"));
}

TEST_F(HaloChoices, TakesTheFasterAndKeepsTheDefaultWithinNoise) {
    if (comm.size() == 1) {
        return;  // nothing travels, nothing is slow
    }
    const std::array<HaloScheme, 2> slow_default{
        {{"slow", make_spoilt<keep_slowly>}, {"p2p", dist::make_p2p_transport}}};
    const HaloChoice faster =
        choose_halo_scheme(comm, samples, host_candidates(comm, std::nullopt, slow_default));
    EXPECT_EQ(faster.scheme, "p2p") << faster.reason;

    const std::array<HaloScheme, 2> slow_other{
        {{"p2p", dist::make_p2p_transport}, {"slow", make_spoilt<keep_slowly>}}};
    const HaloChoice kept =
        choose_halo_scheme(comm, samples, host_candidates(comm, std::nullopt, slow_other));
    EXPECT_EQ(kept.scheme, "p2p") << kept.reason;
    EXPECT_EQ(trial(kept, "slow").verdict, "slower");
}

}  // namespace
}  // namespace halocline::test
