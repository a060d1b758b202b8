#!/bin/bash
#DSUB --job_type cosched
#DSUB -n rotor_37
#DSUB -A lab-1
#DSUB -q long
#DSUB -R cpu=8;mem=65536;gpu=1
#DSUB -N 2
#DSUB -o out%J.log
#DSUB -e err%J.log

# Text in single quotes is data, nothing in it is meant to expand (SC2016); files of the site
# cannot be followed (SC1090, SC1091); traps reach functions that nothing else calls (SC2317).
# shellcheck disable=SC1090,SC1091,SC2016,SC2317
# Written by halocline 0 for site donau: change the case or the site file, not this.
name=rotor_37
title='./solver -i input file.dat'
work=/home/ada/runs
log=/home/ada/runs/rotor_37.job.log
status=/home/ada/runs/rotor_37.job.status
attempts=3
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
hostfile=/home/ada/runs/rotor_37.job.hosts
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
[ "$tasks" -eq 2 ] || fail "Donau gave $tasks tasks, but the job asked for 2, one a host."
hosts=$(grep -c . "$hostfile")
[ "$hosts" -eq 2 ] || fail "Donau gave $hosts hosts, but the job asked for 2. Ask for whole hosts."
ranks=$((tasks * 4))
say "$ranks ranks on the hosts of $hostfile"

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

launch=(mpirun -hostfile "$hostfile" -np "$ranks" -N 4 --bind-to core --map-by socket:PE=2 --rank-by core --mca plm_rsh_agent /opt/batch/agent/tools/dstart -x OMP_NUM_THREADS -x OMP_PROC_BIND -x OMP_PLACES -x OMP_STACKSIZE -x TITLE -x PATH -x LD_LIBRARY_PATH)
program=(
    ./solver
    -i
    'input file.dat'
)

note running
"${launch[@]}" "${program[@]}" &
run_pid=$!
start_timer 91200 USR1
start_timer 91800 TERM
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
    if again=$(dsub -s "$script"); then
        note resubmitted "$(printf '%s\n' "$again" | grep -oE '[0-9]+' | head -n 1)"
        trap - EXIT
        exit 75
    fi
    say "this host may not submit jobs (dsub failed). Submit $script again by hand."
fi
exit "$code"
