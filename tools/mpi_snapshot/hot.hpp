// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Where the small variables lie that calls read: side by side, for each missed cache line costs more
// than the rest of a wrapper.
#pragma once

/// For variables with constant initial values.
#define HALOCLINE_HOT __attribute__((section("halocline_hot")))
