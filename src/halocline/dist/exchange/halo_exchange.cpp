// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Remembers a plan for each list of items, keeps the ledger and the clock; schemes by name.
#include "halocline/dist/exchange/halo_exchange.hpp"

#include <algorithm>
#include <deque>
#include <tuple>
#include <utility>

#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"
#include "halocline/core/nearest.hpp"
#include "halocline/dist/exchange/halo_plan.hpp"

namespace halocline {

namespace dist {

namespace {

/// Item lists remembered with their buffers; a solver has a handful. Those of queued exchanges all
/// stay: recorded work may contain them.
constexpr std::size_t max_plans = 64;

/// What a plan depends on, equal on all ranks at the same call: plans are made by all ranks together.
using PlanKey = std::vector<std::tuple<std::uint64_t, int, std::size_t, MemoryKind>>;

PlanKey make_key(std::span<const HaloItem> items) {
    PlanKey key;
    for (const HaloItem& item : items) {
        key.emplace_back(item.set->id, item.dat.dim, bytes_of(item.dat.type), item.memory);
    }
    return key;
}

class PlannedExchange final : public HaloExchange {
public:
    PlannedExchange(const Communicator& comm, std::string scheme_name, HaloPlanMaker maker,
                    QueueClock queue_clock)
        : scheme_name_(std::move(scheme_name)),
          maker_(std::move(maker)),
          queue_clock_(std::move(queue_clock)) {
        // A communicator of its own: no message of anyone else can be taken for a halo.
        check_mpi(MPI_Comm_dup(comm.get(), &comm_), "MPI_Comm_dup");
    }
    ~PlannedExchange() override {
        while (!plans_.empty()) {
            plans_.pop_front();  // in the same order on all ranks
        }
        if (may_free_collectively()) {
            MPI_Comm_free(&comm_);
        }
    }
    PlannedExchange(const PlannedExchange&) = delete;
    PlannedExchange& operator=(const PlannedExchange&) = delete;

    void begin(std::span<const HaloItem> items) override {
        validate<ContractError>(!in_flight_,
                                "a halo exchange began before the last one ended (one is in "
                                "flight at a time). Call end() first.");
        start_s_ = wall_seconds();
        items_.assign(items.begin(), items.end());
        plan_ = &find_plan(items_);
        in_flight_ = true;
        done_s_ = 0.0;
        looked_at_ = false;
        plan_->begin(items_, ledger_);
        if (!plan_->empty()) {
            ++ledger_.exchanges;
            if (is_host_time()) {
                ledger_.exposed_s += wall_seconds() - start_s_;
            }
        }
    }

    bool progress() override {
        if (!in_flight_ || plan_->empty() || done_s_ > 0.0 || !is_host_time()) {
            return false;
        }
        if (!std::exchange(looked_at_, true)) {
            ++ledger_.overlapped;
        }
        const double from_s = wall_seconds();
        const bool done = plan_->progress(items_, ledger_);
        const double now_s = wall_seconds();
        ledger_.exposed_s += now_s - from_s;
        if (done) {
            done_s_ = now_s;
        }
        return !done;
    }

    void end() override {
        validate<ContractError>(in_flight_,
                                "a halo exchange ended that had not begun. Call begin() first.");
        in_flight_ = false;
        const double from_s = wall_seconds();
        plan_->end(items_, ledger_);
        if (!plan_->empty() && is_host_time()) {
            const double now_s = wall_seconds();
            ledger_.exposed_s += now_s - from_s;
            ledger_.total_s += (done_s_ > 0.0 ? done_s_ - from_s : 0.0) + now_s - start_s_;
        }
    }

    [[nodiscard]] bool is_queued() const override { return queue_clock_ != nullptr; }
    void prepare(std::span<const HaloItem> items) override { find_plan(items); }
    void count(std::span<const HaloItem> items) override {
        const HaloPlan& plan = find_plan(items);
        if (!plan.empty()) {
            ++ledger_.exchanges;
            plan.count(ledger_);
        }
    }

