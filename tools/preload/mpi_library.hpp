// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The MPI library behind a preloaded one, and the guard against one of another family.
//
// A tool library is compiled for one family: Open MPI's handles are addresses, MPICH's are numbers of
// 32 bits. Which one a process has is certain only inside it, so each preloaded library checks:
// when it is loaded, before the program starts, it makes way for its sibling of the right family; a
// library that comes later (Python's) is judged at the first call of MPI, before a handle is touched.
#pragma once

namespace halocline::preload {

/// Address of a function of the MPI library behind this one, also where the program loaded it out of
/// sight; null where there is none. The first call ends a process with an MPI library of another
/// family, with a sentence and exit code 4.
void* find_mpi_function(const char* name);

/// Address of MPI's global data, or null: the program's copy where the linker made one.
void* find_mpi_data(const char* name);

}  // namespace halocline::preload
