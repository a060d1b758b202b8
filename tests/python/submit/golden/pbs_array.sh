#!/bin/bash
#PBS -N rotor_37
#PBS -l select=2:ncpus=8:mpiprocs=4:ompthreads=2:ngpus=1:mem=65536mb
#PBS -l place=scatter:excl
#PBS -l walltime=25:30:00
#PBS -A lab-1
#PBS -q long
#PBS -r y
#PBS -j oe
#PBS -o rotor_37.job.scheduler.log
#PBS -S /bin/bash
#PBS -V
#PBS -J 1-12%4

# Written by halocline 0 for site pbs: each task is a job with a script of its own.
scripts=(
    '/home/ada/runs/the 1. job/solver.job.sh'
    '/home/ada/runs/the 2. job/solver.job.sh'
    '/home/ada/runs/the 3. job/solver.job.sh'
    '/home/ada/runs/the 4. job/solver.job.sh'
    '/home/ada/runs/the 5. job/solver.job.sh'
    '/home/ada/runs/the 6. job/solver.job.sh'
    '/home/ada/runs/the 7. job/solver.job.sh'
    '/home/ada/runs/the 8. job/solver.job.sh'
    '/home/ada/runs/the 9. job/solver.job.sh'
    '/home/ada/runs/the 10. job/solver.job.sh'
    '/home/ada/runs/the 11. job/solver.job.sh'
    '/home/ada/runs/the 12. job/solver.job.sh'
)
exec /bin/bash "${scripts[${PBS_ARRAY_INDEX:?} - 1]}"
