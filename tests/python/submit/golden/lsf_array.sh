#!/bin/bash
#BSUB -J "rotor_37[1-12]%4"
#BSUB -n 8
#BSUB -R "span[ptile=4] affinity[core(2)] rusage[mem=65536MB]"
#BSUB -gpu "num=1"
#BSUB -W 25:30
#BSUB -wa 'USR1'
#BSUB -wt '10'
#BSUB -P lab-1
#BSUB -q long
#BSUB -x
#BSUB -Q "99"
#BSUB -o rotor_37.job.scheduler.log
#BSUB -L /bin/bash

# Written by halocline 0 for site lsf: each task is a job with a script of its own.
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
exec /bin/bash "${scripts[${LSB_JOBINDEX:?} - 1]}"
