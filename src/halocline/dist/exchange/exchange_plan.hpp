// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The messages of one list of dats: one buffer a direction, packing, unpacking, a transport.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "halocline/dist/exchange/halo_plan.hpp"
#include "halocline/dist/exchange/message_layout.hpp"
#include "halocline/dist/exchange/message_memory.hpp"
#include "halocline/dist/exchange/network_link.hpp"
#include "halocline/mesh/halo.hpp"

namespace halocline::dist {

/// Values in host memory, packed by the calling threads, moved by any transport.
class ExchangePlan final : public HaloPlan {
public:
    /// `link` is null on the real network; `memory` may be shared with plans that are not in flight
    /// at the same time. Collective.
    ExchangePlan(const HaloScheme& scheme, MPI_Comm comm, std::span<const HaloItem> items,
                 NetworkLink* link,
                 std::shared_ptr<MessageMemory> memory = std::make_shared<MessageMemory>());

    [[nodiscard]] bool empty() const noexcept override {
        return send_.messages.empty() && receive_.messages.empty();
    }

    void begin(std::span<const HaloItem> items, HaloLedger& ledger) override;
    bool progress(std::span<const HaloItem> items, HaloLedger& ledger) override;
    void end(std::span<const HaloItem> items, HaloLedger& ledger) override;

private:
    [[nodiscard]] double arrival_of(std::size_t message) const;
    void store(std::size_t message, std::span<const HaloItem> items, HaloLedger& ledger);
    void store_landed(std::span<const HaloItem> items, HaloLedger& ledger, Wait wait);

    NetworkLink* link_;
    std::size_t stamp_;  ///< values behind each message: the time of its arrival, if modelled
    Direction send_;
    Direction receive_;
    std::shared_ptr<MessageMemory> memory_;
    double* send_buffer_;
    std::unique_ptr<HaloTransport> transport_;
    std::vector<int> landed_;  ///< received, not stored yet
    std::size_t missing_ = 0;  ///< messages not stored yet
};

}  // namespace halocline::dist
