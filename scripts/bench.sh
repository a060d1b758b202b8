#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# The body of `make bench`.
source "$(dirname "$0")/common.sh"

fail 5 "make bench does not exist yet (its script is not written). Run mgcfd from .venv/bin directly."
