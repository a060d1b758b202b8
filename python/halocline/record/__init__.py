# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Run records: the model, reading and writing. Reports read records, never logs."""