    [[nodiscard]] const HaloLedger& ledger() const override { return ledger_; }
    [[nodiscard]] HaloLedger completed_ledger() const override {
        HaloLedger ledger = ledger_;
        if (is_queued()) {
            const double queued_s = queue_clock_();
            ledger.total_s += queued_s;
            ledger.exposed_s += queued_s;  // kernels beside it would come after it in the stream
        }
        return ledger;
    }
    [[nodiscard]] const char* scheme() const override { return scheme_name_.c_str(); }

private:
    struct Entry {
        PlanKey key;
        std::unique_ptr<HaloPlan> plan;
    };

    /// What the host takes to queue an exchange runs beside the device.
    [[nodiscard]] bool is_host_time() const {
        return !is_queued() || items_.front().memory == MemoryKind::host;
    }

    HaloPlan& find_plan(std::span<const HaloItem> items) {
        PlanKey key = make_key(items);
        const auto found = std::find_if(plans_.begin(), plans_.end(),
                                        [&](const auto& entry) { return entry.key == key; });
        if (found != plans_.end()) {
            return *found->plan;
        }
        if (!is_queued() && plans_.size() >= max_plans) {
            plans_.pop_front();
        }
        plans_.push_back({std::move(key), maker_(comm_, items)});
        return *plans_.back().plan;
    }

    std::string scheme_name_;
    HaloPlanMaker maker_;
    QueueClock queue_clock_;
    MPI_Comm comm_ = MPI_COMM_NULL;
    std::deque<Entry> plans_;
    std::vector<HaloItem> items_;
    HaloPlan* plan_ = nullptr;
    bool in_flight_ = false;
    bool looked_at_ = false;  ///< by progress(), since begin
    double start_s_ = 0.0;
    double done_s_ = 0.0;  ///< when all was seen to be done before end; 0: not yet
    HaloLedger ledger_;
};

/// Arrival times compare clocks of two processes, which only one host shares.
void require_one_host(const Communicator& comm) {
    validate<UsageError>(comm.is_on_one_host(),
                         "a modelled network needs all ranks on one host (it compares their "
                         "clocks). Leave --network-model out: the network between hosts is real.");
}

}  // namespace

std::unique_ptr<HaloExchange> make_planned_exchange(const Communicator& comm,
                                                    std::string scheme_name, HaloPlanMaker maker,
                                                    QueueClock queue_clock) {
    return std::make_unique<PlannedExchange>(comm, std::move(scheme_name), std::move(maker),
                                             std::move(queue_clock));
}

std::unique_ptr<HaloExchange> make_planned_exchange(const Communicator& comm,
                                                    const HaloScheme& scheme,
                                                    const std::optional<NetworkModel>& network) {
    if (network) {
        require_one_host(comm);
    }
    const auto link = network ? std::make_shared<NetworkLink>(*network) : nullptr;
    const auto memory = std::make_shared<MessageMemory>();
    return make_planned_exchange(
        comm, std::string(scheme.name),
        [&scheme, link, memory](MPI_Comm plan_comm, std::span<const HaloItem> items) {
            return make_host_plan(scheme, plan_comm, items, link.get(), memory);
        });
}

}  // namespace dist

std::vector<std::string> halo_scheme_names() {
    std::vector<std::string> names;
    for (const dist::HaloScheme& scheme : dist::halo_schemes()) {
        names.emplace_back(scheme.name);
    }
    return names;
}

void check_halo_scheme_name(std::string_view name) {
    std::vector<std::string_view> known{"auto"};
    for (const dist::HaloScheme& scheme : dist::halo_schemes()) {
        known.push_back(scheme.name);
    }
    validate<UsageError>(
        std::find(known.begin(), known.end(), name) != known.end(),
        "unknown halo scheme '" + std::string(name) + "'. " + suggest_name(name, known));
}

std::unique_ptr<HaloExchange> make_halo_exchange(const Communicator& comm,
                                                 const HaloOptions& options) {
    check_halo_scheme_name(options.scheme);
    for (const dist::HaloScheme& scheme : dist::halo_schemes()) {
        if (scheme.name == options.scheme) {
            return dist::make_planned_exchange(comm, scheme, options.network);
        }
    }
    throw UsageError(
        "halo scheme 'auto' is a choice among measured schemes, not a scheme. Call "
        "choose_halo_scheme first.");
}

}  // namespace halocline
