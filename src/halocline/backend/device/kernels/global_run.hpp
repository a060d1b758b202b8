// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A kernel on globals alone, on a device.
#pragma once

#include "halocline/backend/device/views/registers.hpp"

namespace halocline::device {

/// A kernel on globals, by one thread.
template <class Kernel, class... Args>
class GlobalRun {
    using View = UpdateView<Kernel, Args...>;

public:
    HALOCLINE_HD explicit GlobalRun(const View& view) : view_(view) {}
    HALOCLINE_HD void run() { run_all(typename View::Indices{}); }

private:
    template <std::size_t... a>
    HALOCLINE_HD void run_all(std::index_sequence<a...>) {
        Tuple<Values<double, Args::size>...> values;
        (load<Args>(get<a>(view_.args), get<a>(values)), ...);
        view_.kernel(halocline::detail::as_kernel_sees<Args>(get<a>(values))...);
        (store<Args>(get<a>(view_.args), get<a>(values)), ...);
    }
    template <class Arg>
    HALOCLINE_HD void load(const ArgView<Arg>& arg, Values<double, Arg::size>& values) {
        for (int d = 0; d < Arg::size; ++d) {
            values[d] = Arg::access == Access::read ? arg.value(d) : no_increment;
        }
    }
    template <class Arg>
    HALOCLINE_HD void store(const ArgView<Arg>& arg, const Values<double, Arg::size>& values) {
        if constexpr (Arg::access == Access::write) {
            for (int d = 0; d < Arg::size; ++d) {
                arg.place[d].value = values[d];
            }
        }
    }

    const View& view_;
};

}  // namespace halocline::device
