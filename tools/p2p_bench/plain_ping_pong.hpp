// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The judge of the `host` path: a ping-pong of nothing but MPI calls.
#pragma once

#include <mpi.h>

namespace halocline::p2p {

/// One round trip between `first` and `second`; other ranks return at once. Knows nothing of paths,
/// plans and checks: what a textbook program would do.
void plain_round_trip(MPI_Comm comm, int first, int second, void* out, void* in, int bytes);

}  // namespace halocline::p2p
