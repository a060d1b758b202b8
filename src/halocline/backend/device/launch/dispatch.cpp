// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What dispatch asks of the executor, which programs need not know.
#include "halocline/backend/device/launch/dispatch.hpp"

#include "halocline/backend/device/launch/executor.hpp"

namespace halocline::device {

bool begin_host_loop(Context& context, const LoopName& name, std::string_view source) {
    if (!context.device()->recorder().begin_host_loop(name)) {
        return false;
    }
    context.explain_host_loop(name, source);
    return true;
}

bool detail::fits_device(const Form& form, Context& context) {
    return form.on_gpu || context.device()->device().is_emulated();
}

}  // namespace halocline::device
