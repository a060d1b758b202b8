// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Parts of the run that the program tells apart by the level of MPI_Pcontrol.
#pragma once

namespace halocline::snapshot {

/// The phase of `level` begins, the present one ends. Level 0: recording is off, no phase.
void switch_phase(int level);

/// MPI_Finalize begins.
void end_phases();

}  // namespace halocline::snapshot
