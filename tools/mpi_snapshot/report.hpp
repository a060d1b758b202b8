// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The raw file of this rank (docs/formats/snapshot-raw.md).
#pragma once

#include "json_file.hpp"
#include "ticks.hpp"

namespace halocline::snapshot {

struct ProcessNumbers;
struct Site;

enum class End { flush, finalize, exit, abort, sigterm, signal };

/// Writes the file and puts it in place of the former one. May be called from a signal handler. Once an
/// end was written, a flush changes nothing any more.
void write_report(End end);

/// The process is about to end by exit: after MPI_Finalize, without it, or out of MPI_Abort.
void write_exit_report();

void set_abort_code(int code);
void set_signal(int number);

// The parts, in files of their own.
void write_head(JsonFile& json, End end);
void write_time(JsonFile& json, const TickScale& scale);
void write_pending(JsonFile& json, const TickScale& scale);
/// `frames` of a call site; empty when it is not known.
void write_frames(JsonFile& json, const Site* site);
void write_functions(JsonFile& json, const TickScale& scale);
void write_points(JsonFile& json, const TickScale& scale);
void write_samples(JsonFile& json, const TickScale& scale);
void write_communicators(JsonFile& json);
void write_peers(JsonFile& json);
void write_call_sites(JsonFile& json, const TickScale& scale);
void write_phases(JsonFile& json, const TickScale& scale);
void write_openmp(JsonFile& json, const TickScale& scale);
void write_process(JsonFile& json, const ProcessNumbers& now);
void write_io(JsonFile& json, const ProcessNumbers& now);
void write_unavailable(JsonFile& json);

}  // namespace halocline::snapshot
