# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""halocline: unstructured-mesh CFD on CPUs and GPUs, driven from one command."""

__version__ = "0.1.0"
