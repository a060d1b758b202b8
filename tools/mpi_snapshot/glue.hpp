// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Frames of an MPI library's Fortran bindings, which stand between the program and the C wrappers.
#pragma once

#include "sites.hpp"

namespace halocline::snapshot {

inline constexpr std::int32_t glue_unknown = -1;  // not unwound yet
inline constexpr std::int32_t glue_varies = -2;   // frames differ in size: unwind every time

struct Unwound {
    const void* address;  // return address in the program, null: not found
    std::int32_t offset;  // where it stands, relative to the wrapper's frame; 0: not on the stack
};

/// The innermost frame above `frame` that is not glue.
Unwound first_frame_beyond_glue(Frame frame);

/// Up to `wanted` return addresses from there outwards; returns how many.
int frames_beyond_glue(Frame frame, const void** frames, int wanted);

/// Remembers where glue is loaded, for the next function.
void find_glue();

/// True when glue of one function asks another for help (Open MPI's mpi_alltoallv_ calls
/// PMPI_Comm_size): not a call of the program.
bool is_helper_call(Function function, const void* address);

}  // namespace halocline::snapshot
