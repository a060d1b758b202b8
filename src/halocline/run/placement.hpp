// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Where ranks and threads really run, for the record, and what to change where they are in each
// other's way.
#pragma once

#include "halocline/core/communicator.hpp"
#include "halocline/io/run_record.hpp"
#include "halocline/machine/affinity.hpp"
#include "halocline/run/console.hpp"

namespace halocline::run {

/// Fills `layout` with the GPU and the kernel's masks of every rank and thread, and with what is wrong
/// with them; warns on the console, with the launch line to use, where ranks share a core, straddle
/// NUMA nodes or are far from their GPU. More ranks than cores are noted, not warned of: no launch
/// line helps. `own` is what this process took; where any rank took a GPU, all are printed. Collective.
void describe_placement(const Communicator& comm, const Affinity& own, const record::Mpi& mpi,
                        const Console& console, record::Layout& layout);

}  // namespace halocline::run
