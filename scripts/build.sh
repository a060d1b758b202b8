#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Bootstrap, configure, build, and install into .venv so that its bin/ holds every command.
#   scripts/build.sh                everything: examples, benchmarks and tests, too
#   scripts/build.sh --installed    what is installed: library, programs and tools
source "$(dirname "$0")/common.sh"

target=all
if [ "${1:-}" = --installed ] && [ $# -eq 1 ]; then
    target=installed
elif [ $# -gt 0 ]; then
    fail 2 "unknown option '$1' (build.sh knows --installed only). Run it without options."
fi

"$top/scripts/bootstrap.sh"

# Configured every time (half a second): a new folder with a CMakeLists.txt joins the build.
log="$top/build/configure.log"
mkdir -p "$top/build"
"$(command -v cmake)" --preset default >"$log" 2>&1 || {
    tail -n 30 "$log" >&2
    fail 4 "CMake could not configure the build (its last lines are above). The whole log is build/configure.log."
}
cmake --build --preset default --target "$target" --parallel "${HALOCLINE_BUILD_JOBS:-$(cores)}" ||
    fail 5 "the build failed (the compiler's message is above)."
cmake --install build --prefix "$venv" >/dev/null
# Now, since containers often tell Python to keep nothing of what it compiles at each start.
env -u PYTHONDONTWRITEBYTECODE "$venv/bin/python" -m compileall -q python/halocline &&
    env -u PYTHONDONTWRITEBYTECODE "$venv/bin/python" -m halocline.page.compiled ||
    fail 5 "the Python modules could not be compiled (the message is above)."
say "built; commands are in .venv/bin"
