# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The script that stands before the program on every rank, and starts a tool on chosen ones.

It is plain sh: ranks of any host can run it, and it takes a millisecond where Python takes fifty.
It becomes the tool or the program (`exec`): signals and exit codes pass as if it were not there.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

from halocline import __version__
from halocline.rank_tools.numbering import Numbering
from halocline.rank_tools.rank_set import Count, RankSet
from halocline.rank_tools.tool import PLACEHOLDERS, Tool

PLACEHOLDER = re.compile("|".join(re.escape(name) for name in PLACEHOLDERS))
START = """\
#!/bin/sh
# Written by halocline {version}: starts the program, on chosen ranks under a tool (docs/with.md).
rank={rank}
local={local}
size={size}
pid=$$
folder={folder}

fail() { # fail SENTENCE CODE
    printf 'halocline: %s\\n' "$1" >&2
    exit "$2"
}
# Numbers that no launcher gave would be taken for rank 0 by every process.
case $rank in
'' | *[!0-9]*) fail "no launcher gave this process a rank ({variables}). Use mpirun or srun." 2 ;;
esac
"""


def rank_script(
    tools: Sequence[Tool],
    numbering: Numbering,
    folder: Path,
    terminal: Sequence[str] = (),
) -> str:
    """Return the text of the script.

    Args:
        tools: the first is the outermost where a rank has several.
        numbering: where the launcher writes a rank's number.
        folder: for files of tools; absolute, seen by all hosts.
        terminal: words before a tool that talks to its user.
    """
    largest = max(
        (tool.ranks.largest for tool in tools if tool.ranks.count is Count.GLOBAL), default=-1
    )
    parts = [_start(numbering, folder)]
    if largest >= 0:
        parts.append(_refuse_beyond(largest))
    parts.append("printed=\n")
    parts += [_tool_part(tool, terminal) for tool in reversed(tools)]
    parts.append('[ -z "$printed" ] || exec >"$printed" 2>&1\nexec "$@"\n')
    return "\n".join(parts)


def _start(numbering: Numbering, folder: Path) -> str:
    values = {
        "version": __version__,
        "rank": _first_set(numbering.rank, "0"),
        "local": _first_set(numbering.local, "0", last="$rank"),
        "size": _first_set(numbering.size, "1", last=""),
        "folder": shlex.quote(str(folder)),
        "variables": ", ".join(numbering.rank),
    }
    return re.sub(r"\{(\w+)\}", lambda found: values.get(found[1], found[0]), START)


def _first_set(variables: Sequence[str], alone: str, last: str = "") -> str:
    """Return the first variable that is set; `last` where none is, `alone` where none can be."""
    if not variables:
        return alone
    text = last
    for name in reversed(variables):
        text = f"${{{name}:-{text}}}"
    return text


def _refuse_beyond(largest: int) -> str:
    """All ranks end; the first says why. A job of which a rank is missing would wait for ever."""
    return (
        f'if [ -n "$size" ] && [ "$size" -le {largest} ]; then\n'
        '    [ "$rank" -eq 0 ] || exit 2\n'
        f'    fail "a tool is meant for rank {largest}, but the job has $size (from 0 on). '
        'Correct --tool." 2\n'
        "fi\n"
    )


def condition(ranks: RankSet) -> str:
    """Return what is true, as a condition of sh, on the ranks of a set."""
    if ranks.ranges is None:
        return ":"
    variable = '"$local"' if ranks.count is Count.LOCAL else '"$rank"'
    tests = [
        f"[ {variable} -eq {first} ]"
        if first == last
        else f"{{ [ {variable} -ge {first} ] && [ {variable} -le {last} ]; }}"
        for first, last in ranks.ranges
    ]
    return " || ".join(tests)


def _tool_part(tool: Tool, terminal: Sequence[str]) -> str:
    program = shlex.quote(tool.program)
    sentence = shlex.quote(f"there is no program '{tool.program}' on host ")
    words = [*terminal, *tool.start_words()] if tool.wants_terminal else tool.start_words()
    lines = [
        f"if {condition(tool.ranks)}; then",
        "    host=$(uname -n)",
        f"    file=$folder/{shlex.quote(tool.name)}.$rank",
        f'    command -v {program} >/dev/null 2>&1 || fail {sentence}"$host" 4',
        '    printf \'%s %s\\n\' "$host" "$pid" >"$file.started"',
    ]
    if tool.prints:
        lines.append("    printed=$file.log")
    lines += [f'    set -- {" ".join(quoted(word) for word in words)} "$@"', "fi\n"]
    return "\n".join(lines)


def quoted(word: str) -> str:
    """Quote a word for sh; placeholders become what they are on the rank."""
    pieces = []
    end = 0
    for found in PLACEHOLDER.finditer(word):
        if found.start() > end:
            pieces.append(shlex.quote(word[end : found.start()]))
        pieces.append(f'"${found[0].strip("{}")}"')
        end = found.end()
    if end < len(word) or not word:
        pieces.append(shlex.quote(word[end:]))
    return "".join(pieces)
