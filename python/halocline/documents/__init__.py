# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""JSON documents with a typed model: strict reading, atomic writing, schema and key tables."""
