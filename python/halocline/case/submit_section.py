# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The table [submit] of a case and [defaults] of a site: what a batch job asks for."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from halocline.units import duration_s, memory_mib

SchedulerName = Literal["slurm", "donau", "pbs", "lsf", "local"]
JobLauncher = Literal["auto", "mpirun", "srun", "none"]


def _one_line(text: str) -> str:
    if any(ord(character) < 0x20 or ord(character) == 0x7F for character in text):
        raise ValueError("no line break or control character may stand in it")
    return text


def _no_nul(text: str) -> str:
    if "\0" in text:
        raise ValueError("no NUL character may stand in it")
    return text


def _duration(text: str) -> str:
    duration_s(text)
    return text


def _memory(text: str) -> str:
    memory_mib(text)
    return text


# Account and queue stand in scheduler directives, where nothing can be quoted.
PlainName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.:@+-]*$", max_length=128)]
VariableName = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
Text = Annotated[str, AfterValidator(_no_nul)]
Line = Annotated[str, AfterValidator(_one_line)]
Duration = Annotated[str, AfterValidator(_duration)]
Memory = Annotated[str, AfterValidator(_memory)]
Count = Annotated[int, Field(ge=1)]


class SubmitSection(BaseModel):
    """What a job asks for; a key that is not given is filled by the site file, then by us."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    scheduler: SchedulerName | None = Field(None, description="who runs the job")
    site: Line | None = Field(None, description="name of a site, or path of a site file")
    name: Line | None = Field(None, description="name in the queue")
    nodes: Count | None = Field(None, description="hosts")
    ranks_per_node: Count | None = Field(None, description="MPI ranks on each host")
    threads: Count | None = Field(None, description="threads of each rank")
    gpus_per_node: Annotated[int, Field(ge=0)] | None = Field(None, description="GPUs per host")
    memory: Memory | None = Field(None, description='memory of each host, e.g. "64G"')
    time: Duration | None = Field(None, description='time limit, e.g. "2h" or "01:30:00"')
    notice: Duration | None = Field(
        None, description="how long before the time limit the run gets its signal"
    )
    signal: Literal["USR1", "USR2", "TERM", "none"] | None = Field(
        None, description="what the run gets before the time limit"
    )
    requeue: Annotated[int, Field(ge=0)] | None = Field(
        None, description="how often a run that stopped early (75) goes back into the queue"
    )
    account: PlainName | None = Field(None, description="who pays")
    queue: PlainName | None = Field(None, description="queue or partition")
    exclusive: bool | None = Field(None, description="share hosts with nobody")
    launcher: JobLauncher | None = Field(None, description="what starts the ranks")
    launcher_args: list[Text] = Field(default_factory=list, description="more of its words")
    module_paths: list[Text] = Field(default_factory=list, description="for module use")
    module_purge: bool | None = Field(None, description="start with module purge")
    modules: list[Text] = Field(default_factory=list, description="for module load")
    environment: dict[VariableName, Text] = Field(
        default_factory=dict, description="variables; values are data, nothing is expanded"
    )
    before: list[Text] = Field(default_factory=list, description="shell lines before the run")
    after: list[Text] = Field(default_factory=list, description="shell lines after the run")
    directives: list[Line] = Field(
        default_factory=list, description="more words for the scheduler, one directive an entry"
    )
