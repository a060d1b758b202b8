# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Sourced by the other scripts: where we are, how messages look, the environment of MPI programs.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$top"
venv="$top/.venv"

say() { printf '%s\n' "halocline: $*"; }
fail() { # fail STATUS SENTENCE
    printf '%s\n' "halocline: $2" >&2
    exit "$1"
}
cores() { nproc 2>/dev/null || echo 1; }

# Jobs in the background do not hear Ctrl-C. Each is a group of processes, which ends with the script;
# the array `jobs` has their leaders.
jobs=()
in_background() { # in_background COMMAND...
    set -m
    "$@" &
    set +m
    jobs+=("$!")
    trap 'for job in "${jobs[@]}"; do kill -- "-$job" 2>/dev/null || true; done' EXIT
}

# Open MPI refuses to run as root unless told twice; root is what a container has.
if [ "$(id -u)" = 0 ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
# Open MPI 4 shares its map of the machine at an address that it believes to be free; now and then it is
# not, and a daemon dies of a segmentation fault in hwloc_shmem_topology_write before any rank starts.
export OMPI_MCA_rtc_hwloc_vmhole=none

# For tests, which start more ranks than there are cores, and start them often.
share_cores() {
    # Ranks that wait let others run: with two cores five ranks take 0.4 s so, and 15 s else.
    export OMPI_MCA_mpi_yield_when_idle=1
    # So do threads: the solvers' Python tests take 69 s of processor time so, and 126 s else.
    export OMP_WAIT_POLICY=passive
    # Open MPI looks for a network through UCX first, 0.2 s of every start, and takes ob1 where there is none.
    [ -e /sys/class/infiniband ] || export OMPI_MCA_pml=ob1
}
