// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A kernel writes packed rows into the memory of the neighbours' devices and takes theirs as they come:
// no copy, no MPI, no host. All of it is work of the compute stream and can be recorded.
//
// Why two slots suffice: a rank writes round r + 2 after it has taken round r + 1 from every neighbour,
// which sent that after it had taken round r, the last one in the same slot. Neighbours that send nothing
// send a notice.
#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "halocline/dist/exchange/device_halo/device_plan.hpp"
#include "halocline/dist/exchange/device_halo/element_lists.hpp"
#include "halocline/memory/peer_memory.hpp"

namespace halocline::dist {

namespace {

/// What a rank's peer memory holds: two notices of every rank, then two slots of received messages.
class PeerLayout {
public:
    PeerLayout(int ranks, std::size_t slot_values)
        : notices_(2 * static_cast<std::size_t>(ranks)), slot_values_(slot_values) {}

    [[nodiscard]] std::size_t bytes() const {
        return (notices_ + 2 * slot_values_) * sizeof(PeerValue);
    }
    [[nodiscard]] static PeerValue* notice_of(std::byte* memory, int rank) {
        return reinterpret_cast<PeerValue*>(memory) + 2 * static_cast<std::ptrdiff_t>(rank);
    }
    [[nodiscard]] PeerValue* first_slot(std::byte* memory) const {
        return reinterpret_cast<PeerValue*>(memory) + notices_;
    }

private:
    std::size_t notices_;
    std::size_t slot_values_;
};

/// Where another rank has the message of this one, and how far apart its slots are [values].
struct Place {
    std::int64_t offset = 0;
    std::int64_t slot_values = 0;
};

/// By rank. Collective.
std::vector<Place> exchange_places(const Communicator& comm, const Direction& receives) {
    std::vector<std::int64_t> mine(2 * static_cast<std::size_t>(comm.size()), 0);
    for (const WireMessage& message : receives.messages) {
        mine[2 * static_cast<std::size_t>(message.rank)] =
            static_cast<std::int64_t>(message.offset);
    }
    for (std::size_t at = 1; at < mine.size(); at += 2) {
        mine[at] = static_cast<std::int64_t>(receives.size);
    }
    const std::vector<std::int64_t> theirs = comm.all_to_all(mine);
    std::vector<Place> places;
    for (std::size_t at = 0; at < theirs.size(); at += 2) {
        places.push_back({theirs[at], theirs[at + 1]});
    }
    return places;
}

/// Ranks with a message in one direction only.
std::vector<int> one_way_neighbours(const Direction& sends, const Direction& receives) {
    const auto by_rank = [](const WireMessage& a, const WireMessage& b) { return a.rank < b.rank; };
    std::vector<WireMessage> alone;
    std::set_symmetric_difference(sends.messages.begin(), sends.messages.end(),
                                  receives.messages.begin(), receives.messages.end(),
                                  std::back_inserter(alone), by_rank);
    std::vector<int> ranks(alone.size());
    std::transform(alone.begin(), alone.end(), ranks.begin(),
                   [](const WireMessage& message) { return message.rank; });
    return ranks;
}

/// How many ranks have this rank's device. Collective.
int count_sharing(const Communicator& comm, const Device& device) {
    const auto own = static_cast<std::int64_t>(std::hash<std::string>{}(device.info().pci_bus_id));
    const std::vector<std::int64_t> all = comm.all_gather(std::span(&own, 1));
    return static_cast<int>(std::count(all.begin(), all.end(), own));
}

class PeerPlan final : public HaloPlan {
public:
    PeerPlan(std::shared_ptr<DeviceLink> link, const Communicator& comm,
             std::span<const HaloItem> items)
        : link_(std::move(link)),
          sends_(lay_out_sends(items)),
          receives_(lay_out_receives(items)),
          layout_(comm.size(), receives_.size),
          send_lists_(link_->device, Way::send, items),
          receive_lists_(link_->device, Way::receive, items),
          memory_(comm, link_->device, layout_.bytes()),
          places_(exchange_places(comm, receives_)) {
        rounds_.sharing_ranks = count_sharing(comm, link_->device);
        if (!empty()) {
            make_rounds(comm.rank());
        }
    }
    ~PeerPlan() override {
        if (may_free_collectively()) {
            link_->compute.synchronize();  // kernels of this plan may still run
        }
    }
    PeerPlan(const PeerPlan&) = delete;
    PeerPlan& operator=(const PeerPlan&) = delete;

