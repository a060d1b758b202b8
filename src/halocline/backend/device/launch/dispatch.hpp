// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Where par_loop and run_chain leave for the device: by the name of the loops' type, looked up at their
// first run.
#pragma once

#include <string_view>
#include <typeinfo>

#include "halocline/backend/context.hpp"
#include "halocline/backend/device/launch/forms.hpp"
#include "halocline/backend/device/plans/keys.hpp"

// Brings the device image of this source file into the program, also out of a static library.
#if defined(HALOCLINE_IMAGE)
extern "C" const char HALOCLINE_IMAGE;
[[gnu::used]] static const char* const halocline_image_of_this_file = &HALOCLINE_IMAGE;
#endif

namespace halocline::device {

/// A loop, a chain or an update of globals on a context that may have a device, to the end of a block.
class LoopScope {
public:
    /// Throws ContractError as `Recorder::begin_loop`.
    LoopScope(Context& context, const LoopName& name);
    ~LoopScope();
    LoopScope(const LoopScope&) = delete;
    LoopScope& operator=(const LoopScope&) = delete;

private:
    Context& context_;
};

/// A loop of source file `source` that has no device form is about to run on the host. Returns whether it
/// shall, and has it explained (`Context::explain_host_loop`). Throws ContractError while work is recorded
/// or repeated.
[[nodiscard]] bool begin_host_loop(Context& context, const LoopName& name, std::string_view source);

/// Where the device form of loops of one type is kept once it was found; what was not may come.
struct FormSlot {
    const char* source;           ///< file of the loops
    const std::type_info* loops;  ///< by the name that the program's compiler gives
    const Form* form = nullptr;
};

/// Of the loops of this source file that `Key` stands for.
template <class Key>
FormSlot& form_slot() {
    static constinit FormSlot slot{HALOCLINE_SOURCE, &typeid(Key)};
    return slot;
}

/// Runs loops on the device; false when they have no form there. `loops`: what a form takes.
bool run_form(Context& context, FormSlot& slot, const LoopName& name, const SetPart* set,
              const void* loops);

}  // namespace halocline::device
