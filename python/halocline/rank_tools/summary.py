# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What each tool found, in a line a rank, out of its own file."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from glob import escape
from pathlib import Path

from halocline import __version__
from halocline.rank_tools.report import RankRow, ToolReport, ToolRows
from halocline.rank_tools.tool import Tool
from halocline.wording import bytes_words, counted

REPORT_NAME = "with.json"
#: A tool may print much; the end has its sum, in every tool that is read here.
READ_BYTES = 1 << 20
SHOWN = 100
UNKNOWN_INSTRUCTION = (
    "valgrind does not know an instruction of the program; build it for an older processor"
)
FAULTS = "Invalid|Conditional|Use of|Mismatched|Syscall|Source and|Process terminating"
Reader = Callable[[str], str]


def summarised(
    folder: Path, command: Sequence[str], tools: Sequence[Tool], exit_code: int | None
) -> ToolReport:
    """Return what tools left in `folder`."""
    rows = [
        ToolRows(
            name=tool.name, words=list(tool.words), ranks=tool.ranks.text, rows=_rows(folder, tool)
        )
        for tool in tools
    ]
    return ToolReport(
        schema_name="halocline.with",
        schema_version=1,
        code_version=__version__,
        command=list(command),
        exit_code=exit_code,
        folder=str(folder),
        tools=rows,
    )


def _rows(folder: Path, tool: Tool) -> list[RankRow]:
    found = []
    for started in folder.glob(f"{escape(tool.name)}.*.started"):
        number = started.name.removeprefix(f"{tool.name}.").removesuffix(".started")
        if number.isdecimal():
            found.append(_row(folder, tool, int(number), started))
    return sorted(found, key=lambda row: row.rank)


def _row(folder: Path, tool: Tool, rank: int, started: Path) -> RankRow:
    host, _, pid = started.read_text(errors="replace").strip().rpartition(" ")
    start = f"{tool.name}.{rank}."
    names = sorted(file.name for file in folder.iterdir() if file.name.startswith(start))
    files = [name for name in names if not name.endswith(".started")]
    log = folder / f"{start}log"
    text = _end_of(log) if log.is_file() else ""
    said = reader_of(tool)(text) if text.strip() else ""
    if tool.wants_terminal:
        said = "shown in the terminal"
    if not said and files:
        said = ", ".join(
            f"{name} ({bytes_words((folder / name).stat().st_size)})" for name in files
        )
    return RankRow(
        rank=rank, host=host, pid=int(pid) if pid.isdecimal() else 0, files=files, said=said
    )


def _end_of(file: Path) -> str:
    with file.open("rb") as opened:
        opened.seek(max(0, file.stat().st_size - READ_BYTES))
        return opened.read().decode("utf-8", "replace")


def reader_of(tool: Tool) -> Reader:
    """Return what makes a line of the output of a tool."""
    return READERS.get(Path(tool.program).name, last_line)


def last_line(text: str) -> str:
    """Return the last line that says anything."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:SHOWN] if lines else ""


def _valgrind(text: str) -> str:
    """Errors and lost memory of the last process; other tools of valgrind end with their sum."""
    clean = re.sub(r"^[=-]=\d+[=-]= ?", "", text, flags=re.MULTILINE)
    errors = re.findall(r"ERROR SUMMARY: ([\d,]+) errors? from ([\d,]+)", clean)
    if not errors:
        return last_line(clean)
    count, contexts = (int(value.replace(",", "")) for value in errors[-1])
    said = f"{counted(count, 'error')} in {counted(contexts, 'place')}" if count else "no error"
    lost = re.findall(r"definitely lost: ([\d,]+) bytes", clean)
    if lost and lost[-1] != "0":
        said += f", {lost[-1]} bytes definitely lost"
    said = f"{said}; {_first_fault(clean)}" if count else said
    ended = re.findall(r"Process terminating with default action of signal \d+ \((\w+)\)", clean)
    if ended and "unhandled instruction" in clean:
        return f"ended by {ended[-1]}: {UNKNOWN_INSTRUCTION}"
    return f"ended by {ended[-1]}, {said}" if ended else said


def _first_fault(clean: str) -> str:
    """The first invalid access, else the first error, with its first line of source."""
    errors = re.findall(f"^(?:{FAULTS}).*(?:\\n {{3,}}(?:at|by) .*)*", clean, re.MULTILINE)
    chosen = next((error for error in errors if error.startswith("Invalid")), (errors or [""])[0])
    place = re.search(r"(\w+ \([^()]+:\d+\))", chosen) or re.search(r"at 0x\w+: (\w+)", chosen)
    where = f" at {place[1]}" if place else ""
    return f"first: {chosen.splitlines()[0].strip()}{where}" if chosen else ""


def _sanitizer(text: str) -> str:
    errors = re.findall(r"ERROR SUMMARY: (\d+) error", text)
    return counted(int(errors[-1]), "error") if errors else last_line(text)


def _strace(text: str) -> str:
    """The costliest call of `strace -c`, else how many lines there are and the last one."""
    table = re.search(r"^ *([\d.]+) +([\d.]+) +\d+ +(\d+) +(?:\d+ +)?(\w+)$", text, re.MULTILINE)
    if table:
        return f"most time in {table[4]}: {table[1]} %, {table[2]} s, {table[3]} calls"
    lines = text.count("\n")
    ended = last_line(text).strip("+ ")
    return f"{counted(lines, 'line')}, {ended}"


def _perf(text: str) -> str:
    elapsed = re.search(r"([\d.,]+) seconds time elapsed", text)
    clock = re.search(r"([\d.,]+) +(?:msec )?task-clock", text)
    parts = [f"{elapsed[1]} s elapsed"] if elapsed else []
    parts += [f"task-clock {clock[1]} ms"] if clock else []
    return ", ".join(parts) or last_line(text)


def _debugger(text: str) -> str:
    """The signal and the innermost place, else how the program ended."""
    signal = re.search(r"received signal (\w+), ([^\n]+)", text)
    if signal:
        place = re.search(r"^#0 +(?:0x\w+ in )?([^\n]+)", text, re.MULTILINE)
        where = f" at {place[1].strip()}" if place else ""
        return f"{signal[1]}, {signal[2].strip().rstrip('.')}{where}"
    ended = re.findall(r"\[Inferior \d+ \(process \d+\) ([^\]]+)\]", text)
    if ended and ended[-1] != "detached":
        return str(ended[-1])
    return _place(text) or last_line(text)


def _place(text: str) -> str:
    """Where the first thread is, which comes last: the innermost function, and that of a source."""
    _, _, thread = text.rpartition("\n#0 ")
    frames = re.findall(r"^(?:#\d+ +)?(?:0x\w+ in )?(\S+) \(.*", thread.lstrip(), re.MULTILINE)
    source = re.search(r"(\S+) \([^\n]*\) at ([^\n]+)", thread)
    if not thread or not frames:
        return ""
    return f"in {frames[0]}" + (f", {source[1]} at {source[2]}" if source else "")


READERS: dict[str, Reader] = {
    "valgrind": _valgrind,
    "compute-sanitizer": _sanitizer,
    "cuda-memcheck": _sanitizer,
    "strace": _strace,
    "perf": _perf,
    "gdb": _debugger,
    "cuda-gdb": _debugger,
    "rocgdb": _debugger,
}
