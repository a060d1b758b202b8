#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# The body of `make demo`: Rotor 37 from the NASA sections to a picture, everything under demo/.
#   scripts/demo.sh [--nodes N]         --nodes: another size of mesh (default 250000)
source "$(dirname "$0")/common.sh"

case_file=demo/rotor37.toml
nodes=250000
if [ "${1:-}" = --nodes ] && [ $# -eq 2 ]; then
    nodes=$2
elif [ $# -gt 0 ]; then
    fail 2 "unknown option '$1' (demo.sh knows --nodes N only). Run it without options."
fi
[ -x "$venv/bin/mgcfd" ] || fail 4 "mgcfd is not built (.venv/bin/mgcfd is missing). Run make build first."
export PATH="$venv/bin:$PATH"

# A folder that git ignores by itself; old results must not pass for new ones.
make_folder() {
    { rm -rf demo && mkdir demo && echo '*' >demo/.gitignore &&
        cp examples/cases/rotor37.toml "$case_file"; } 2>/dev/null ||
        fail 4 "cannot write to $top/demo (not permitted, or the disk is full). Make it writable and run again."
}

title() { # title TEXT COMMAND...: shows what comes, as one would type it
    echo
    say "$1"
    shift
    echo "  \$ $*"
}

# Each command prints its own sentence when it fails; its exit code becomes ours.
step() { # step TEXT COMMAND...
    title "$@"
    shift
    "$@"
}

# With --json the summary gives way to the table at the end; progress comes on stderr.
run_case() { # run_case TEXT SETTING...
    local text=$1 words=(halocline run "$case_file") setting
    shift
    for setting in "$@"; do words+=(--set "$setting"); done
    title "$text" "${words[@]}"
    "${words[@]}" --json >/dev/null
}

# What `auto` decides here, except that two cores or more work as ranks, to show MPI.
choose_ranks() {
    halocline run "$case_file" --dry-run --json |
        "$venv/bin/python" -c '
import json, sys
plan = json.load(sys.stdin)
ranks, threads = plan["ranks"], plan["threads"]
if ranks == 1 and threads > 1:
    ranks = 2 if threads % 2 == 0 else threads
print(ranks)'
}

make_folder
step "1/6 the mesh, from the blade sections of NASA TP-1337" \
    halocline mesh make rotor37 --nodes "$nodes" --levels 4 --scaling boosted -o demo/mesh
step "2/6 is it sound?" halocline mesh check demo/mesh
ranks=$(choose_ranks)
run_case "3/6 mgcfd on all cores" "parallel.ranks=$ranks"
run_case "4/6 the same on one core" output.directory=one-core \
    parallel.ranks=1 parallel.threads=1 solver.measure_triad=off
step "5/6 do the bits agree?" halocline compare demo/output demo/one-core --bitwise
step "6/6 pictures" halocline plot demo/output -o demo/rotor37.png
halocline plot --record demo/output -o demo/loops.png
echo
"$venv/bin/python" scripts/demo_table.py demo
say "demo done in $SECONDS s"
