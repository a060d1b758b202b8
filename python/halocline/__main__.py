# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Lets `python -m halocline` do what the `halocline` command does."""

from halocline.cli.app import main

if __name__ == "__main__":
    main()
