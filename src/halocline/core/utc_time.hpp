// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The date and time that records and reports carry.
#pragma once

#include <string>

namespace halocline {

/// Now, in UTC, as 2026-11-20T10:15:00Z.
[[nodiscard]] std::string utc_now();

}  // namespace halocline
