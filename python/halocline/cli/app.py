# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Entry point of the `halocline` command: finds the verb, loads only its file, reports errors."""

from __future__ import annotations

import atexit
import functools
import gc
import importlib
import io
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from halocline import __version__
from halocline.cli.problems import examples, exit_code_of
from halocline.cli.streams import guard_streams
from halocline.errors import UsageError, suggestion
from halocline.terminal import say

PROGRAM = "halocline"
COMPLETION_VARIABLE = "_HALOCLINE_COMPLETE"
# Loading modules makes some hundred thousand objects, none of them garbage; Python looks for some
# after every 700.
OBJECTS_BETWEEN_COLLECTIONS = 50_000


@dataclass(frozen=True)
class Verb:
    """Where a verb lives, what the list of verbs says about it, and under which heading."""

    module: str
    summary: str
    heading: str


CASES = "Meshes and cases"
PROGRAMS = "Any MPI program"
MACHINE = "The machine"
VERBS = {
    "mesh": Verb("halocline.cli.mesh", "Make, import, inspect, check and divide meshes.", CASES),
    "run": Verb("halocline.cli.run", "Run a case file on the cores of this machine.", CASES),
    "submit": Verb("halocline.cli.submit", "Submit a case or command to a batch scheduler.", CASES),
    "compare": Verb(
        "halocline.cli.compare", "Compare result files or folders, number by number.", CASES
    ),
    "plot": Verb(
        "halocline.cli.plot",
        "Draw fields on a mesh, movies, series, or loop shares of a run.",
        CASES,
    ),
    "forecast": Verb(
        "halocline.cli.forecast",
        "Predict time, efficiency and memory on thousands of ranks.",
        CASES,
    ),
    "snapshot": Verb(
        "halocline.cli.snapshot", "Record a run and show where its time goes.", PROGRAMS
    ),
    "study": Verb(
        "halocline.cli.study",
        "Run it at many settings until differences are significant.",
        PROGRAMS,
    ),
    "tune": Verb(
        "halocline.cli.tune", "Find MPI settings that make it faster, and prove it.", PROGRAMS
    ),
    "endpoints": Verb(
        "halocline.cli.endpoints", "Run it with long collectives split over threads.", PROGRAMS
    ),
    "with": Verb("halocline.cli.with_tools", "Run it with a tool on chosen ranks.", PROGRAMS),
    "report": Verb(
        "halocline.cli.report",
        "Make before/after tables of records, snapshots and studies.",
        PROGRAMS,
    ),
    "p2p": Verb("halocline.cli.p2p", "Measure transfers between ranks, by every path.", MACHINE),
    "cores": Verb(
        "halocline.cli.cores", "Measure what busy cores of a host do to each other.", MACHINE
    ),
    "halo": Verb(
        "halocline.cli.halo", "Measure halo exchanges of fields, by every scheme.", MACHINE
    ),
    "doctor": Verb(
        "halocline.cli.doctor", "Show what this machine has and lacks, and how to get it.", MACHINE
    ),
}
EXAMPLES = examples(
    "halocline mesh make rotor37 --nodes 250000 --levels 4 -o mesh",
    "halocline run case.toml --set solver.cycles=50",
    "halocline plot output -o rotor37.png",
    "halocline snapshot -- mpirun -n 4 ./app case.in",
    "halocline doctor",
)


def build_app(verb: str | None = None) -> typer.Typer:
    """Build the command line with one verb loaded, or with all of them when `verb` is None.

    Verbs that are not loaded are only listed, so that starting costs what one verb costs.
    """
    app = typer.Typer(
        name=PROGRAM,
        no_args_is_help=True,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(epilog=EXAMPLES)(_root)
    for name, entry in VERBS.items():
        if verb is None or verb == name:
            _add_verb(app, name, entry)
        else:
            app.command(name, help=entry.summary, rich_help_panel=entry.heading)(_listed_only)
    return app


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    atexit.register(gc.freeze)  # nor need it look before it ends
    guard_streams()
    given = list(sys.argv[1:] if arguments is None else arguments)
    _print_in_any_encoding()
    sys.exit(exit_code_of(lambda: _invoke(given)))


def _print_in_any_encoding() -> None:
    """Print a question mark for what a terminal of another encoding than UTF-8 cannot show."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _invoke(arguments: list[str]) -> object:
    command = _command_of(_find_verb(arguments))
    return command(args=arguments, prog_name=PROGRAM, standalone_mode=False)


@functools.cache
def _command_of(verb: str | None) -> Callable[..., object]:
    """Return the command line of one verb; who calls `main` again finds it as it was made."""
    return typer.main.get_command(build_app(verb))


def _find_verb(arguments: list[str]) -> str | None:
    """Return the verb of a command line; "" when there is none, as for `--help`.

    The shell asks for completions through the environment: then any verb may be meant (None).
    """
    if COMPLETION_VARIABLE in os.environ:
        return None
    words = [word for word in arguments if not word.startswith("-")]
    if not arguments or not words or arguments[0].startswith("-"):
        return ""
    if words[0] not in VERBS:
        hint = suggestion(words[0], VERBS)
        raise UsageError(f"{PROGRAM}: no verb '{words[0]}'. {hint} (List: {PROGRAM} --help.)")
    return words[0]


def _add_verb(app: typer.Typer, name: str, entry: Verb) -> None:
    """Load a verb: a module with an `app` has verbs of its own, else its `command` is the verb."""
    module = importlib.import_module(entry.module)
    if hasattr(module, "app"):
        app.add_typer(module.app, name=name, help=entry.summary, rich_help_panel=entry.heading)
    else:
        app.command(name, epilog=module.EXAMPLES, rich_help_panel=entry.heading)(module.command)


def _listed_only() -> None:
    """Stands for a verb in the list of verbs; `_find_verb` makes sure that it never runs."""
    raise AssertionError("a verb ran without being loaded")


def _print_version(wanted: bool) -> None:
    if wanted:
        say(f"{PROGRAM} {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print version."),
    ] = False,
) -> None:
    """Unstructured-mesh CFD on cores, clusters and GPUs, and tools for any MPI program."""
