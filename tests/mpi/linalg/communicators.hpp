// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The communicators of these tests.
#pragma once

#include "halocline/core/communicator.hpp"

namespace halocline::test {

inline Communicator world() { return Communicator(MPI_COMM_WORLD); }
inline Communicator self() { return Communicator(MPI_COMM_SELF); }

}  // namespace halocline::test
