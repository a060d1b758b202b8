// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What loops need from halos: start an exchange, end it, and an account of what it cost.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "halocline/memory/space_buffer.hpp"
#include "halocline/mesh/part.hpp"
#include "halocline/mesh/raw_dat.hpp"

namespace halocline {

/// What halo exchanges did so far on this rank. Messages and bytes: sent side only, so that sums over
/// ranks count once.
struct HaloLedger {
    std::int64_t exchanges = 0;  ///< begin/end pairs that had anything to send or receive here
    std::int64_t messages = 0;   ///< messages sent
    std::int64_t bytes = 0;      ///< bytes of halo values sent
    double total_s = 0.0;        ///< from begin until all was seen to have arrived and was stored
    double exposed_s = 0.0;      ///< of this, inside begin, progress and end: the caller's own time
    double packing_s = 0.0;      ///< of the exposed time, copying into and out of messages
    std::int64_t link_copies = 0;  ///< copies between host and device, both directions
    std::int64_t link_bytes = 0;   ///< bytes in them
    std::int64_t overlapped = 0;   ///< exchanges that the caller progressed between pieces of work

    HaloLedger& operator+=(const HaloLedger& more);
    /// What was added since an earlier state of the same ledger.
    [[nodiscard]] HaloLedger since(const HaloLedger& earlier) const;
};

/// One dat in an exchange, with the set it lives on.
struct HaloItem {
    RawDat dat;                            ///< its values
    const SetPart* set = nullptr;          ///< whose halo pattern they follow
    MemoryKind memory = MemoryKind::host;  ///< where its values lie
};

/// Brings halo values up to date. One exchange is in flight at a time.
class HaloExchange {
public:
    virtual ~HaloExchange() = default;

    /// Starts sending owned values of all `items` to the neighbours that hold them as halo:
    /// one message per neighbour for all items. Collective.
    virtual void begin(std::span<const HaloItem> items) = 0;

    /// Between begin and end, now and then: lets the MPI library move messages and stores what has
    /// arrived. Returns whether anything is still under way. Halo values may change.
    virtual bool progress() { return false; }

    /// Waits and stores what arrived into the halo elements.
    virtual void end() = 0;

    /// Whether exchanges of dats on a device are work of the compute stream and nothing else: kernels
    /// queued after `end` see the values, the host waits for nothing, and work that is recorded and
    /// repeated may contain them.
    [[nodiscard]] virtual bool is_queued() const { return false; }
    /// Where they are queued: makes all that exchanging `items` takes, so that `begin` and `end` can be
    /// recorded. Collective.
    virtual void prepare(std::span<const HaloItem> /*items*/) {}
    /// Where they are queued: counts an exchange that a repeated recording does.
    virtual void count(std::span<const HaloItem> /*items*/) {}

    /// Of exchanges that are queued the seconds are missing: a device has them.
    [[nodiscard]] virtual const HaloLedger& ledger() const = 0;
    /// With those seconds, by the device's clock and waiting for other devices included. Waits for all
    /// that is queued; not while work is recorded.
    [[nodiscard]] virtual HaloLedger completed_ledger() const { return ledger(); }
    /// Name of the scheme by which halos travel, as HALOCLINE_HALO and records have it.
    [[nodiscard]] virtual const char* scheme() const = 0;
};

}  // namespace halocline
