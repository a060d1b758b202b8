// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The MPI library's own functions, behind our wrappers.
#pragma once

namespace halocline::snapshot {

/// Addresses in the MPI library; null when it has none of that name.
void* find_mpi_function(const char* name);
void* find_mpi_data(const char* name);

/// Fills `real`, once.
void ensure_real_functions();

/// Made by the generator.
void find_real_functions(void* (*find)(const char* name));

}  // namespace halocline::snapshot
