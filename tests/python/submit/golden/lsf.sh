#!/bin/bash
#BSUB -J solver
#BSUB -n 4
#BSUB -R "span[ptile=2]"
#BSUB -o solver.job.scheduler.log
#BSUB -L /bin/bash

# Text in single quotes is data, nothing in it is meant to expand (SC2016); files of the site
# cannot be followed (SC1090, SC1091); traps reach functions that nothing else calls (SC2317).
# shellcheck disable=SC1090,SC1091,SC2016,SC2317
# Written by halocline 0 for site lsf: change the case or the site file, not this.
name=solver
title='./solver -i input file.dat'
work=/home/ada/runs
log=/home/ada/runs/solver.job.log
status=/home/ada/runs/solver.job.status
attempts=1
job_id="$LSB_JOBID"
# Tasks of an array have its number in common.
[ "${LSB_JOBINDEX:-0}" -eq 0 ] || job_id="${job_id}[$LSB_JOBINDEX]"

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

launch=(mpirun -hostfile "$LSB_DJOB_HOSTFILE" -np 4 --bind-to core --map-by ppr:2:node --mca plm_rsh_agent blaunch -x OMP_NUM_THREADS -x OMP_PROC_BIND -x OMP_PLACES)
program=(
    ./solver
    -i
    'input file.dat'
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
