// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Whether all ranks entered the same collective call: a sentence in place of ranks that wait for ever.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "halocline/backend/context.hpp"
#include "halocline/core/collective_calls.hpp"
#include "halocline/core/communicator.hpp"

namespace halocline {

/// Compares what ranks are about to do together, also in calls that know their communicator only
/// (`enter_call`). Collective.
class CollectiveAgreement final : public CallListener {
public:
    /// Gives up on ranks that do not come within `patience_s`; 0: waits for them.
    CollectiveAgreement(const Communicator& comm, double patience_s);
    ~CollectiveAgreement();
    CollectiveAgreement(const CollectiveAgreement&) = delete;
    CollectiveAgreement& operator=(const CollectiveAgreement&) = delete;

    /// Throws ContractError naming both when another rank enters another call than this `call`, on all
    /// ranks; where patience ended, on those that waited. Collective.
    void enter(const std::string& call) override;

    /// Developer builds (HALOCLINE_DEBUG), and the check back end, wait half a minute: other ranks may stand
    /// in a loop's exchange for ever. All others wait, for a rank that reads a file may take as long as it
    /// takes.
    [[nodiscard]] static double patience_on(Backend backend);

private:
    void await(MPI_Request& request, const std::string& call);
    [[noreturn]] void report(const std::string& call) const;

    MPI_Comm comm_ = MPI_COMM_NULL;  ///< of its own: nothing else is matched with these calls
    double patience_s_;
    struct Words {
        std::array<std::int64_t, 2> mine{};
        std::array<std::int64_t, 2> lowest{};
    };
    std::unique_ptr<Words> words_ = std::make_unique<Words>();
    bool gave_up_ = false;  ///< MPI may still write to the words, then
};

}  // namespace halocline
