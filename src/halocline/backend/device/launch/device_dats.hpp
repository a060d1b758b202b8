// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Dats on the device: their memory, copies both ways, and which of the two copies is current.
#pragma once

#include <cstdint>
#include <vector>

#include "halocline/backend/device/launch/recorder.hpp"
#include "halocline/memory/device.hpp"
#include "halocline/mesh/dat_store.hpp"

namespace halocline::device {

/// What is done with host copies that are old: they stay, or become NaN so that a stale read shows.
enum class OldCopies { kept, poisoned };

class DeviceDats final : public DatFetcher {
public:
    /// All three outlive it. Copies run on `stream`, behind the kernels.
    DeviceDats(Device& device, Stream& stream, const Recorder& recorder, OldCopies old_copies)
        : device_(device), stream_(stream), recorder_(recorder), old_copies_(old_copies) {}

    /// Whether a dat has memory here.
    [[nodiscard]] bool hold(const DatStore& dat) const noexcept {
        return dat.device.fetcher == this && !dat.device.fetcher_alive.expired();
    }
    /// Gives a dat memory on the device, uninitialised: `values` values of the dat's type that lie as
    /// `layout` says. Values on another device come to the host before. Throws EnvironmentError when the
    /// device is full, ContractError when that other one is closed.
    void make_room(DatStore& dat, const Layout& layout, std::int64_t values);
    /// Copies staged values, laid out as on the device; they are current there then. Waits. Throws
    /// ContractError while work is recorded or repeated.
    void upload(DatStore& dat, const Buffer<double>& staged);
    /// Copies the device's values to the host, whose copy is current then, too. Waits. Throws
    /// ContractError while work is recorded or repeated.
    void fetch(DatStore& dat) override;
    /// Uploads the host's values of a dat that has memory on the device and newer values on the host, so
    /// that recorded work finds them; else does nothing.
    void refresh(DatStore& dat);
    /// A loop changed the dat on the device.
    void note_written(DatStore& dat) const;

    /// From here on, dats that loops bring to the device are added to `dats`, once each; null: no more.
    void watch(std::vector<WatchedDat>* dats) { watched_ = dats; }
    /// A loop brings this dat to the device.
    void note_used(const DatStore& dat);

private:
    /// Copies between the device and memory that is laid out as there, and waits.
    void copy_staged(void* to, const void* from, std::size_t bytes, CopyDirection direction);

    Device& device_;
    Stream& stream_;
    const Recorder& recorder_;
    OldCopies old_copies_;
    Lifetime lifetime_;
    std::vector<WatchedDat>* watched_ = nullptr;
};

}  // namespace halocline::device
