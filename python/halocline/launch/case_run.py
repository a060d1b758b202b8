# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Plans and executes the run of one case: mesh if missing, launch, record completed."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from halocline.case.model import Case
from halocline.case.resolve import RESOLVED_NAME, case_hash, resolved_case, write_resolved
from halocline.errors import ExitCode, HaloclineError, InvalidInputError, RunFailedError
from halocline.files.lock import Place, locked, require_free
from halocline.launch.cores import usable_cores
from halocline.launch.layout import Layout, choose_layout
from halocline.launch.mesh_recipe import MeshJob, mesh_job
from halocline.launch.mpi import THREAD_VARIABLES, launch_words
from halocline.launch.mpi_library import mpi_family
from halocline.launch.ourselves import own_arguments
from halocline.launch.pictures import drawn_beside
from halocline.launch.process import run_foreground, table_exit_code
from halocline.launch.programs import require_program
from halocline.launch.solve import PROGRAM, solve_words
from halocline.record.model import Case as RecordCase
from halocline.record.model import Record
from halocline.record.store import RECORD_NAME, read_record, write_record
from halocline.terminal import note

RESTART_KEY = "checkpoint.restart="
#: Runs words with further variables, its output to stderr or not; returns the exit code.
Starter = Callable[[Sequence[str], dict[str, str], bool], int]


@dataclass(frozen=True)
class RunPlan:
    """All that a run will do, decided before anything is done."""

    case: Case
    case_file: Path
    layout: Layout
    mesh: MeshJob | None
    command: list[str]
    environment: dict[str, str]
    output_folder: Path
    record_file: Path
    settings: tuple[str, ...] = ()
    start: Starter = run_foreground

    def shell_lines(self) -> list[str]:
        """The commands as one could type them."""
        settings = " ".join(f"{name}={value}" for name, value in self.environment.items())
        lines = [shlex.join(self.mesh.command)] if self.mesh else []
        return [*lines, f"{settings} {shlex.join(self.command)}"]


def plan_run(case: Case, case_file: Path, settings: Sequence[str]) -> RunPlan:
    """Decide layout and commands of a case; look at the machine, change nothing.

    Args:
        case: what `case_file` says after `settings`.
        case_file: the program reads it again, by the same schema.
        settings: what `--set` said, passed on as it is.
    """
    base = case_file.resolve().parent
    output_folder = base / case.output.directory
    record_file = output_folder / f"{case.output.prefix}{RECORD_NAME}"
    mesh = mesh_job(case, base, str(case_file))
    layout = choose_layout(case.parallel, usable_cores())
    program = require_program(PROGRAM)
    family = mpi_family(program)
    launcher = launch_words(case.parallel.launcher, layout, family, case.parallel.launcher_args)
    words = solve_words(case_file, settings, layout.threads)
    return RunPlan(
        case=resolved_case(case, layout.ranks, layout.threads),
        case_file=case_file,
        layout=layout,
        mesh=mesh,
        command=[*launcher, str(program), *words],
        environment=_environment(layout),
        output_folder=output_folder,
        record_file=record_file,
        settings=tuple(settings),
    )


def _environment(layout: Layout) -> dict[str, str]:
    """OpenMP settings: threads stay on the cores that the launcher gave their rank."""
    bound = "false" if layout.oversubscribed else "close"
    values = (str(layout.threads), bound, "cores")
    return dict(zip(THREAD_VARIABLES, values, strict=True))


def execute(plan: RunPlan, output_to_stderr: bool = False) -> Record:
    """Run a plan; return the record. Raises with the program's exit code when it fails."""
    if plan.mesh is not None:
        make_mesh(plan.mesh, output_to_stderr)
    with _output_folder(plan):
        return _run(plan, output_to_stderr)


