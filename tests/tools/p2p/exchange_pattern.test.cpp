// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Pattern files: what is read from a good one, and the sentence for each fault.
#include "exchange_pattern.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "halocline/core/error.hpp"

namespace halocline::p2p {
namespace {

std::string file_with(const std::string& sends, const std::string& more = "") {
    return R"({"format": "halocline-exchange-pattern", "version": 1, "ranks": 3, )" + more +
           R"("bytes_per_element": 40, "sends": )" + sends + "}";
}

std::string refusal(const std::string& text) {
    try {
        (void)parse_exchange_pattern(text, "p.json");
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(ExchangePattern, ElementsAndBytesBecomeBytesAndEmptyMessagesVanish) {
    const ExchangePattern pattern =
        parse_exchange_pattern(file_with(R"([[{"peer": 1, "elements": 12}, {"peer": 2, "bytes": 7}],
                      [{"peer": 0, "elements": 0}], []])",
                                         R"("made_by": "me", "source": {"level": 0}, )"),
                               "p.json");
    ASSERT_EQ(pattern.ranks(), 3);
    ASSERT_EQ(pattern.sends[0].size(), 2U);
    EXPECT_EQ(pattern.sends[0][0].peer, 1);
    EXPECT_EQ(pattern.sends[0][0].bytes, 480U);
    EXPECT_EQ(pattern.sends[0][1].bytes, 7U);
    EXPECT_TRUE(pattern.sends[1].empty());
}

TEST(ExchangePattern, FaultsNameFileAndKey) {
    EXPECT_THAT(refusal("not json"), ::testing::HasSubstr("p.json: is not an exchange pattern"));
    EXPECT_THAT(refusal(file_with("[[], []]")), ::testing::HasSubstr("'sends'"));
    EXPECT_THAT(refusal(file_with("[[], [], []]", R"("rank": 1, )")),
                ::testing::HasSubstr("unknown key 'rank'. Did you mean 'ranks'?"));
    EXPECT_THAT(refusal(file_with(R"([[{"peer": 3, "bytes": 1}], [], []])")),
                ::testing::HasSubstr("'sends[0][0].peer' is 3"));
    EXPECT_THAT(refusal(file_with(R"([[], [{"peer": 1, "bytes": 1}], []])")),
                ::testing::HasSubstr("must be another rank"));
    EXPECT_THAT(
        refusal(file_with(R"([[{"peer": 1, "bytes": 1}, {"peer": 1, "bytes": 1}], [], []])")),
        ::testing::HasSubstr("once in a list"));
    EXPECT_THAT(refusal(file_with(R"([[{"peer": 1, "bytes": 1, "elements": 1}], [], []])")),
                ::testing::HasSubstr("one of them"));
    EXPECT_THAT(refusal(file_with(R"([[{"peer": 1, "bytes": -1}], [], []])")),
                ::testing::HasSubstr("'sends[0][0].bytes'"));
    EXPECT_THAT(refusal(file_with(R"([[{"peer": 1, "elements": 99999999}], [], []])")),
                ::testing::HasSubstr("beyond 2 GiB"));
}

TEST(ExchangePattern, AMissingFileIsASentence) {
    EXPECT_THROW((void)read_exchange_pattern("/nonexistent/p.json"), InputError);
}

}  // namespace
}  // namespace halocline::p2p
