// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Types of all loops that have a device form: for the emulated device here, for nvcc in device_loops.cu.
#pragma once

#include <utility>

#include "halocline/solver/mgcfd/recipe.hpp"

namespace halocline::mgcfd::device_list {

inline Level& any_level();
inline Visit& any_visit();

using BeginVisit = decltype(recipe::begin_visit(any_level()));
using FluxStage1 = decltype(recipe::flux_stage_1(any_level()));
using FluxStage2 = decltype(recipe::flux_stage_2(any_level()));
using FluxStage3 = decltype(recipe::flux_stage_3(any_level(), any_visit()));
using Stream = decltype(recipe::stream(any_level()));
using TimeStepLimit = decltype(recipe::time_step_limit(any_level()));
using Restriction = decltype(recipe::restriction(any_level(), any_level()));
using PackCorrection = decltype(recipe::pack_correction(any_level()));
using Correction = decltype(recipe::correction(any_level(), any_level()));

}  // namespace halocline::mgcfd::device_list

/// Calls `macro(type)` for each of them.
#define HALOCLINE_MGCFD_DEVICE_LOOPS(macro)                                            \
    macro(::halocline::mgcfd::device_list::BeginVisit)                                 \
        macro(::halocline::mgcfd::device_list::FluxStage1)                             \
            macro(::halocline::mgcfd::device_list::FluxStage2)                         \
                macro(::halocline::mgcfd::device_list::FluxStage3)                     \
                    macro(::halocline::mgcfd::device_list::Stream)                     \
                        macro(::halocline::mgcfd::device_list::TimeStepLimit)          \
                            macro(::halocline::mgcfd::device_list::Restriction)        \
                                macro(::halocline::mgcfd::device_list::PackCorrection) \
                                    macro(::halocline::mgcfd::device_list::Correction)
