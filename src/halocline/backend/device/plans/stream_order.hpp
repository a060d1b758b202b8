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

/// One thing that work on a stream touches: memory on the device, named by its address.
struct StreamUse {
    const void* memory = nullptr;
    DatRegion region = DatRegion::whole;
    bool changes = false;
};

/// Order of work on the streams of a device. Work that changes what other work uses comes after it
/// wherever both run; all else may run at the same time. With the main stream alone nothing is noted.
class StreamOrder {
public:
    static constexpr int main = 0;

    /// `main_stream` outlives the order.
    StreamOrder(Device& device, Stream& main_stream);

    /// The stream of this name, made at its first use: after all work of the main one so far, of which
    /// nothing was noted while it was alone. "" is the main one.
    [[nodiscard]] int index(std::string_view name);
    [[nodiscard]] Stream& stream(int index) { return *lane(index).stream; }
    /// Where halos are joined, dats move and graphs start; loops that name no stream run here, too.
    [[nodiscard]] Stream& main_stream() { return stream(main); }
    [[nodiscard]] int size() const { return static_cast<int>(lanes_.size()); }

    /// Before work is given to a stream: makes it wait for what the work depends on.
    void begin(int stream, std::span<const StreamUse> uses);
    /// After it: what comes later and depends on it will wait.
    void end(int stream, std::span<const StreamUse> uses);
    /// Both, around `submit(stream)`.
    template <class Submit>
    void run(int stream, std::span<const StreamUse> uses, Submit&& submit) {
        begin(stream, uses);
        submit(this->stream(stream));
        end(stream, uses);
    }

    /// The main stream waits for all work of the others.
    void join();
    /// The others wait for all work of the main stream. To be called after `join`, and work on the
    /// main stream alone: then nothing is left to wait for, and what was noted is forgotten.
    void fork();
    /// Forgets what was noted: all of it has ended, or belongs to a recording.
    void forget();
    /// The host waits for all streams.
    void synchronize();

    /// Waits of one stream for a piece of work on another so far: what independence saves shows here.
    [[nodiscard]] std::int64_t waits() const { return waits_; }

private:
    /// The end of one piece of work.
    struct Point {
        int stream = -1;
        std::int64_t sequence = 0;
        std::shared_ptr<Event> event;
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
        Stream* stream;
        std::unique_ptr<Stream> own;  ///< null for the main stream
        std::int64_t submitted = 0;
        std::vector<std::int64_t> waited_for;  ///< by stream: the latest point it has waited for
    };

    void wait_for(int stream, const Point& point);
    void wait_for_region(int stream, const RegionHistory& history, bool changes);
    static void note(RegionHistory& history, const Point& point, bool changes);
    [[nodiscard]] Lane& lane(int stream) { return lanes_.at(static_cast<std::size_t>(stream)); }
    /// `later` waits for all that `earlier` has been given.
    void chain(Lane& earlier, Lane& later);

    Device& device_;
    std::vector<Lane> lanes_;
    std::map<const void*, History> uses_;
    std::int64_t waits_ = 0;
};

}  // namespace halocline::device
