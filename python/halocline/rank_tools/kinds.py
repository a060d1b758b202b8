# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What is known of well-known tools: where they write, how they take a program or a process.

Each row says what the tool's own manual says. A tool that is not listed works too: what it and the
program print on its ranks goes to a file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

#: Replaced in every word, on each rank, by that rank's own file without its ending.
FILE = "{file}"


@dataclass(frozen=True)
class Kind:
    """How one tool is called."""

    names: tuple[str, ...]
    #: Options that name a file, as the user may have given them, and the words we add otherwise.
    own_output: tuple[str, ...] = ()
    output: Callable[[Sequence[str]], tuple[str, ...]] = lambda _words: ()
    #: What stands between its options and the program.
    before_program: tuple[str, ...] = ()
    #: Words that attach it to a process, which is appended; None: it has to start the program.
    attach: tuple[str, ...] | None = None
    #: Its first word is a verb, after which options are inserted.
    has_verb: bool = False
    #: It talks to its user, unless one of these words is there.
    quiet_words: tuple[str, ...] = ()
    is_debugger: bool = False

    def writes_itself(self, words: Sequence[str]) -> bool:
        """Whether the user has said where it writes."""
        return any(
            word == option or word.startswith((f"{option}=",) if len(option) > 2 else option)
            for word in words
            for option in self.own_output
        )


def _valgrind_output(words: Sequence[str]) -> tuple[str, ...]:
    tool = next((word.partition("=")[2] for word in words if word.startswith("--tool=")), "")
    has_file = tool in ("callgrind", "cachegrind", "massif", "dhat")
    data = (f"--{tool}-out-file={FILE}.{tool}",) if has_file else ()
    return (f"--log-file={FILE}.log", *data)


def _perf_output(words: Sequence[str]) -> tuple[str, ...]:
    return ("-o", f"{FILE}.data" if "record" in words[:1] else f"{FILE}.log")


def _log(option: str, ending: str = "log") -> Callable[[Sequence[str]], tuple[str, ...]]:
    return lambda _words: (option, f"{FILE}.{ending}")


def _nsys_output(_words: Sequence[str]) -> tuple[str, ...]:
    return ("--force-overwrite", "true", "-o", FILE)


def _ncu_output(_words: Sequence[str]) -> tuple[str, ...]:
    return ("-f", "-o", FILE)


KINDS = (
    Kind(
        ("valgrind",),
        own_output=("--log-file", "--log-fd", "--log-socket", "--xml-file"),
        output=_valgrind_output,
    ),
    Kind(
        ("gdb", "cuda-gdb", "rocgdb"),
        before_program=("--args",),
        attach=("-p",),
        quiet_words=("-batch", "--batch", "-batch-silent", "--batch-silent"),
        is_debugger=True,
    ),
    Kind(
        ("lldb",),
        before_program=("--",),
        attach=("-p",),
        quiet_words=("-b", "--batch"),
        is_debugger=True,
    ),
    Kind(
        ("strace", "ltrace"),
        own_output=("-o", "--output"),
        output=_log("-o"),
        attach=("-p",),
    ),
    Kind(
        ("perf",),
        own_output=("-o", "--output", "--log-fd"),
        output=_perf_output,
        attach=("-p",),
        has_verb=True,
    ),
    Kind(
        ("compute-sanitizer", "cuda-memcheck"),
        own_output=("--log-file",),
        output=_log("--log-file"),
    ),
    Kind(("nsys",), own_output=("-o", "--output"), output=_nsys_output, has_verb=True),
    Kind(("ncu",), own_output=("-o", "--export", "--log-file"), output=_ncu_output),
    Kind(
        ("vtune",),
        own_output=("-r", "-result-dir", "--result-dir"),
        output=_log("-r", "vtune"),
        before_program=("--",),
        attach=("-target-pid",),
    ),
    Kind(("heaptrack",), own_output=("-o", "--output"), output=_log("-o", "heaptrack")),
    Kind(("time",), own_output=("-o", "--output"), output=_log("-o")),
)
OTHER = Kind(())


def kind_of(program: str) -> Kind:
    """Return what is known of a tool by the name of its program."""
    name = Path(program).name
    return next((kind for kind in KINDS if name in kind.names), OTHER)
