#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Measures the overhead of the snapshot recorder on LAMMPS, Quantum ESPRESSO and GROMACS, which it
# installs (about 700 MB). Options are those of benchmarks/snapshot_programs.py; the default takes
# about 10 minutes on a quiet machine.
#   scripts/bench_snapshot.sh --pack FILE.tar.xz
# measures nothing, but packs LAMMPS and Quantum ESPRESSO with all that they need for another
# machine; benchmarks/snapshot_pack.py says how to run them there.
source "$(dirname "$0")/common.sh"

packages=(lammps quantum-espresso quantum-espresso-data gromacs gromacs-data valgrind)
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
if command -v apt-get >/dev/null && ! dpkg-query -W "${packages[@]}" >/dev/null 2>&1; then
    say "installing ${packages[*]}"
    as_root apt-get update -qq || fail 4 "apt-get update failed. Check network and package sources."
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        "${packages[@]}" >/dev/null ||
        fail 4 "apt-get install failed for: ${packages[*]}. Run it by hand to see why."
fi
if [ "${1:-}" = --pack ]; then
    exec "$venv/bin/python" benchmarks/snapshot_pack.py "${@:2}"
fi
"$venv/bin/python" benchmarks/snapshot_timers.py ||
    say "a timer of LAMMPS differs from ours by more than 5 %; is the machine busy?"
"$venv/bin/python" benchmarks/snapshot_instructions.py
exec "$venv/bin/python" benchmarks/snapshot_programs.py "$@"
