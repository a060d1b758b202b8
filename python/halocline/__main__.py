# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Lets `python -m halocline` do what the `halocline` command does."""

import sys

if not sys.flags.safe_path:  # `-m` has put the current folder first: what lies there is not ours
    del sys.path[0]

from halocline.cli.app import main

if __name__ == "__main__":
    main()
