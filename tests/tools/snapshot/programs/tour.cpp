// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The tour as a C++ program: MPI has no C++ interface of its own any more, but other linkage rules apply.
#include "tour.c"
