# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Case files: the typed model, reading with clear messages, and the resolved case."""
