#!/bin/bash
#PBS -N rotor_37
#PBS -l select=2:ncpus=8:mpiprocs=4:ompthreads=2:ngpus=1:mem=65536mb
#PBS -l place=scatter:excl
#PBS -l walltime=25:30:00
#PBS -A lab-1
#PBS -q long
#PBS -r n
#PBS -j oe
#PBS -o rotor_37.job.scheduler.log
#PBS -S /bin/bash
#PBS -V

# Text in single quotes is data, nothing in it is meant to expand (SC2016); files of the site
# cannot be followed (SC1090, SC1091); traps reach functions that nothing else calls (SC2317).
# shellcheck disable=SC1090,SC1091,SC2016,SC2317
# Written by halocline 0 for site pbs: change the case or the site file, not this.
name=rotor_37
title='./solver -i input file.dat'
work=/home/ada/runs
log=/home/ada/runs/rotor_37.job.log
status=/home/ada/runs/rotor_37.job.status
attempts=3
job_id="$PBS_JOBID"

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

if ! command -v module >/dev/null 2>&1; then
    for init in /etc/profile.d/modules.sh /etc/profile.d/lmod.sh /usr/share/modules/init/bash; do
        if [ -r "$init" ]; then
            source "$init"
            break
        fi
    done
fi
command -v module >/dev/null 2>&1 || fail "this host has no command 'module'. Name the file that defines it in the site file (module_init)."
module use '/opt/modules of the lab' || fail 'module use /opt/modules of the lab failed.'
module purge
module load gcc/12 || fail 'module load gcc/12 failed.'
module load openmpi/4.1 || fail 'module load openmpi/4.1 failed.'

export OMP_NUM_THREADS=2
export OMP_PROC_BIND=close
export OMP_PLACES=cores
export OMP_STACKSIZE=64M
export TITLE='Rotor 37'"'"'s $(hub)'

# The user's own lines.
{
ulimit -s unlimited
mkdir -p results
} || fail "the commands of 'before' failed (code $?)."

# A signal goes on to the run, which saves and stops; its exit code tells what it did.
forward() {
    signalled=yes
    say "signal $1: passed on to the run"
    note signal "$1"
    kill -s "$1" "$run_pid" 2>/dev/null
}
trap 'forward USR1' USR1
trap 'forward TERM' TERM

# A timer waits at a pipe that this script alone holds open: with the script it ends too, however
# the script ended.
timers=
start_timer() { # start_timer SECONDS SIGNAL: sends the signal to this script
    local timer
    exec {timer}> >(
        trap - EXIT
        runs_out "$1" || exit
        [ "$2" != TERM ] || note limit "$1"
        kill -s "$2" "$$"
        [ "$2" = TERM ] || exit
        runs_out 30 && kill -s KILL "$run_pid" 2>/dev/null
    )
    timers="$timers $timer"
}
runs_out() { # runs_out SECONDS: whether they passed before the pipe was closed
    read -r -t "$1"
    [ "$?" -gt 128 ]
}

launch=(mpirun -hostfile "$PBS_NODEFILE" -np 8 --bind-to core --map-by ppr:4:node:PE=2 -x OMP_NUM_THREADS -x OMP_PROC_BIND -x OMP_PLACES -x OMP_STACKSIZE -x TITLE -x PATH -x LD_LIBRARY_PATH)
program=(
    ./solver
    -i
    'input file.dat'
)

note running
"${launch[@]}" "${program[@]}" &
run_pid=$!
start_timer 91200 USR1
# A signal ends 'wait' early; 127 means that the exit code is known already.
code=127
while :; do
    signalled=no
    wait "$run_pid"
    ended=$?
    [ "$ended" -eq 127 ] || code=$ended
    [ "$signalled" = yes ] || break
done
for timer in $timers; do exec {timer}>&-; done
note ended "$code"
say "the run ended with code $code"

# The user's own lines; $code is the run's exit code.
{
echo "the run gave $code"
}

# 75: stopped early with a checkpoint, so another attempt goes on from there.
if [ "$code" -eq 75 ] && [ "$attempt" -lt "$attempts" ]; then
    cd -- /home/ada/runs || exit 75
    script=/home/ada/runs/rotor_37.job.sh
    note requeued
    if again=$(qsub "$script"); then
        note resubmitted "$again"
        trap - EXIT
        exit 75
    fi
    say "this host may not submit jobs (qsub failed). Submit $script again by hand."
fi
exit "$code"
