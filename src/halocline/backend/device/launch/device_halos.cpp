// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/backend/device/launch/device_halos.hpp"

#include "halocline/backend/context.hpp"
#include "halocline/core/error.hpp"

namespace halocline::device {

std::string DeviceHalos::obstacle(const Context& context) const {
    return context.comm().size() == 1 || join_ != nullptr ? "" : "halos travel through the host";
}

void DeviceHalos::require_no_recording(const Context& context) const {
    validate<ContractError>(recorder_.may_look() || obstacle(context).empty(),
                            "loops of several ranks cannot be recorded (halos travel between "
                            "them).");
}

void DeviceHalos::update_on_host(Context& context, const std::vector<DatStore*>& dats) {
    require_no_recording(context);
    // A dry run that all ranks go through brings what stays as it is, so that copies of it can be made.
    if (stays_as_it_is() || context.comm().size() == 1) {
        return;
    }
    for (DatStore* dat : dats) {
        if (!dat->halo_valid) {
            dat->fetch();
        }
    }
    if (context.begin_halo(dats)) {
        context.end_halo();
    }
}

bool DeviceHalos::begin(Context& context, const std::vector<DatStore*>& dats) {
    require_no_recording(context);
    if (stays_as_it_is()) {
        return false;
    }
    using Work = Context::HaloWork;
    Work work = Work::exchange;
    if (join_ != nullptr) {
        for (DatStore* dat : dats) {
            recorder_.remember_halo(*dat);
        }
        work = recorder_.is_dry()         ? Work::prepare
               : recorder_.is_replaying() ? Work::count
                                          : Work::exchange;
    }
    return context.begin_halo(dats, MemoryKind::device, work);
}

void DeviceHalos::end(Context& context) { context.end_halo(); }

void DeviceHalos::note_written(DatStore& dat) {
    if (join_ != nullptr) {
        recorder_.remember_halo(dat);
    }
    // Ranks on cores go through no dry run: beside them halos stay as they were.
    if (!stays_as_it_is()) {
        dat.halo_valid = dat.set->is_replicated;
    }
}

}  // namespace halocline::device
