#!/bin/bash
#DSUB --job_type cosched
#DSUB -n mgcfd_mpi_cuda
#DSUB -q gpu
#DSUB -R cpu=1;gpu=1
#DSUB -N 4
#DSUB -o out%J.log
#DSUB -e err%J.log

# Text in single quotes is data, nothing in it is meant to expand (SC2016); files of the site
# cannot be followed (SC1090, SC1091); traps reach functions that nothing else calls (SC2317).
# shellcheck disable=SC1090,SC1091,SC2016,SC2317
# Written by halocline 0 for site donau-kunpeng: change the case or the site file, not this.
name=mgcfd_mpi_cuda
title='mgcfd_mpi_cuda -gpudirect -i input.dat -m parmetis -r kway'
work=/home/ada/runs
log=/home/ada/runs/mgcfd_mpi_cuda.job.log
status=/home/ada/runs/mgcfd_mpi_cuda.job.status
attempts=1
job_id="$CCS_JOB_ID"

exec >>"$log" 2>&1

say() { printf 'halocline: %s\n' "$*"; }
note() { printf '%s %s %s %s\n' "$(date +%s)" "$job_id" "$1" "${2:-}" >>"$status"; }
fail() { # fail SENTENCE
    say "$1"
    exit 4
}

# A run that stopped early is counted by the note that it leaves.
touch -- "$status" || exit 4
attempt=$(($(grep -c ' requeued ' <"$status") + 1))
run_pid=
finish() {
    code=$?
    trap - EXIT
    note finished "$code"
    exit "$code"
}
trap finish EXIT
# Until the run has started there is nothing to save.
trap 'exit 143' TERM USR1

note started "$(uname -n)"
say "job $job_id ($name), attempt $attempt of $attempts, on $(uname -n): $title"
cd -- "$work" || fail "the folder of the run is not there: $work (is it on a file system that the hosts share?)"

# Donau writes one line per host: name cores tasks task_list. A broken file stops the job here,
# before ranks start in the wrong places.
hostfile=/home/ada/runs/mgcfd_mpi_cuda.job.hosts
read_allocation() { # read_allocation FILE: writes $hostfile, prints the number of tasks
    hosts=$hostfile awk '
        function stop(sentence) { print sentence > "/dev/stderr"; failed = 1; exit 1 }
        /^[ \t\r]*(#|$)/ { next }
        { sub(/\r$/, "") }
        NF < 3 { stop("line " NR " has " NF " fields, not: name cores tasks task_list") }
        $1 !~ /^[A-Za-z0-9][A-Za-z0-9._-]*$/ { stop("line " NR ": \"" $1 "\" is not a host name") }
        $2 !~ /^[1-9][0-9]*$/ { stop("line " NR ": \"" $2 "\" is not a number of cores") }
        $3 !~ /^[1-9][0-9]*$/ { stop("line " NR ": \"" $3 "\" is not a number of tasks") }
        $1 in seen { stop("line " NR " names host " $1 " again") }
        { seen[$1] = 1; count++; tasks += $3; lines = lines $1 " slots=" $2 "\n" }
        END {
            if (failed) exit 1
            if (!count) stop("it names no host")
            printf "%s", lines > ENVIRON["hosts"]
            print tasks
        }
    ' "$1"
}
[ -n "${CCS_ALLOC_FILE:-}" ] || fail "CCS_ALLOC_FILE is not set (not started by Donau?)."
[ -r "$CCS_ALLOC_FILE" ] || fail "the allocation file cannot be read: $CCS_ALLOC_FILE"
tasks=$(read_allocation "$CCS_ALLOC_FILE") || fail "the allocation file is broken (see above): $CCS_ALLOC_FILE"
[ "$tasks" -eq 4 ] || fail "Donau gave $tasks tasks, but the job asked for 4, one a host."
hosts=$(grep -c . "$hostfile")
[ "$hosts" -eq 4 ] || fail "Donau gave $hosts hosts, but the job asked for 4. Ask for whole hosts."
ranks=$((tasks * 1))
say "$ranks ranks on the hosts of $hostfile"

export OMP_NUM_THREADS=1
export OMP_PROC_BIND=close
export OMP_PLACES=cores

# A signal goes on to the run, which saves and stops; its exit code tells what it did.
forward() {
    signalled=yes
    say "signal $1: passed on to the run"
    note signal "$1"
    kill -s "$1" "$run_pid" 2>/dev/null
}
trap 'forward USR1' USR1
trap 'forward TERM' TERM

launch=(mpirun -hostfile "$hostfile" -np "$ranks" -N 1 --bind-to core --map-by socket --rank-by core --mca plm_rsh_agent /opt/batch/agent/tools/dstart -mca pml ucx -x UCX_NET_DEVICES=mlx5_0:1 -x 'UCX_TLS=self,sm,rc,cuda_copy' -x LD_PRELOAD=/usr/lib64/libgdrapi.so -x OMP_NUM_THREADS -x OMP_PROC_BIND -x OMP_PLACES)
program=(
    mgcfd_mpi_cuda
    -gpudirect
    -i
    input.dat
    -m
    parmetis
    -r
    kway
)

note running
"${launch[@]}" "${program[@]}" &
run_pid=$!
# A signal ends 'wait' early; 127 means that the exit code is known already.
code=127
while :; do
    signalled=no
    wait "$run_pid"
    ended=$?
    [ "$ended" -eq 127 ] || code=$ended
    [ "$signalled" = yes ] || break
done
note ended "$code"
say "the run ended with code $code"
exit "$code"
