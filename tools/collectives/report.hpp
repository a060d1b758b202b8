// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What was found out: a table on stderr and a JSON file, written by rank 0 of the job.
#pragma once

namespace halocline::endpoints {

class Session;

/// Collects the rows of all ranks and writes them. Collective over the job, before MPI_Finalize.
void write_report(Session& session);

}  // namespace halocline::endpoints
