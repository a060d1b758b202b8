// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Lays out one message per neighbour for all dats of an exchange and moves values in and out of it.
#include <utility>
#include <vector>

#include "halocline/core/clock.hpp"
#include "halocline/dist/exchange/halo_plan.hpp"
#include "halocline/dist/exchange/message_layout.hpp"

namespace halocline::dist {

namespace {

/// Below this many elements a parallel region costs more than it saves.
constexpr LocalIndex parallel_elements = 16384;

/// Calls visit(k, d, value) for component d of the k-th listed element. Values of four and of eight
/// bytes travel alike, whatever they are.
template <class Value, class Visit>
void for_each_value(const RawDat& dat, std::span<const LocalIndex> elements, Visit&& visit) {
    const auto n = static_cast<LocalIndex>(elements.size());
    const Layout layout = dat.layout;
    auto* const values = reinterpret_cast<Value*>(dat.values);
#pragma omp parallel for schedule(static) if (n > parallel_elements)
    for (LocalIndex k = 0; k < n; ++k) {
        const LocalIndex i = elements[static_cast<std::size_t>(k)];
        Value* const element = values + layout.offset(i, 0);
        for (int d = 0; d < dat.dim; ++d) {
            visit(k, d,
                  d == layout.alone ? values[layout.offset(i, d)]
                                    : element[layout.component_offset(d)]);
        }
    }
}

template <class Value>
void pack_values(const RawDat& dat, std::span<const LocalIndex> elements, double* message) {
    auto* const to = reinterpret_cast<Value*>(message);
    for_each_value<Value>(dat, elements, [=, dim = dat.dim](LocalIndex k, int d, Value& value) {
        to[std::int64_t{k} * dim + d] = value;
    });
}

template <class Value>
void unpack_values(const RawDat& dat, std::span<const LocalIndex> elements, const double* message) {
    const auto* const from = reinterpret_cast<const Value*>(message);
    for_each_value<Value>(dat, elements, [=, dim = dat.dim](LocalIndex k, int d, Value& value) {
        value = from[std::int64_t{k} * dim + d];
    });
}

// Values are moved under a type that is not theirs, never computed with.
using FourBytes [[gnu::may_alias]] = std::uint32_t;
using EightBytes [[gnu::may_alias]] = std::uint64_t;

void pack(const RawDat& dat, std::span<const LocalIndex> elements, double* message) {
    if (bytes_of(dat.type) == 4) {
        pack_values<FourBytes>(dat, elements, message);
    } else {
        pack_values<EightBytes>(dat, elements, message);
    }
}

void unpack(const RawDat& dat, std::span<const LocalIndex> elements, const double* message) {
    if (bytes_of(dat.type) == 4) {
        unpack_values<FourBytes>(dat, elements, message);
    } else {
        unpack_values<EightBytes>(dat, elements, message);
    }
}

class HostPlan final : public HaloPlan {
public:
    HostPlan(const HaloScheme& scheme, MPI_Comm comm, std::span<const HaloItem> items,
             NetworkLink* link, std::shared_ptr<MessageMemory> memory);

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

HostPlan::HostPlan(const HaloScheme& scheme, MPI_Comm comm, std::span<const HaloItem> items,
                   NetworkLink* link, std::shared_ptr<MessageMemory> memory)
    : link_(link),
      stamp_(link == nullptr ? 0 : 1),
      send_(lay_out_sends(items, stamp_)),
      receive_(lay_out_receives(items, stamp_)),
      memory_(std::move(memory)),
      send_buffer_(memory_->take(send_.size + receive_.size)),
      transport_(scheme.make({comm, send_.messages, send_buffer_, receive_.messages, receive_.size,
                              send_buffer_ + send_.size})) {}

void HostPlan::begin(std::span<const HaloItem> items, HaloLedger& ledger) {
    landed_.clear();
    missing_ = receive_.messages.size();
    transport_->open();
    for (std::size_t m = 0; m < send_.messages.size(); ++m) {
        const WireMessage& message = send_.messages[m];
        const std::size_t bytes = send_.bytes[m];
        {
            const ScopedTimer timer(ledger.packing_s);
            for (const Segment& segment : send_.segments[m]) {
                const HaloItem& item = items[segment.item];
                pack(item.dat, sent_elements(item.set->halo, segment.neighbour),
                     send_buffer_ + segment.offset);
            }
        }
        if (link_ != nullptr) {
            send_buffer_[message.offset + message.count - 1] = link_->arrival_s(bytes);
        }
        transport_->send(m);
        ++ledger.messages;
        ledger.bytes += static_cast<std::int64_t>(bytes);
    }
    transport_->close();
}

bool HostPlan::progress(std::span<const HaloItem> items, HaloLedger& ledger) {
    const bool moved = transport_->poll(Wait::no, landed_);
    store_landed(items, ledger, Wait::no);
    return moved && missing_ == 0;
}

void HostPlan::end(std::span<const HaloItem> items, HaloLedger& ledger) {
    store_landed(items, ledger, Wait::no);
    while (missing_ > landed_.size()) {
        transport_->poll(Wait::yes, landed_);
        store_landed(items, ledger, Wait::no);
    }
    store_landed(items, ledger, Wait::yes);
    transport_->finish();
}

double HostPlan::arrival_of(std::size_t message) const {
    const WireMessage& received_message = receive_.messages[message];
    return transport_->receive_buffer()[received_message.offset + received_message.count - 1];
}

void HostPlan::store(std::size_t message, std::span<const HaloItem> items, HaloLedger& ledger) {
    const ScopedTimer timer(ledger.packing_s);
    for (const Segment& segment : receive_.segments[message]) {
        const HaloItem& item = items[segment.item];
        unpack(item.dat, received_elements(item.set->halo, segment.neighbour),
               transport_->receive_buffer() + segment.offset);
    }
    --missing_;
}

/// On a modelled network what has landed here may still have a way to go.
void HostPlan::store_landed(std::span<const HaloItem> items, HaloLedger& ledger, Wait wait) {
    std::erase_if(landed_, [&](int landed) {
        const auto message = static_cast<std::size_t>(landed);
        if (link_ != nullptr) {
            if (wait == Wait::yes) {
                NetworkLink::wait_until(arrival_of(message));
            } else if (!NetworkLink::has_come(arrival_of(message))) {
                return false;
            }
        }
        store(message, items, ledger);
        return true;
    });
}

}  // namespace

std::unique_ptr<HaloPlan> make_host_plan(const HaloScheme& scheme, MPI_Comm comm,
                                         std::span<const HaloItem> items, NetworkLink* link,
                                         std::shared_ptr<MessageMemory> memory) {
    return std::make_unique<HostPlan>(scheme, comm, items, link, std::move(memory));
}

}  // namespace halocline::dist
