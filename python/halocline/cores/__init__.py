# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What busy cores of a host do to each other: results of halocline-cores."""
