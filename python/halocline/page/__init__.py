# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Self-contained HTML pages: one house style, inline SVG drawings, no script, no network."""
