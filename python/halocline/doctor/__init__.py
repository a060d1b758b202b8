# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What this machine has and lacks: one probe file per subject, each returns facts."""
