# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Starting native programs: where they are, how ranks and threads are laid out, mpirun's words."""
