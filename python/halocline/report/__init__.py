# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Before and after: tables out of run records, snapshots and studies, side by side."""
