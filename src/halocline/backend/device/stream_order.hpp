// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Several streams of one device, and which work on them waits for which: by what it reads and changes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "halocline/memory/device.hpp"

namespace halocline::device {

/// The part of a dat that work touches. A halo exchange reads owned values and writes the halo, so
/// loops over core elements, which read owned values only, need not wait for it.
enum class DatRegion { owned, halo, whole };

/// One thing that work on a stream touches: a dat, a global, a buffer; named by a number of its own.
struct StreamUse {
    std::uint64_t id = 0;
    DatRegion region = DatRegion::whole;
    bool changes = false;
};

/// Order of work on the streams of a device. Work that changes what other work uses comes after it
/// wherever both run; all else may run at the same time.
class StreamOrder {
public:
    explicit StreamOrder(Device& device) : device_(device) {}

    /// The stream of this name, made at its first use.
    [[nodiscard]] int index(std::string_view name);
    [[nodiscard]] Stream& stream(int index) {
        return *lanes_.at(static_cast<std::size_t>(index)).stream;
    }
    [[nodiscard]] Stream& stream(std::string_view name) { return stream(index(name)); }
    [[nodiscard]] int size() const { return static_cast<int>(lanes_.size()); }

    /// Before work is given to a stream: makes it wait for what the work depends on.
    void begin(int stream, std::span<const StreamUse> uses);
    /// After it: what comes later and depends on it will wait.
    void end(int stream, std::span<const StreamUse> uses);
    /// Both, around `submit(stream)`.
    template <class Submit>
    void run(std::string_view name, std::span<const StreamUse> uses, Submit&& submit) {
        const int at = index(name);
        begin(at, uses);
        submit(stream(at));
        end(at, uses);
    }

    /// Makes a stream wait for everything given to the others so far.
    void join(int stream);
    /// The host waits for all streams.
    void synchronize();
    /// Forgets what was freed: a dat's number may mean nothing any more.
    void forget(std::uint64_t id) { uses_.erase(id); }

    /// Waits of one stream for another so far: what independence saves shows here.
    [[nodiscard]] std::int64_t waits() const { return waits_; }

private:
    /// The end of one piece of work.
    struct Point {
        int stream = -1;
        std::int64_t sequence = 0;
        std::shared_ptr<Event> event;  ///< null while there was one stream only
    };
    struct RegionHistory {
        Point change;              ///< the last one
        std::vector<Point> reads;  ///< since then, the last of each stream
    };
    struct History {
        RegionHistory owned;
        RegionHistory halo;
    };
    struct Lane {
        std::string name;
        std::unique_ptr<Stream> stream;
        std::int64_t submitted = 0;
        std::vector<std::int64_t> waited_for;  ///< by stream: the latest point it has waited for
    };

    void wait_for(int stream, const Point& point);
    void wait_for_region(int stream, const RegionHistory& history, bool changes);
    static void note(RegionHistory& history, const Point& point, bool changes);
    [[nodiscard]] Lane& lane(int stream) { return lanes_.at(static_cast<std::size_t>(stream)); }

    Device& device_;
    std::vector<Lane> lanes_;
    std::map<std::uint64_t, History> uses_;
    std::int64_t waits_ = 0;
};

}  // namespace halocline::device
