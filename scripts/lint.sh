#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Every check that needs no run: layers, docstrings, format, clang-tidy, ruff, mypy.
#   scripts/lint.sh [--fix] [--all]     --fix rewrites the format; --all: clang-tidy on every file
# clang-tidy looks at files changed since origin/main, or else at the 8 changed last; TIDY_SECONDS
# bounds it.
source "$(dirname "$0")/common.sh"

fix=no
all=no
for option in "$@"; do
    case $option in
        --fix) fix=yes ;;
        --all) all=yes ;;
        *) fail 2 "unknown option '$option' (lint.sh knows --fix and --all)." ;;
    esac
done

"$top/scripts/bootstrap.sh" --lint
failures=()
step() { # step NAME COMMAND...: runs, remembers a failure, goes on
    local name=$1
    shift
    say "lint: $name"
    "$@" || failures+=("$name")
}

cpp_files() { git ls-files --cached --others --exclude-standard '*.cpp' '*.hpp' '*.cu' '*.cuh' '*.c' '*.h'; }

check_format() {
    local mode=(--dry-run -Werror)
    [ "$fix" = yes ] && mode=(-i)
    cpp_files | xargs -r clang-format "${mode[@]}" --style=file
}

check_ruff() {
    if [ "$fix" = yes ]; then
        "$venv/bin/ruff" check --fix . && "$venv/bin/ruff" format .
    else
        "$venv/bin/ruff" check . && "$venv/bin/ruff" format --check .
    fi
}

# Sources to look at: what a change touched; without a base to compare with, the newest files.
tidy_files() {
    local base
    if [ "$all" = yes ]; then
        git ls-files 'src/*.cpp' 'apps/*.cpp' 'tools/*.cpp'
        return
    fi
    if base=$(git merge-base HEAD origin/main 2>/dev/null) && [ "$base" != "$(git rev-parse HEAD)" ]; then
        git diff --name-only --diff-filter=d "$base" -- 'src/*.cpp' 'apps/*.cpp' 'tools/*.cpp'
    else
        git log --name-only --pretty= --diff-filter=d -n 40 -- 'src/*.cpp' 'apps/*.cpp' 'tools/*.cpp' |
            awk '!seen[$0]++' | head -n 8
    fi
}

check_tidy() {
    local files status=0
    mapfile -t files < <(tidy_files | while read -r file; do [ -f "$file" ] && echo "$file"; done)
    [ "${#files[@]}" -gt 0 ] || { say "clang-tidy: no C++ source to look at"; return 0; }
    cmake --preset default -B build-lint >/dev/null || return 1
    printf '%s\0' "${files[@]}" | timeout "${TIDY_SECONDS:-240}" \
        xargs -0 -n 1 -P "$(cores)" clang-tidy -p build-lint --quiet 2>/dev/null |
        tee build-lint/clang-tidy.log || status=$?
    # A look cut short may have found something already.
    if grep -qE ': (error|warning): ' build-lint/clang-tidy.log; then
        return 1
    fi
    if [ "$status" -eq 124 ]; then
        say "clang-tidy: stopped after ${TIDY_SECONDS:-240} s (TIDY_SECONDS sets the limit); no fault so far"
        return 0
    fi
    return "$status"
}

# Where Doxygen is missing the check says so; on Debian bootstrap.sh has installed it.
check_docstrings() { python3 scripts/check_docstrings.py || [ $? -eq 77 ]; }

check_types() { "$venv/bin/mypy"; }

step "layer order" python3 scripts/check_layers.py
step "docstrings" check_docstrings
step "clang-format" check_format
step "ruff" check_ruff
step "mypy" check_types
[ "$fix" = yes ] || step "clang-tidy" check_tidy

if [ "${#failures[@]}" -gt 0 ]; then
    fail 1 "lint FAILED: $(printf '%s, ' "${failures[@]}" | sed 's/, $//')"
fi
say "lint: clean"
