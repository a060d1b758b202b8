# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Predicts runs on more ranks than are here; docs/forecast.md has the model and its sources."""
