# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Batch jobs: what is asked for, site files, scripts from templates, schedulers, watching."""
