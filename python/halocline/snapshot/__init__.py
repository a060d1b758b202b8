# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Snapshots of MPI programs: launch with the recorder, merge the rank files, report, compare."""
