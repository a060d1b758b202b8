// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Halo exchange by persistent point-to-point requests: one message per neighbour for all dats.
#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/memory/buffer.hpp"

namespace halocline {

namespace {

constexpr int halo_tag = 7302;
/// Item lists remembered with their buffers; a solver has a handful.
constexpr std::size_t max_plans = 64;
/// Below this many elements a parallel region costs more than it saves.
constexpr LocalIndex parallel_elements = 16384;

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

/// Calls visit(k, d, value) for component d of the k-th listed element.
template <class Visit>
void for_each_value(const RawDat& dat, std::span<const LocalIndex> elements, Visit&& visit) {
    const auto n = static_cast<LocalIndex>(elements.size());
    const Layout layout = dat.layout;
    double* const values = dat.values;
#pragma omp parallel for schedule(static) if (n > parallel_elements)
    for (LocalIndex k = 0; k < n; ++k) {
        double* const element = values + layout.offset(elements[static_cast<std::size_t>(k)], 0);
        for (int d = 0; d < dat.dim; ++d) {
            visit(k, d, element[std::int64_t{d} * layout.component_stride]);
        }
    }
}

void pack(const RawDat& dat, std::span<const LocalIndex> elements, double* message) {
    for_each_value(dat, elements, [=, dim = dat.dim](LocalIndex k, int d, double& value) {
        message[std::int64_t{k} * dim + d] = value;
    });
}

void unpack(const RawDat& dat, std::span<const LocalIndex> elements, const double* message) {
    for_each_value(dat, elements, [=, dim = dat.dim](LocalIndex k, int d, double& value) {
        value = message[std::int64_t{k} * dim + d];
    });
}

/// The part of one item in the message of one neighbour.
struct Segment {
    std::size_t item;
    std::size_t message_offset;  ///< in the plan's buffer
    std::span<const LocalIndex> elements;
};

/// One message to or from one neighbour.
struct Message {
    int rank;
    std::size_t offset;  ///< in the plan's buffer
    std::size_t count;   ///< values
    std::vector<Segment> segments;
};

/// One direction of a plan: its messages, buffer and persistent requests.
struct Direction {
    std::vector<Message> messages;
    Buffer<double> buffer;
    std::vector<MPI_Request> requests;
    std::size_t count = 0;  ///< values in all messages
};

std::span<const LocalIndex> listed(const std::vector<LocalIndex>& offsets,
                                   const std::vector<LocalIndex>& indices, std::size_t k) {
    return std::span<const LocalIndex>(indices).subspan(
        static_cast<std::size_t>(offsets[k]),
        static_cast<std::size_t>(offsets[k + 1] - offsets[k]));
}

/// Messages of one direction, by neighbour; `list(halo, k)` names the elements of neighbour k.
template <class List>
Direction plan_direction(std::span<const HaloItem> items, List&& list) {
    std::map<int, Message> by_rank;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const HaloPattern& halo = items[i].set->halo;
        for (std::size_t k = 0; k < halo.neighbours.size(); ++k) {
            const std::span<const LocalIndex> elements = list(halo, k);
            if (!elements.empty()) {
                Message& message = by_rank[halo.neighbours[k]];
                message.rank = halo.neighbours[k];
                message.segments.push_back({i, message.count, elements});
                message.count += elements.size() * static_cast<std::size_t>(items[i].dat.dim);
            }
        }
    }
    Direction direction;
    for (auto& [rank, message] : by_rank) {
        message.offset = direction.count;
        for (Segment& segment : message.segments) {
            segment.message_offset += message.offset;
        }
        direction.count += message.count;
        validate<ContractError>(message.count <= std::numeric_limits<int>::max(),
                                "a halo message is too long (more than 2147483647 values to rank " +
                                    std::to_string(rank) + "). Use more ranks.");
        direction.messages.push_back(std::move(message));
    }
    direction.buffer = Buffer<double>(direction.count);
    return direction;
}

/// Everything an exchange of one item list needs again and again.
class Plan {
public:
    Plan(MPI_Comm comm, std::span<const HaloItem> items)
        : send_(plan_direction(items,
                               [](const HaloPattern& halo, std::size_t k) {
                                   return listed(halo.send_offsets, halo.send_indices, k);
                               })),
          receive_(plan_direction(items, [](const HaloPattern& halo, std::size_t k) {
              return listed(halo.recv_offsets, halo.recv_indices, k);
          })) {
        make_requests(comm);
    }
    ~Plan() {
        int finished = 0;
        MPI_Finalized(&finished);
        for (Direction* direction : {&send_, &receive_}) {
            for (MPI_Request& request : direction->requests) {
                if (finished == 0 && request != MPI_REQUEST_NULL) {
                    MPI_Request_free(&request);
                }
            }
        }
    }
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;

