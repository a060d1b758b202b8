#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Bootstrap, configure, build, and install into .venv so that its bin/ holds every command.
#   scripts/build.sh               everything: library, programs, tools, examples, benchmarks and tests
#   scripts/build.sh --programs    mgcfd, halocline-solve and halocline-meshtool, with what they need
#   scripts/build.sh --test        everything, and installs what only tests run
source "$(dirname "$0")/common.sh"

target=all testing=ON
bootstrap=() install=()
case "$*" in
    "") ;;
    --programs)
        target=programs testing=OFF
        bootstrap=(--programs) install=(--component programs)
        ;;
    --test) bootstrap=(--test) ;;
    *) fail 2 "unknown options '$*' (build.sh knows --programs and --test, one of them). Run it without options." ;;
esac

"$top/scripts/bootstrap.sh" "${bootstrap[@]}" --compilers-only
# Python's packages arrive while C++ is compiled.
in_background "$top/scripts/bootstrap.sh" "${bootstrap[@]}"

# Configured every time (half a second): a new folder with a CMakeLists.txt joins the build.
log="$top/build/configure.log"
mkdir -p "$top/build"
"$(command -v cmake)" --preset default -DBUILD_TESTING=$testing >"$log" 2>&1 || {
    tail -n 30 "$log" >&2
    fail 4 "CMake could not configure the build (its last lines are above). The whole log is build/configure.log."
}
cmake --build --preset default --target "$target" --parallel "${HALOCLINE_BUILD_JOBS:-$(cores)}" ||
    fail 5 "the build failed (the compiler's message is above)."
# Its message may stand far above, among those of the compiler.
wait "${jobs[0]}" || fail $? "the Python environment could not be made. Run scripts/bootstrap.sh ${bootstrap[*]} to see why."
cmake --install build --prefix "$venv" "${install[@]}" >/dev/null
# Now, since containers often tell Python to keep nothing of what it compiles at each start.
env -u PYTHONDONTWRITEBYTECODE "$venv/bin/python" -m compileall -q python/halocline &&
    env -u PYTHONDONTWRITEBYTECODE "$venv/bin/python" -m halocline.page.compiled ||
    fail 5 "the Python modules could not be compiled (the message is above)."
say "built; commands are in .venv/bin"
