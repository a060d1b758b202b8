// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Groups of world ranks, each kept once.
#pragma once

#include "communicators.hpp"

namespace halocline::snapshot {

/// The group of MPI_COMM_WORLD; false when MPI refuses it.
bool start_groups();

/// A group of MPI as world ranks (-1: a process outside the world); the caller holds the lock of the
/// communicators. Null when memory is out.
Group* intern_group(MPI_Group group);

/// How many communicators with this hash were made before; counts one more.
std::uint32_t next_ordinal(std::uint64_t hash);

/// World ranks of `count` ranks of a group, in memory that stays.
const int* world_ranks_of(const Group& group, const int* ranks, int count);

}  // namespace halocline::snapshot
