// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The thread that writes a file now and then, so that a killed rank leaves something behind.
#pragma once

namespace halocline::snapshot {

void start_flusher();

/// MPI_Finalize has begun: a rank that waits there for long is given its last file, for it may be
/// killed.
void expect_end();

/// The kernel's number of the thread, 0 when there is none: it is not a thread of the program.
int flusher_tid();

/// Waits until the thread is gone; harmless when there is none.
void stop_flusher();

}  // namespace halocline::snapshot
