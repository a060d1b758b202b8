# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Any program on chosen ranks of any MPI launch line; docs/with.md."""
