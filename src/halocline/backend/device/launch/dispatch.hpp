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
#include "halocline/loop/chain.hpp"

// Brings the device image of this source file into the program, also out of a static library.
#if defined(HALOCLINE_IMAGE)
extern "C" const char HALOCLINE_IMAGE;
[[gnu::used]] static const char* const halocline_image_of_this_file = &HALOCLINE_IMAGE;
#endif

namespace halocline::device {

/// A loop of source file `source` that has no device form is about to run on the host. Returns whether it
/// shall, and has it explained (`Context::explain_host_loop`). Throws ContractError while work is recorded
/// or repeated.
[[nodiscard]] bool begin_host_loop(Context& context, const LoopName& name, std::string_view source);

namespace detail {

/// Whether the context's device is one that the form has code for.
[[nodiscard]] bool fits_device(const Form& form, Context& context);

/// The form of these loops; null when there is none. What was found is kept, what was not may come.
template <class Key>
const Form* form_of() {
    static const Form* form = nullptr;
    if (form == nullptr) {
        // The program's compiler names unnamed namespaces in the common way.
        form = find_form({HALOCLINE_SOURCE, typeid(Key).name()});
    }
    return form;
}

template <class Key>
bool run_form(Context& context, const LoopName& name, const SetPart* set, const void* loops) {
    const Form* form = form_of<Key>();
    return form != nullptr && fits_device(*form, context) && form->run(context, name, set, loops);
}

}  // namespace detail

/// Runs loops on the device; false when they have no form there.
template <class Tag, class... Loops>
bool run_on_device(Context& context, const LoopName& name, Set<Tag> set, const Loops&... loops) {
    const Tuple<const Loops*...> pointers{&loops...};
    return detail::run_form<ChainKey<Tag, Loops...>>(context, name, set.part, &pointers);
}

template <class Kernel, class... Args>
bool run_on_device(Context& context, const GlobalUpdate<Kernel, Args...>& update) {
    return detail::run_form<ChainKey<NoSet, GlobalUpdate<Kernel, Args...>>>(context, update.name,
                                                                            nullptr, &update);
}

}  // namespace halocline::device
