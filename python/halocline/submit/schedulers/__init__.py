# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""One file per scheduler: its directives, its commands and what its answers mean."""
