# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Pictures: a mesh surface with a field, drawn in software, and bar charts from run records."""