    [[nodiscard]] bool empty() const noexcept override {
        return sends_.messages.empty() && receives_.messages.empty();
    }

    void begin(std::span<const HaloItem> items, HaloLedger& ledger) override {
        if (!empty()) {
            link_->rows->exchange(link_->compute, rounds_, segments(items));
            count(ledger);
        }
    }
    bool progress(std::span<const HaloItem> /*items*/, HaloLedger& /*ledger*/) override {
        return true;
    }
    void end(std::span<const HaloItem> /*items*/, HaloLedger& /*ledger*/) override {}
    void count(HaloLedger& ledger) const override {
        ledger.messages += static_cast<std::int64_t>(sends_.messages.size());
        ledger.bytes += static_cast<std::int64_t>(sends_.size * sizeof(double));
    }

private:
    void make_rounds(int rank) {
        const std::size_t bytes = PeerRounds::most_blocks * sizeof(std::uint32_t);
        ended_ = SpaceBuffer(MemoryKind::device, bytes, &link_->device);
        link_->compute.clear(ended_.data(), bytes);
        rounds_.ended = reinterpret_cast<std::uint32_t*>(ended_.data());
        std::vector<PeerNotice> notices;
        for (const int neighbour : one_way_neighbours(sends_, receives_)) {
            notices.push_back({PeerLayout::notice_of(memory_.of(neighbour), rank),
                               PeerLayout::notice_of(memory_.own(), neighbour)});
        }
        if (!notices.empty()) {
            const std::size_t size = notices.size() * sizeof(PeerNotice);
            notices_ = SpaceBuffer(MemoryKind::device, size, &link_->device);
            copy_now(link_->device, notices_.data(), notices.data(), size,
                     CopyDirection::to_device);
            rounds_.notices = reinterpret_cast<const PeerNotice*>(notices_.data());
            rounds_.notice_count = static_cast<int>(notices.size());
        }
    }

    /// What leaves, then what comes, with the present addresses of the dats.
    [[nodiscard]] std::vector<PeerSegment> segments(std::span<const HaloItem> items) const {
        std::vector<PeerSegment> made;
        for (std::size_t m = 0; m < sends_.messages.size(); ++m) {
            const WireMessage& message = sends_.messages[m];
            const Place& place = places_[static_cast<std::size_t>(message.rank)];
            PeerValue* const there = layout_.first_slot(memory_.of(message.rank)) + place.offset;
            for (const Segment& segment : sends_.segments[m]) {
                made.push_back(make_segment(segment, send_lists_, items));
                made.back().leaves = true;
                made.back().message = there + (segment.offset - message.offset);
                made.back().slot_values = place.slot_values;
            }
        }
        for (const std::vector<Segment>& of_message : receives_.segments) {
            for (const Segment& segment : of_message) {
                made.push_back(make_segment(segment, receive_lists_, items));
                made.back().message = layout_.first_slot(memory_.own()) + segment.offset;
                made.back().slot_values = static_cast<std::int64_t>(receives_.size);
            }
        }
        return made;
    }

    static PeerSegment make_segment(const Segment& segment, const ElementLists& lists,
                                    std::span<const HaloItem> items) {
        PeerSegment made;
        made.dat = items[segment.item].dat;
        made.elements = lists.of(segment, items);
        made.count = lists.count(segment, items);
        return made;
    }

    std::shared_ptr<DeviceLink> link_;
    Direction sends_;
    Direction receives_;
    PeerLayout layout_;
    ElementLists send_lists_;
    ElementLists receive_lists_;
    PeerMemory memory_;
    std::vector<Place> places_;  ///< by rank
    SpaceBuffer ended_;
    SpaceBuffer notices_;
    PeerRounds rounds_;
};

}  // namespace

std::unique_ptr<HaloPlan> make_peer_plan(std::shared_ptr<DeviceLink> link, MPI_Comm comm,
                                         std::span<const HaloItem> items) {
    return std::make_unique<PeerPlan>(std::move(link), Communicator(comm), items);
}

}  // namespace halocline::dist
