// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The MPI library's own functions, behind our wrappers.
#pragma once

namespace halocline::snapshot {

/// Fills `real`, once.
void ensure_real_functions();

/// Made by the generator.
void find_real_functions(void* (*find)(const char* name));

}  // namespace halocline::snapshot
