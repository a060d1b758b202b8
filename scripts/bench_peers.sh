#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Times halocline beside its peers, in turns: hypre and PETSc on Poisson's equation, OpenFOAM's icoFoam
# and code_saturne on the cavity. Installs them first (about 1 GB on disk with what they depend on);
# goes on without code_saturne where the distribution has no package of it.
#   scripts/bench_peers.sh              both: about a quarter of an hour on an idle machine
#   scripts/bench_peers.sh poisson ...  one of them; further options are those of its script
#   scripts/bench_peers.sh cavity ...   (benchmarks/poisson_peers.py, benchmarks/cavity_peers.py)
source "$(dirname "$0")/common.sh"

packages=(libhypre-dev libpetsc-real-dev openfoam)
saturne_package=code-saturne-bin # preprocessor and solver, without the graphical interface
python=${HALOCLINE_PYTHON:-$venv/bin/python}

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

has_peers() {
    [ -n "$(find /usr/include -name HYPRE.h -print -quit)" ] && pkg-config --exists PETSc &&
        command -v icoFoam >/dev/null
}

install() { # install PACKAGE...: fails where that fails
    say "installing $*"
    as_root apt-get update -qq || {
        say "apt-get update failed. Check network and package sources." >&2
        return 1
    }
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        -o Dpkg::Use-Pty=0 "$@" >/dev/null
}

install_peers() {
    command -v apt-get >/dev/null ||
        fail 4 "this is no Debian: install hypre, PETSc and OpenFOAM, then run this again."
    install "${packages[@]}" ||
        fail 4 "apt-get install failed for: ${packages[*]}. Run it by hand to see why."
}

has_saturne() { [ -x /usr/lib/code_saturne/cs_solver ] && [ -x /usr/lib/code_saturne/cs_preprocess ]; }

install_saturne() {
    if ! command -v apt-get >/dev/null || ! install "$saturne_package"; then
        say "code_saturne is left out: the package $saturne_package (Debian 12) is not to be had here."
    fi
}

has_peers || install_peers
has_saturne || install_saturne
say "building the programs"
cmake --preset default >/dev/null && cmake --build build --target halocline-solve benchmark_poisson \
    benchmark_hypre_poisson benchmark_petsc_poisson >/dev/null ||
    fail 1 "the programs do not build: run cmake --build build to see why."

which=${1:-both}
[ $# -eq 0 ] || shift
case "$which" in
poisson | cavity) "$python" "benchmarks/${which}_peers.py" "$@" ;;
both)
    "$python" benchmarks/poisson_peers.py
    "$python" benchmarks/cavity_peers.py
    ;;
*) fail 2 "'$which' is not a benchmark. Say poisson or cavity." ;;
esac
