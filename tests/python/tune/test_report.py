# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a tuning writes for shells."""

from __future__ import annotations

import subprocess
from pathlib import Path
from types import SimpleNamespace

from halocline.preload.family import Family
from halocline.tune.report import environment_script
from halocline.tune.settings import Setting


def test_a_shell_runs_nothing_of_a_launch_line_of_several_lines(tmp_path: Path) -> None:
    setting = Setting({"OMPI_MCA_x": "a b"})
    line = setting.shell_line(["mpirun", "app", "two\ntouch made"], Family.OPENMPI)
    script = tmp_path / "environment.sh"
    report = SimpleNamespace(library="Open MPI", launch_line=line)
    script.write_text(environment_script(setting, report))  # type: ignore[arg-type]
    command = f". {script}; echo $OMPI_MCA_x"
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, check=True)
    assert done.stdout == b"a b\n"
    assert not (tmp_path / "made").exists()
