// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Small parts by hand: sizes, percentiles, message data, evidence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "halocline/core/error.hpp"
#include "halocline/machine/mpi_transport.hpp"
#include "limits.hpp"
#include "message_data.hpp"
#include "options.hpp"
#include "plans.hpp"
#include "samples.hpp"

namespace halocline::p2p {
namespace {

TEST(Sizes, AreReadInPowersOf1024) {
    EXPECT_EQ(parse_size("1"), 1U);
    EXPECT_EQ(parse_size("64K"), 65536U);
    EXPECT_EQ(parse_size("4MiB"), 4194304U);
    EXPECT_EQ(parse_size("1g"), 1073741824U);
    EXPECT_EQ(size_text(4194304), "4 MiB");
    EXPECT_EQ(size_text(1500), "1500 B");
    for (const char* bad : {"", "x", "4T", "-1", "1.5M", "2G", "9999999999999999999999"}) {
        EXPECT_THROW((void)parse_size(bad), UsageError) << bad;
    }
}

TEST(Sizes, ListsAndRanges) {
    EXPECT_EQ(parse_sizes("8,1,8"), (std::vector<std::size_t>{1, 8}));
    EXPECT_EQ(parse_sizes("1:8"), (std::vector<std::size_t>{1, 2, 4, 8}));
    EXPECT_EQ(parse_sizes("1K:64K:8"), (std::vector<std::size_t>{1024, 8192, 65536}));
    for (const char* bad : {"", "8:1", "0:8", "1:8:1", "1:8:2:2"}) {
        EXPECT_THROW((void)parse_sizes(bad), UsageError) << bad;
    }
}

// Nearest rank: of 200 sorted samples the 99th percentile is number 198, the median number 100.
TEST(Samples, PercentilesAreSamplesThemselves) {
    std::vector<double> samples;
    for (int k = 200; k >= 1; --k) {
        samples.push_back(k);
    }
    const Spread spread = describe(samples, 3);
    EXPECT_EQ(spread.samples, 200);
    EXPECT_EQ(spread.batch, 3);
    EXPECT_EQ(spread.min_s, 1.0);
    EXPECT_EQ(spread.median_s, 100.0);
    EXPECT_EQ(spread.p99_s, 198.0);
    EXPECT_EQ(spread.max_s, 200.0);
}

TEST(MessageData, OneChangedByteIsFoundAtItsPlace) {
    const MessageId id{0, 1, 7, 42};
    for (const std::size_t size : {1U, 7U, 8U, 9U, 1000U}) {
        std::vector<std::byte> bytes(size);
        fill_message(id, bytes);
        EXPECT_EQ(first_wrong_byte(id, bytes), -1) << size;
        for (const std::size_t at : {std::size_t{0}, size / 2, size - 1}) {
            bytes[at] ^= std::byte{1};
            EXPECT_EQ(first_wrong_byte(id, bytes), static_cast<std::int64_t>(at)) << size;
            bytes[at] ^= std::byte{1};
        }
    }
}

TEST(MessageData, AnotherSenderTagOrRoundDoesNotPass) {
    std::array<std::byte, 64> bytes{};
    fill_message({0, 1, 7, 42}, bytes);
    for (const MessageId& other : {MessageId{1, 1, 7, 42}, MessageId{0, 0, 7, 42},
                                   MessageId{0, 1, 8, 42}, MessageId{0, 1, 7, 43}}) {
        EXPECT_GE(first_wrong_byte(other, bytes), 0);
    }
}

TEST(Plans, TheWindowShrinksSoThatMessagesInFlightFit) {
    EXPECT_EQ(fitting_window(64, 1), 64);
    EXPECT_EQ(fitting_window(64, std::size_t{4} << 20), 64);
    EXPECT_EQ(fitting_window(64, std::size_t{64} << 20), 4);
    EXPECT_EQ(fitting_window(64, std::size_t{1} << 30), 1);
}

TEST(Plans, PatternsSayWhatTheyNeed) {
    EXPECT_THAT(pattern_refusal("latency", 1, nullptr), ::testing::HasSubstr("mpirun -n 2"));
    EXPECT_EQ(pattern_refusal("latency", 2, nullptr), "");
    EXPECT_THAT(pattern_refusal("pairs", 3, nullptr), ::testing::HasSubstr("four ranks"));
    EXPECT_THAT(pattern_refusal("sparse", 3, nullptr), ::testing::HasSubstr("--pattern-file"));
    ExchangePattern file;
    file.sends.resize(3);
    EXPECT_EQ(pattern_refusal("sparse", 3, &file), "");
    EXPECT_THAT(pattern_refusal("sparse", 2, &file), ::testing::HasSubstr("for 3 ranks"));
}

// device to host 10, host to device 8, memcpy 20 (1e9 B/s): 8 is the slowest leg of staging.
TEST(Limits, TheSlowestLegIsTheLimitOfStaging) {
    Limits limits;
    limits.to_host_bytes_per_s = 10e9;
    limits.to_device_bytes_per_s = 8e9;
    limits.on_device_bytes_per_s = 100e9;
    limits.memcpy_bytes_per_s[4096] = 20e9;
    EXPECT_EQ(ceiling_of("host", 4096, limits, true).bytes_per_s, 20e9);
    EXPECT_EQ(ceiling_of("staged", 4096, limits, true).bytes_per_s, 8e9);
    EXPECT_EQ(ceiling_of("pipelined", 4096, limits, true).name, "host to device");
    EXPECT_EQ(ceiling_of("peer", 4096, limits, true).bytes_per_s, 100e9);
    EXPECT_EQ(ceiling_of("host", 8192, limits, true).bytes_per_s, 0.0) << "not measured: unknown";
    EXPECT_EQ(ceiling_of("host", 4096, limits, false).bytes_per_s, 0.0) << "card unknown";
    limits.network_bytes_per_s = 3e9;
    EXPECT_EQ(ceiling_of("host", 4096, limits, false).bytes_per_s, 3e9);
    EXPECT_EQ(ceiling_of("pipelined", 4096, limits, false).name, "network card");
}

TEST(Transport, ComponentsAreReadFromLoadedFiles) {
    const std::string maps =
        "7f00-7f01 r-xp 0 fe:00 1 /usr/lib/openmpi3/mca_pml_ob1.so\n"
        "7f02-7f03 r-xp 0 fe:00 1 /usr/lib/openmpi3/mca_btl_vader.so\n"
        "7f04-7f05 r--p 0 fe:00 1 /usr/lib/openmpi3/mca_btl_vader.so\n"
        "7f06-7f07 r-xp 0 fe:00 1 /usr/lib/openmpi3/mca_btl_tcp.so\n"
        "7f08-7f09 r-xp 0 fe:00 1 /opt/ucx/libuct_cuda.so.0\n";
    EXPECT_EQ(components_in(maps, "pml"), std::vector<std::string>{"ob1"});
    EXPECT_EQ(components_in(maps, "btl"), (std::vector<std::string>{"tcp", "vader"}));
    EXPECT_EQ(components_in(maps, "uct"), std::vector<std::string>{"cuda"});
    EXPECT_TRUE(components_in(maps, "mtl").empty());
}

// Seen on a GPU machine: the CUDA transports of UCX were loaded while messages went through ob1, and
// a device pointer given to MPI ended in a segmentation fault.
TEST(Transport, UcxInTheProcessIsNoProofThatMessagesUseIt) {
    EXPECT_FALSE(query_gpu_awareness({{"pml", "ob1", "MPI_T"}}).aware);
    EXPECT_FALSE(query_gpu_awareness({{"pml", "^ucx", "MPI_T"}}).aware);
    EXPECT_FALSE(query_gpu_awareness({}).aware);
}

TEST(Transport, OnlyInterfacesThatCarriedThePayloadAreNamed) {
    const std::map<std::string, std::int64_t> before{{"eth0", 100}, {"lo", 50}};
    EXPECT_THAT(traffic_sentence(before, {{"eth0", 200}, {"lo", 50}}, 1'000'000),
                ::testing::HasSubstr("shared memory"));
    EXPECT_EQ(traffic_sentence(before, {{"eth0", 100}, {"lo", 1'100'050}}, 1'000'000),
              "lo sent 1.1 MB");
}

}  // namespace
}  // namespace halocline::p2p
