# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Multi-endpoint collectives for any MPI program: settings, launch, report."""
