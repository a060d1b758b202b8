# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The words that start the ranks inside a job: mpirun of Open MPI or MPICH, or srun."""

from __future__ import annotations

from markupsafe import Markup

from halocline.launch.cores import usable_cores
from halocline.launch.layout import Layout
from halocline.launch.mpi import THREAD_VARIABLES, launch_words
from halocline.submit.job import Job
from halocline.submit.program import brings_launcher
from halocline.submit.schedulers.scheduler import Scheduler

Words = list[str | Markup]


def launch_line(job: Job, scheduler: Scheduler) -> Words:
    """Return the words in front of the program; empty where it starts its ranks itself."""
    if starts_alone(job):
        return []
    if scheduler.name == "local":
        return list(_local_words(job))
    if job.launcher == "srun":
        return [*_srun_words(job), *_more(job)]
    if _family(job) == "mpich":
        return [*_mpich_words(job, scheduler), *_more(job)]
    return [*_openmpi_words(job, scheduler), *_more(job)]


def starts_alone(job: Job) -> bool:
    """Whether the program is started without a launcher, as one process."""
    return job.launcher == "none" or (job.launcher == "auto" and _needs_none(job))


def _needs_none(job: Job) -> bool:
    return brings_launcher(job.program.words) or (job.shape.ranks == 1 and not job.launcher_args)


def _family(job: Job) -> str:
    return job.site.launch.mpi or job.program.mpi_family or "openmpi"


def _more(job: Job) -> Words:
    launch, on_gpus = job.site.launch, job.shape.gpus_per_node > 0
    return [*launch.args, *(launch.gpu_args if on_gpus else launch.cpu_args), *job.launcher_args]


def _local_words(job: Job) -> list[str]:
    shape = job.shape
    crowded = shape.cores_per_node > usable_cores().cores
    layout = Layout(shape.ranks, shape.threads, oversubscribed=crowded)
    return launch_words(job.launcher, layout, job.program.mpi_family, job.launcher_args)


def _srun_words(job: Job) -> Words:
    """A rank that is lost ends the others after a minute, not at once.

    With --kill-on-bad-exit=1 the first rank that says 75 would have the others killed, and the
    code of a killed rank, 143, would be srun's.
    """
    shape, family = job.shape, _family(job)
    plugin = job.site.launch.srun_mpi or ("pmi2" if family == "mpich" else "pmix")
    words: Words = ["srun", f"--mpi={plugin}", f"--ntasks={shape.ranks}"]
    words += [f"--ntasks-per-node={shape.ranks_per_node}", f"--cpus-per-task={shape.threads}"]
    return [*words, f"--cpu-bind={_srun_binding(job)}", "--kill-on-bad-exit=0", "--wait=60"]


def _srun_binding(job: Job) -> str:
    return {"core": "cores", "socket": "sockets"}.get(job.site.launch.bind_to, "none")


def _openmpi_words(job: Job, scheduler: Scheduler) -> Words:
    launch = job.site.launch
    words: Words = [launch.mpirun or "mpirun"]
    if scheduler.hostfile is not None:
        words += ["-hostfile", scheduler.hostfile]
    words += ["-np", scheduler.ranks_word(job), *_placement(job)]
    agent = launch.agent or scheduler.agent
    if agent is not None:
        words += ["--mca", "plm_rsh_agent", agent]
    if launch.pml is not None:
        words += ["-mca", "pml", launch.pml]
    for name, value in network_variables(job).items():
        words += ["-x", f"{name}={value}"]
    for name in _forwarded(job):
        words += ["-x", name]
    return words


def _placement(job: Job) -> Words:
    """Ranks per host and binding; PE=T gives T cores to each rank."""
    launch, shape = job.site.launch, job.shape
    cores = f":PE={shape.threads}" if shape.threads > 1 else ""
    per_node = f"{shape.ranks_per_node}"
    bind: Words = ["--bind-to", launch.bind_to]
    if launch.map_by is None:
        return [*bind, "--map-by", f"ppr:{per_node}:node{cores}", *_rank_by(job)]
    by_replica = job.site.scheduler == "donau" and job.site.donau.replica == "rank"
    count: Words = [] if by_replica else ["-N", per_node]
    return [*count, *bind, "--map-by", f"{launch.map_by}{cores}", *_rank_by(job)]


def _rank_by(job: Job) -> Words:
    return ["--rank-by", job.site.launch.rank_by] if job.site.launch.rank_by else []


def _forwarded(job: Job) -> list[str]:
    """Variables that Open MPI sends to other hosts only when they are named."""
    names = [*THREAD_VARIABLES, *job.surroundings.environment, *job.site.launch.forward]
    if job.surroundings.modules:
        names += ["PATH", "LD_LIBRARY_PATH"]
    return [name for name in dict.fromkeys(names) if not name.startswith(("OMPI_", "PRTE_"))]


def network_variables(job: Job) -> dict[str, str]:
    """Return UCX's settings and, on GPUs, the preloaded library."""
    launch, on_gpus = job.site.launch, job.shape.gpus_per_node > 0
    values = {
        "UCX_NET_DEVICES": launch.net_devices,
        "UCX_TLS": launch.gpu_transports if on_gpus else launch.cpu_transports,
        "LD_PRELOAD": launch.gpu_preload if on_gpus else None,
    }
    return {name: value for name, value in values.items() if value is not None}


def _mpich_words(job: Job, scheduler: Scheduler) -> Words:
    """Hydra passes the whole environment on; binding is `-bind-to core:T`."""
    launch, shape = job.site.launch, job.shape
    words: Words = [launch.mpirun or "mpiexec"]
    if scheduler.hostfile is not None:
        words += ["-f", scheduler.hostfile]
    words += ["-n", scheduler.ranks_word(job), "-ppn", f"{shape.ranks_per_node}"]
    bind = launch.bind_to if launch.bind_to == "none" else f"{launch.bind_to}:{shape.threads}"
    words += ["-bind-to", bind]
    agent = launch.agent or scheduler.agent
    if agent is not None:
        words += ["-launcher", "ssh", "-launcher-exec", agent]
    for name, value in network_variables(job).items():
        words += ["-genv", name, value]
    return words
