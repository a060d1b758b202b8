#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Builds the API reference of the C++ library into build/docs.
#   scripts/docs.sh
source "$(dirname "$0")/common.sh"

[ $# -eq 0 ] || fail 2 "unknown option '$1' (docs.sh takes none). Run it without options."

"$top/scripts/bootstrap.sh" --docs
command -v doxygen >/dev/null ||
    fail 4 "doxygen is missing (it reads the headers). Install it with your system's package manager."
rm -rf "$top/build/docs"
python3 scripts/api_reference.py "$top/build/docs" || fail 5 "Doxygen failed (its message is above)."
say "the API reference is build/docs/index.html"
