# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Transfers between ranks: starts halocline-p2p, reads its results, draws them on one page."""
