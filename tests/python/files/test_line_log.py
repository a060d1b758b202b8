# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Files of JSON lines: what a kill, a full disk or an editor leaves of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from halocline.errors import HaloclineError, InvalidInputError
from halocline.files.line_log import LineLog


def test_a_torn_line_is_cut_off_and_the_next_one_follows(tmp_path: Path) -> None:
    file = tmp_path / "log"
    file.write_bytes(b'{"a": 1}\n{"b": "' + "ö".encode()[:1])
    log = LineLog(file)
    assert log.entries == [{"a": 1}]
    log.add({"b": "ö\udcff"})  # a name of a file that is no UTF-8
    log.close()
    again = LineLog(file)
    assert again.entries == [{"a": 1}, {"b": "ö\udcff"}]
    again.close()


def test_numbers_that_nobody_could_read_again_are_not_written(tmp_path: Path) -> None:
    file = tmp_path / "log"
    log = LineLog(file)
    log.add({"a": 1})
    with pytest.raises(ValueError, match="not JSON compliant"):
        log.add({"b": float("nan")})
    log.close()
    assert file.read_text() == '{"a": 1}\n'


@pytest.mark.parametrize("line", [b"{", b"\xff", b"[" * 100_000])
def test_a_damaged_line_is_told_by_its_number(tmp_path: Path, line: bytes) -> None:
    file = tmp_path / "log"
    file.write_bytes(b"{}\n" + line + b"\n{}\n")
    with pytest.raises(InvalidInputError, match="line 2 is damaged"):
        LineLog(file)


def test_a_full_disk_leaves_whole_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_file: int) -> None:
        raise OSError(28, "No space left on device")

    file = tmp_path / "log"
    log = LineLog(file)
    log.add({"a": 1})
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(HaloclineError, match="Make free space"):
            log.add({"b": 2})
    log.add({"c": 3})
    log.close()
    assert file.read_text() == '{"a": 1}\n{"c": 3}\n'


def test_a_folder_or_pipe_in_its_place_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for file in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(HaloclineError, match="cannot be written"):
            LineLog(file)
