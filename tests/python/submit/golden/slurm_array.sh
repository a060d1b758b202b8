#!/bin/bash
#SBATCH --job-name=rotor_37
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --cpus-per-task=2
#SBATCH --gpus-per-node=1
#SBATCH --mem=65536M
#SBATCH --time=1-01:30:00
#SBATCH --signal=B:USR1@600
#SBATCH --account=lab-1
#SBATCH --partition=long
#SBATCH --exclusive
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=rotor_37.job.scheduler.log
#SBATCH --constraint=ib
#SBATCH --mail-type=END
#SBATCH --array=1-12%4

# Written by halocline 0 for site slurm: each task is a job with a script of its own.
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
exec /bin/bash "${scripts[${SLURM_ARRAY_TASK_ID:?} - 1]}"
