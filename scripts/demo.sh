#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# The body of `make demo`.
source "$(dirname "$0")/common.sh"

fail 5 "make demo does not exist yet (its script is not written). Run mgcfd from .venv/bin directly."
