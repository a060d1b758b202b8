// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Halo exchange by point-to-point messages: remembers plans, keeps the ledger.
#include <deque>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/dist/exchange_plan.hpp"

namespace halocline {

namespace {

/// Item lists remembered with their buffers; a solver has a handful.
constexpr std::size_t max_plans = 64;

/// What identifies an item for a plan: set and dim. The addresses and sizes of the set's lists tell
/// it from another set built later at the same address. Values and layout may differ from call to call.
using ItemKey =
    std::tuple<const SetPart*, const LocalIndex*, const LocalIndex*, std::size_t, std::size_t, int>;

std::vector<ItemKey> make_key(std::span<const HaloItem> items) {
    std::vector<ItemKey> key;
    for (const HaloItem& item : items) {
        const HaloPattern& halo = item.set->halo;
        key.emplace_back(item.set, halo.send_indices.data(), halo.recv_indices.data(),
                         halo.send_indices.size(), halo.recv_indices.size(), item.dat.dim);
    }
    return key;
}

class PointToPointExchange final : public HaloExchange {
public:
    explicit PointToPointExchange(const Communicator& comm) {
        // A communicator of its own: no message of anyone else can be taken for a halo.
        check_mpi(MPI_Comm_dup(comm.get(), &comm_), "MPI_Comm_dup");
    }
    ~PointToPointExchange() override {
        plans_.clear();
        int finished = 0;
        MPI_Finalized(&finished);
        if (finished == 0) {
            MPI_Comm_free(&comm_);
        }
    }
    PointToPointExchange(const PointToPointExchange&) = delete;
    PointToPointExchange& operator=(const PointToPointExchange&) = delete;

    void begin(std::span<const HaloItem> items) override {
        validate<ContractError>(!in_flight_,
                                "a halo exchange began before the last one ended (one is in "
                                "flight at a time). Call end() first.");
        start_s_ = wall_seconds();
        items_.assign(items.begin(), items.end());
        plan_ = &find_plan();
        in_flight_ = true;
        if (plan_->empty()) {
            return;
        }
        plan_->begin(items_);
        ++ledger_.exchanges;
        ledger_.messages += plan_->messages();
        ledger_.bytes += plan_->bytes();
        ledger_.exposed_s += wall_seconds() - start_s_;
    }

    void end() override {
        validate<ContractError>(in_flight_,
                                "a halo exchange ended that had not begun. Call begin() first.");
        in_flight_ = false;
        if (plan_->empty()) {
            return;
        }
        const double wait_s = wall_seconds();
        plan_->end(items_);
        const double now_s = wall_seconds();
        ledger_.exposed_s += now_s - wait_s;
        ledger_.total_s += now_s - start_s_;
    }

    [[nodiscard]] const HaloLedger& ledger() const override { return ledger_; }
    [[nodiscard]] const char* scheme() const override { return "point-to-point"; }

private:
    dist::ExchangePlan& find_plan() {
        std::vector<ItemKey> key = make_key(items_);
        const auto found = plans_.find(key);
        if (found != plans_.end()) {
            return found->second;
        }
        if (plans_.size() >= max_plans) {
            plans_.erase(oldest_.front());
            oldest_.pop_front();
        }
        oldest_.push_back(key);
        return plans_.try_emplace(std::move(key), comm_, std::span<const HaloItem>(items_))
            .first->second;
    }

    MPI_Comm comm_ = MPI_COMM_NULL;
    std::map<std::vector<ItemKey>, dist::ExchangePlan> plans_;
    std::deque<std::vector<ItemKey>> oldest_;
    std::vector<HaloItem> items_;
    dist::ExchangePlan* plan_ = nullptr;
    bool in_flight_ = false;
    double start_s_ = 0.0;
    HaloLedger ledger_;
};

}  // namespace

std::unique_ptr<HaloExchange> make_point_to_point_exchange(const Communicator& comm) {
    return std::make_unique<PointToPointExchange>(comm);
}

}  // namespace halocline
