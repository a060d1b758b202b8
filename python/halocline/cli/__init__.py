# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The `halocline` command: one file per verb, each parses, calls the library and prints."""
