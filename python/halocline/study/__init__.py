# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Studies: one program at many settings, in random turns until differences are significant."""
