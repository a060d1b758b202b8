// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The last change and the reads since, for each region of each dat; events only between streams.
#include "halocline/backend/device/plans/stream_order.hpp"

#include <algorithm>

namespace halocline::device {

namespace {

bool touches_owned(DatRegion region) { return region != DatRegion::halo; }
bool touches_halo(DatRegion region) { return region != DatRegion::owned; }

}  // namespace

StreamOrder::StreamOrder(Device& device, Stream& main_stream) : device_(device) {
    lanes_.push_back({"", &main_stream, nullptr, 0, {0}});
}

int StreamOrder::index(std::string_view name) {
    const auto found = std::find_if(lanes_.begin(), lanes_.end(),
                                    [&](const Lane& lane) { return lane.name == name; });
    if (found != lanes_.end()) {
        return static_cast<int>(found - lanes_.begin());
    }
    std::unique_ptr<Stream> own = device_.make_stream();
    lanes_.push_back({std::string(name), own.get(), std::move(own), 0, {}});
    for (Lane& lane : lanes_) {
        lane.waited_for.resize(lanes_.size(), 0);
    }
    chain(lanes_[main], lanes_.back());
    return size() - 1;
}

void StreamOrder::chain(Lane& earlier, Lane& later) {
    const std::unique_ptr<Event> event = device_.make_event();
    earlier.stream->record(*event);
    later.stream->wait(*event);
}

void StreamOrder::wait_for(int stream, const Point& point) {
    if (point.stream < 0 || point.stream == stream) {
        return;
    }
    std::int64_t& waited = lane(stream).waited_for[static_cast<std::size_t>(point.stream)];
    if (waited >= point.sequence) {
        return;
    }
    lane(stream).stream->wait(*point.event);
    waited = point.sequence;
    ++waits_;
}

void StreamOrder::wait_for_region(int stream, const RegionHistory& history, bool changes) {
    wait_for(stream, history.change);
    if (changes) {
        for (const Point& read : history.reads) {
            wait_for(stream, read);
        }
    }
}

void StreamOrder::begin(int stream, std::span<const StreamUse> uses) {
    for (const StreamUse& use : uses) {
        const auto found = uses_.find(use.memory);
        if (found == uses_.end()) {
            continue;
        }
        if (touches_owned(use.region)) {
            wait_for_region(stream, found->second.owned, use.changes);
        }
        if (touches_halo(use.region)) {
            wait_for_region(stream, found->second.halo, use.changes);
        }
    }
}

void StreamOrder::note(RegionHistory& history, const Point& point, bool changes) {
    if (changes) {
        history.change = point;
        history.reads.clear();
        return;
    }
    const auto same = std::find_if(history.reads.begin(), history.reads.end(),
                                   [&](const Point& read) { return read.stream == point.stream; });
    if (same != history.reads.end()) {
        *same = point;
    } else {
        history.reads.push_back(point);
    }
}

void StreamOrder::end(int stream, std::span<const StreamUse> uses) {
    if (lanes_.size() == 1 || uses.empty()) {
        return;
    }
    const Point point{stream, ++lane(stream).submitted, device_.make_event()};
    lane(stream).stream->record(*point.event);
    // Reads first: who reads and changes one thing leaves a change.
    for (const bool changes : {false, true}) {
        for (const StreamUse& use : uses) {
            if (use.changes != changes) {
                continue;
            }
            History& history = uses_[use.memory];
            if (touches_owned(use.region)) {
                note(history.owned, point, changes);
            }
            if (touches_halo(use.region)) {
                note(history.halo, point, changes);
            }
        }
    }
}

void StreamOrder::join() {
    for (std::size_t other = 1; other < lanes_.size(); ++other) {
        chain(lanes_[other], lanes_[main]);
    }
}

void StreamOrder::fork() {
    for (std::size_t other = 1; other < lanes_.size(); ++other) {
        chain(lanes_[main], lanes_[other]);
    }
    forget();
}

void StreamOrder::forget() { uses_.clear(); }

void StreamOrder::synchronize() {
    for (Lane& lane : lanes_) {
        lane.stream->synchronize();
    }
}

}  // namespace halocline::device
