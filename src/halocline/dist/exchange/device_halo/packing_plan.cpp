// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Pack on the device, copy out, send; receive, copy in, unpack on the device. Any staging.
#include <sched.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "halocline/dist/exchange/device_halo/device_plan.hpp"

namespace halocline::dist {

namespace {

/// An emulated device's thread may need this core.
constexpr int idle_polls_before_yield = 64;

/// Pieces on the wire that `range` of a buffer touches.
std::vector<std::size_t> pieces_in(const BufferRange& range,
                                   const std::vector<WireMessage>& pieces) {
    std::vector<std::size_t> touched;
    for (std::size_t p = 0; p < pieces.size(); ++p) {
        if (range.overlaps({pieces[p].offset, pieces[p].count})) {
            touched.push_back(p);
        }
    }
    return touched;
}

/// What happens inwards when some pieces have arrived.
struct Arrival {
    std::vector<std::size_t> pieces;
    std::optional<BufferRange> copy;
    const StagingStep* unpack = nullptr;  ///< of a step's last arrival
};

class PackingPlan final : public HaloPlan {
public:
    PackingPlan(std::shared_ptr<DeviceLink> link, const StageFunction& stage, WireMemory wire,
                MPI_Comm comm, std::span<const HaloItem> items)
        : link_(std::move(link)),
          send_(make_side(stage, wire, Way::send, lay_out_sends(items), items)),
          receive_(make_side(stage, wire, Way::receive, lay_out_receives(items), items)),
          transport_(
              make_p2p_transport({comm, send_.staging().wire, send_.for_mpi(),
                                  receive_.staging().wire, receive_.size(), receive_.for_mpi()})),
          ready_(link_->device.make_event()),
          stored_(link_->device.make_event()) {
        plan_releases();
        plan_arrivals();
    }

    [[nodiscard]] bool empty() const noexcept override {
        return send_.size() == 0 && receive_.size() == 0;
    }

    void begin(std::span<const HaloItem> items, HaloLedger& ledger) override {
        if (empty()) {
            return;
        }
        stored_->wait();  // pinned memory of the last round may still be read
        link_->compute.record(*ready_);
        link_->outward->wait(*ready_);
        link_->inward->wait(*ready_);
        next_send_ = 0;
        next_arrival_ = 0;
        std::fill(arrived_.begin(), arrived_.end(), false);
        transport_->open();
        pack(items, ledger);
        send_what_is_ready(ledger);
    }

    bool progress(std::span<const HaloItem> items, HaloLedger& ledger) override {
        if (empty()) {
            return true;
        }
        send_what_is_ready(ledger);
        landed_.clear();
        const bool moved = transport_->poll(Wait::no, landed_);
        for (const int piece : landed_) {
            arrived_[static_cast<std::size_t>(piece)] = true;
        }
        take_in(items, ledger);
        idle_polls_ = landed_.empty() ? idle_polls_ + 1 : 0;
        return moved && next_send_ == send_.staging().wire.size();
    }

    void end(std::span<const HaloItem> items, HaloLedger& ledger) override {
        if (empty()) {
            return;
        }
        idle_polls_ = 0;
        while (!progress(items, ledger)) {
            if (idle_polls_ > idle_polls_before_yield) {
                sched_yield();
            }
        }
        link_->inward->record(*stored_);
        link_->compute.wait(*stored_);
        transport_->finish();
    }

private:
    MessageSide make_side(const StageFunction& stage, WireMemory wire, Way way,
                          const Direction& direction, std::span<const HaloItem> items) {
        return {link_->device, wire, way, direction, stage(direction), items};
    }

    /// A piece may leave after the last copy that touches it; without copies after the gather.
    void plan_releases() {
        const std::vector<WireMessage>& wire = send_.staging().wire;
        release_.assign(wire.size(), 0);
        for (const StagingStep& step : send_.staging().steps) {
            for (const BufferRange& range : step.copies) {
                for (const std::size_t piece : pieces_in(range, wire)) {
                    release_[piece] = packed_.size();
                }
                packed_.push_back(link_->device.make_event());
            }
        }
        if (packed_.empty()) {
            packed_.push_back(link_->device.make_event());
        }
    }

    void plan_arrivals() {
        const std::vector<WireMessage>& wire = receive_.staging().wire;
        arrived_.assign(wire.size(), false);
        for (const StagingStep& step : receive_.staging().steps) {
            for (const BufferRange& range : step.copies) {
                arrivals_.push_back({pieces_in(range, wire), range});
            }
            if (step.copies.empty()) {
                arrivals_.push_back({pieces_in({0, receive_.size()}, wire), std::nullopt});
            }
            arrivals_.back().unpack = &step;
        }
    }

    void pack(std::span<const HaloItem> items, HaloLedger& ledger) {
        std::size_t copies = 0;
        for (const StagingStep& step : send_.staging().steps) {
            link_->rows->gather(*link_->outward, send_.rows(step, items));
            for (const BufferRange& range : step.copies) {
                send_.copy(*link_->outward, range, ledger);
                link_->outward->record(*packed_[copies++]);
            }
        }
        if (copies == 0) {
            link_->outward->record(*packed_.front());
        }
    }

    void send_what_is_ready(HaloLedger& ledger) {
        const std::vector<WireMessage>& wire = send_.staging().wire;
        while (next_send_ < wire.size() && packed_[release_[next_send_]]->done()) {
            transport_->send(next_send_);
            ++ledger.messages;
            ledger.bytes += static_cast<std::int64_t>(wire[next_send_].count * sizeof(double));
            ++next_send_;
        }
    }

    /// Copies in what has come and unpacks, in the order of the plan.
    void take_in(std::span<const HaloItem> items, HaloLedger& ledger) {
        for (; next_arrival_ < arrivals_.size(); ++next_arrival_) {
            const Arrival& arrival = arrivals_[next_arrival_];
            if (!std::all_of(arrival.pieces.begin(), arrival.pieces.end(),
                             [&](std::size_t piece) { return arrived_[piece]; })) {
                return;
            }
            if (arrival.copy) {
                receive_.copy(*link_->inward, *arrival.copy, ledger);
            }
            if (arrival.unpack != nullptr) {
                link_->rows->scatter(*link_->inward, receive_.rows(*arrival.unpack, items));
            }
        }
    }

    std::shared_ptr<DeviceLink> link_;
    MessageSide send_;
    MessageSide receive_;
    std::unique_ptr<HaloTransport> transport_;
    std::unique_ptr<Event> ready_;                ///< what is sent has been computed
    std::unique_ptr<Event> stored_;               ///< halo values are where they belong
    std::vector<std::unique_ptr<Event>> packed_;  ///< by copy outwards
    std::vector<std::size_t> release_;            ///< by piece, into packed_
    std::vector<Arrival> arrivals_;
    std::vector<bool> arrived_;  ///< by piece
    std::vector<int> landed_;
    std::size_t next_send_ = 0;
    std::size_t next_arrival_ = 0;
    int idle_polls_ = 0;
};

}  // namespace

std::unique_ptr<HaloPlan> make_packing_plan(std::shared_ptr<DeviceLink> link,
                                            const StageFunction& stage, WireMemory wire,
                                            MPI_Comm comm, std::span<const HaloItem> items) {
    return std::make_unique<PackingPlan>(std::move(link), stage, wire, comm, items);
}

}  // namespace halocline::dist
