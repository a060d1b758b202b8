// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What dispatch asks of the executor, which programs need not know.
#include "halocline/backend/device/launch/dispatch.hpp"

#include "halocline/backend/device/launch/executor.hpp"

namespace halocline::device {

LoopScope::LoopScope(Context& context, const LoopName& name) : context_(context) {
    if (context.device() != nullptr) {
        context.device()->recorder().begin_loop(name);
    }
}

LoopScope::~LoopScope() {
    if (context_.device() != nullptr) {
        context_.device()->recorder().end_loop();
    }
}

bool begin_host_loop(Context& context, const LoopName& name, std::string_view source) {
    if (!context.device()->recorder().begin_host_loop(name)) {
        return false;
    }
    context.explain_host_loop(name, source);
    return true;
}

bool run_form(Context& context, FormSlot& slot, const LoopName& name, const SetPart* set,
              const void* loops) {
    if (slot.form == nullptr) {
        slot.form = find_form({slot.source, slot.loops->name()});
    }
    const bool fits =
        slot.form != nullptr && (slot.form->on_gpu || context.device()->device().is_emulated());
    return fits && slot.form->run(context, name, set, loops);
}

}  // namespace halocline::device
