# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Parts of `make bench`: what runs, how it is measured, what is made of it."""