    [[nodiscard]] bool empty() const noexcept {
        return send_.messages.empty() && receive_.messages.empty();
    }
    [[nodiscard]] std::int64_t messages() const noexcept {
        return static_cast<std::int64_t>(send_.messages.size());
    }
    [[nodiscard]] std::int64_t bytes() const noexcept {
        return static_cast<std::int64_t>(send_.count * sizeof(double));
    }

    void begin(std::span<const HaloItem> items) {
        if (!receive_.requests.empty()) {
            check_mpi(
                MPI_Startall(static_cast<int>(receive_.requests.size()), receive_.requests.data()),
                "MPI_Startall");
        }
        for (std::size_t m = 0; m < send_.messages.size(); ++m) {
            for (const Segment& segment : send_.messages[m].segments) {
                pack(items[segment.item].dat, segment.elements,
                     send_.buffer.data() + segment.message_offset);
            }
            check_mpi(MPI_Start(&send_.requests[m]), "MPI_Start");
        }
    }

    void end(std::span<const HaloItem> items) {
        const int expected = static_cast<int>(receive_.requests.size());
        for (int done = 0; done < expected; ++done) {
            int m = 0;
            check_mpi(MPI_Waitany(expected, receive_.requests.data(), &m, MPI_STATUS_IGNORE),
                      "MPI_Waitany");
            for (const Segment& segment : receive_.messages[static_cast<std::size_t>(m)].segments) {
                unpack(items[segment.item].dat, segment.elements,
                       receive_.buffer.data() + segment.message_offset);
            }
        }
        check_mpi(MPI_Waitall(static_cast<int>(send_.requests.size()), send_.requests.data(),
                              MPI_STATUSES_IGNORE),
                  "MPI_Waitall");
    }

private:
    void make_requests(MPI_Comm comm) {
        for (const Message& message : send_.messages) {
            send_.requests.push_back(MPI_REQUEST_NULL);
            check_mpi(
                MPI_Send_init(send_.buffer.data() + message.offset, static_cast<int>(message.count),
                              MPI_DOUBLE, message.rank, halo_tag, comm, &send_.requests.back()),
                "MPI_Send_init");
        }
        for (const Message& message : receive_.messages) {
            receive_.requests.push_back(MPI_REQUEST_NULL);
            check_mpi(MPI_Recv_init(receive_.buffer.data() + message.offset,
                                    static_cast<int>(message.count), MPI_DOUBLE, message.rank,
                                    halo_tag, comm, &receive_.requests.back()),
                      "MPI_Recv_init");
        }
    }

    Direction send_;
    Direction receive_;
};

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
    Plan& find_plan() {
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
    std::map<std::vector<ItemKey>, Plan> plans_;
    std::deque<std::vector<ItemKey>> oldest_;
    std::vector<HaloItem> items_;
    Plan* plan_ = nullptr;
    bool in_flight_ = false;
    double start_s_ = 0.0;
    HaloLedger ledger_;
};

}  // namespace

std::unique_ptr<HaloExchange> make_point_to_point_exchange(const Communicator& comm) {
    return std::make_unique<PointToPointExchange>(comm);
}

}  // namespace halocline
