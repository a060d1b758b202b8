# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How files are written (whole or not at all) and folders kept to one writer at a time."""
