# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Results of a run as arrays: `halocline.open` and the objects that it returns."""
