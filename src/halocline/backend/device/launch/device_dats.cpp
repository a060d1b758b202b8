// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/backend/device/launch/device_dats.hpp"

#include <algorithm>
#include <limits>

#include "halocline/backend/device/views/dat_values.hpp"
#include "halocline/core/error.hpp"

namespace halocline::device {

void DeviceDats::make_room(DatStore& dat, const Layout& layout, std::int64_t values) {
    dat.fetch();
    dat.device.fetcher = this;
    dat.device.fetcher_alive = lifetime_.watch();
    dat.device.layout = layout;
    const std::size_t words = words_for(static_cast<std::size_t>(values), bytes_of(dat.type));
    dat.device.values = SpaceBuffer(MemoryKind::device, words * sizeof(double), &device_);
    dat.device.device_current = false;
}

void DeviceDats::copy_staged(void* to, const void* from, std::size_t bytes,
                             CopyDirection direction) {
    if (bytes > 0) {
        stream_.copy(to, from, bytes, direction);
        stream_.synchronize();
    }
}

void DeviceDats::upload(DatStore& dat, const Buffer<double>& staged) {
    validate<ContractError>(recorder_.may_look(),
                            "dat '" + dat.name +
                                "' is wanted on the device while work is recorded or repeated "
                                "(it changed on the host in between).");
    copy_staged(dat.device.values.data(), staged.data(), staged.size() * sizeof(double),
                CopyDirection::to_device);
    dat.device.device_current = true;
}

void DeviceDats::fetch(DatStore& dat) {
    validate<ContractError>(recorder_.may_look(),
                            "dat '" + dat.name +
                                "' is read on the host while loops are recorded or repeated "
                                "(its values are not there yet). Read it between repetitions.");
    Buffer<double> staged(dat.device.values.size_bytes() / sizeof(double));
    copy_staged(staged.data(), dat.device.values.data(), staged.size() * sizeof(double),
                CopyDirection::to_host);
    visit_element_type(dat.type, [&]<class T>(T) {
        detail::move_values<T>(*dat.set, {staged.data(), dat.dim, dat.device.layout, dat.type},
                               dat.raw());
    });
    dat.device.host_current = true;
}

void DeviceDats::refresh(DatStore& dat) {
    if (hold(dat) && !dat.device.device_current) {
        visit_element_type(dat.type,
                           [&]<class T>(T) { upload(dat, detail::as_on_device<T>(dat)); });
    }
}

void DeviceDats::note_used(const DatStore& dat) {
    if (watched_ != nullptr && std::none_of(watched_->begin(), watched_->end(),
                                            [&](const WatchedDat& used) { return used.is(dat); })) {
        watched_->emplace_back(dat);
    }
}

void DeviceDats::note_written(DatStore& dat) const {
    ++dat.version;
    dat.device.device_current = true;
    if (dat.device.host_current && old_copies_ == OldCopies::poisoned) {
        std::fill(dat.values.begin(), dat.values.end(), std::numeric_limits<double>::quiet_NaN());
    }
    dat.device.host_current = false;
}

}  // namespace halocline::device
