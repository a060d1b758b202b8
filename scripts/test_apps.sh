#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Runs the tools on large programs from Debian: Quantum ESPRESSO, OpenFOAM. Installs them first
# (about 820 MB on disk); `make test` needs neither.
source "$(dirname "$0")/common.sh"

packages=(quantum-espresso quantum-espresso-data openfoam openfoam-examples)
tutorial=/usr/share/doc/openfoam-examples/examples/incompressible/icoFoam/cavity/cavity
export PATH="$venv/bin:$PATH"

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

install() { # install [--reinstall]: small images leave out documentation, and the tutorial is some
    say "installing ${packages[*]} (about 820 MB)"
    export DEBIAN_FRONTEND=noninteractive
    as_root apt-get update -qq || fail 4 "apt-get update failed. Check network and package sources."
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" \
        -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--path-include=/usr/share/doc/openfoam-examples/* \
        "${packages[@]}" >/dev/null ||
        fail 4 "apt-get install failed for: ${packages[*]}. Run it by hand to see why."
}

command -v apt-get >/dev/null ||
    fail 4 "this is no Debian: install Quantum ESPRESSO and OpenFOAM, then run: pytest -m apps tests/apps"
if ! dpkg-query -W "${packages[@]}" >/dev/null 2>&1; then
    install
elif [ ! -d "$tutorial" ]; then
    install --reinstall
fi
for program in pw.x icoFoam; do
    command -v "$program" >/dev/null || fail 4 "$program is missing although its package is installed."
done

say "tools on real programs (pytest -m apps tests/apps)"
mkdir -p "$top/build/test-logs"
"$venv/bin/python" -m pytest -m apps tests/apps 2>&1 | tee "$top/build/test-logs/apps.log" ||
    fail 1 "tests on real programs FAILED (see above; log in build/test-logs/apps.log)."
# A skipped test here is a failed installation.
if grep -qE '[0-9]+ skipped' "$top/build/test-logs/apps.log"; then
    fail 1 "some tests were skipped although their programs were installed (see above)."
fi
say "all tests on real programs passed"
