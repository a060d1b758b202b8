# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Finds settings of the MPI library that make a program faster, and proves it on the program."""