def _run(plan: RunPlan, output_to_stderr: bool) -> Record:
    note(f"{PROGRAM} on {plan.layout}")
    base, begun = plan.case_file.resolve().parent, plan.output_folder / RESOLVED_NAME
    record = None
    with drawn_beside(plan.case, base, begun) as end_of_pictures:
        code = plan.start(plan.command, plan.environment, output_to_stderr)
        if plan.record_file.is_file():
            record = _record_of(plan, code)
        if record is not None and record.status.state == "stopped":
            code = int(ExitCode.STOPPED_EARLY)  # mpirun, stopped by the same signal, says another
        end_of_pictures(code)
    if code == ExitCode.STOPPED_EARLY:
        raise _stopped(plan)
    if code != 0:
        raise _failure(plan, code)
    if record is None:
        raise RunFailedError(f"{PROGRAM} ended well but left no {plan.record_file}. Report this.")
    return record


def make_mesh(job: MeshJob, output_to_stderr: bool = False) -> None:
    """Make a case's mesh and leave its recipe beside it.

    Several runs may want one mesh: the first makes it, the others wait.
    """
    with locked(Place(job.folder, "recipe", what=f"the mesh in {job.folder}"), wait=True):
        if job.is_made():
            return
        note(f"making the mesh: {shlex.join(own_arguments(job.command))}")
        code = run_foreground(job.command, {}, output_to_stderr)
        if code != 0:
            raise RunFailedError("the mesh was not made; see above.", table_exit_code(code))
        job.write_stamp()


@contextmanager
def _output_folder(plan: RunPlan) -> Iterator[None]:
    """Keep other runs out of the output folder, and prepare it.

    The program has a lock of its own while it runs. Ours also covers what is done before and after.
    """
    prefix, what = plan.case.output.prefix, f"results to {plan.output_folder}"
    with ExitStack() as held:
        try:
            held.enter_context(locked(Place(plan.output_folder, "run", prefix, what)))
            require_free(Place(plan.output_folder, "", prefix, what))
            plan.record_file.unlink(missing_ok=True)  # an old record must not pass for this run's
        except OSError as error:
            raise _unusable(plan, error) from None
        write_resolved(plan.case, plan.output_folder, plan.case_file)
        yield


def _unusable(plan: RunPlan, error: OSError) -> InvalidInputError:
    return InvalidInputError(
        f"{plan.case_file}: key 'output.directory': cannot write to {plan.output_folder} "
        f"({error.strerror}). Choose another folder."
    )


def _record_of(plan: RunPlan, code: int) -> Record | None:
    """Return the completed record; a failed program may have left half a one."""
    try:
        return complete_record(plan.case, plan.case_file, plan.record_file)
    except HaloclineError:
        if code == 0:
            raise
        return None


def _stopped(plan: RunPlan) -> RunFailedError:
    """A run that stopped early has left a checkpoint: say how to go on."""
    again = [setting for setting in plan.settings if not setting.startswith(RESTART_KEY)]
    words = ["halocline", "run", str(plan.case_file)]
    for setting in again:
        words += ["--set", setting]
    sentence = f"stopped early. Go on with: {shlex.join([*words, '--restart', 'auto'])}"
    return RunFailedError(sentence, ExitCode.STOPPED_EARLY)


def _failure(plan: RunPlan, raw_code: int) -> RunFailedError:
    """A code of the table comes with the program's own sentence; any other needs a hint."""
    code = table_exit_code(raw_code)
    if code == raw_code:
        record = f" and {plan.record_file}" if plan.record_file.is_file() else ""
        return RunFailedError(f"{PROGRAM} stopped with exit code {code}; see above{record}.", code)
    how = "killed, interrupted or never started"
    sentence = f"{PROGRAM} or its launcher ended with code {raw_code} ({how})."
    if "--quiet" in plan.command:
        shown = shlex.join(word for word in plan.command if word != "--quiet")
        sentence += f" See the launcher's own words with: {shown}"
    return RunFailedError(sentence, code)


def complete_record(case: Case, case_file: Path, record_file: Path) -> Record:
    """Add what only the launcher knows: the case file and its hash."""
    record = read_record(record_file)
    origin = RecordCase(file=str(case_file), hash=case_hash(case))
    record = record.changed(case=origin)
    write_record(record, record_file)
    return record
