# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Launch lines taken apart: the launcher, its options, the programs."""

from __future__ import annotations

import pytest
from halocline.errors import UsageError
from halocline.preload.launch_line import read_launch_line


def programs(text: str) -> list[str]:
    line = read_launch_line(text.split())
    return [" ".join(line.command(part)) for part in line.parts]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("./app -n 3", "./app -n 3"),
        ("mpirun ./app", "./app"),
        ("mpirun -n 4 --oversubscribe ./app in.lj", "./app in.lj"),
        ("mpirun -np 2 --mca btl self,tcp --map-by slot:PE=2 -x A=1 ./app", "./app"),
        ("mpirun --allow-run-as-root --bind-to=none -H a:2,b:2 ./app -x", "./app -x"),
        ("mpiexec.hydra -n 4 -genv A 1 -ppn 2 -l ./app : ", "./app"),
        ("mpirun.mpich -launcher ssh -env B 2 ./app", "./app"),
        ("nice -n 5 mpirun -n 2 env A=1 ./app", "env A=1 ./app"),
        ("srun --mpi=pmix -n 4 -N2 --ntasks-per-node 2 -l ./app -v", "./app -v"),
        ("srun --overlap --exclusive -u --job-name x ./app", "./app"),
    ],
)
def test_the_program_is_found_after_the_options(text: str, expected: str) -> None:
    assert programs(text.removesuffix(" : "))[0] == expected


def test_an_unknown_option_takes_what_is_no_program() -> None:
    assert programs("mpirun --new-option 17 sh -c true") == ["sh -c true"]
    assert programs("mpirun --new-flag sh -c true") == ["sh -c true"]


def test_programs_are_separated_by_colons() -> None:
    assert programs("mpirun -n 1 ./ocean : -n 3 ./ice deep") == ["./ocean", "./ice deep"]


def test_a_colon_is_an_argument_under_srun_and_without_launcher() -> None:
    assert programs("srun -n 1 ./a : b") == ["./a : b"]
    assert programs("./a : b") == ["./a : b"]


@pytest.mark.parametrize("text", ["", "mpirun", "mpirun -n 4", "mpirun -n 1 ./a : -n 2"])
def test_a_line_without_program_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"no program|nothing to start"):
        read_launch_line(text.split())
