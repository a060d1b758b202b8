# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The halo experiment: starts halocline-halo over domain counts, joins results, draws a page."""
