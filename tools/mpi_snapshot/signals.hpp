// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Signals that end a process: a last file is written, then the program's own handler runs.
#pragma once

namespace halocline::snapshot {

/// Puts our handler in front of whatever handles the signals now.
void watch_signals();

}  // namespace halocline::snapshot
