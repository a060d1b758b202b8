# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Every flag in every spelling does what it says."""

from __future__ import annotations

from pathlib import Path

import pytest
from mgcfd_support import Run, make_box, run


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """A two-level box in the working directory."""
    return make_box(tmp_path / "case")


def ok(done: Run) -> Run:
    """Fails with the program's own words."""
    assert done.code == 0, done.err
    return done


def test_without_flags_it_runs_input_dat_for_25_cycles(case: Path) -> None:
    done = ok(run(case))
    record = done.record()
    assert record["results"]["cycles"] == 25
    assert record["status"]["exit_code"] == 0
    assert done.files() == set()
    last = done.out.strip().splitlines()[-1]
    assert last.startswith("Max total runtime = ")
    assert float(last.split("=")[1]) > 0.0


@pytest.mark.parametrize(
    "words",
    [
        ["-i", "other.dat"],
        ["-iother.dat"],
        ["--input-file", "other.dat"],
        ["--input-file=other.dat"],
    ],
)
def test_input_file(case: Path, words: list[str]) -> None:
    (case / "input.dat").rename(case / "other.dat")
    ok(run(case, *words, "-g", "1"))


@pytest.mark.parametrize("flag", ["-d", "--input-directory"])
def test_input_directory_holds_input_and_meshes(case: Path, tmp_path: Path, flag: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    ok(run(elsewhere, flag, "../case", "-g", "1", "--output-variables"))
    assert (elsewhere / "variables.L1.cycles=1.h5").exists()
    ok(run(elsewhere, flag, str(case) + "/", "-g", "1"))


@pytest.mark.parametrize(
    ("prefix", "record"),
    [("out/", "out/record.json"), ("run1.", "run1.record.json"), ("a", "arecord.json")],
)
@pytest.mark.parametrize("flag", ["-o", "--output-file-prefix"])
def test_output_prefix_is_put_in_front_as_it_stands(
    case: Path, flag: str, prefix: str, record: str
) -> None:
    (case / "out").mkdir()
    done = ok(run(case, flag, prefix, "-g", "2", "--output-variables", "-I", "1"))
    expected = {f"{prefix}variables.L{level}.cycles=2.h5" for level in (0, 1)}
    expected |= {f"{prefix}variables.L0.cycle={cycle}.h5" for cycle in (1, 2)}
    assert done.files() == expected
    assert (case / record).exists()


@pytest.mark.parametrize(
    "words",
    [["-g", "3"], ["-g3"], ["--num-cycles", "3"], ["--num-cycles=3"], ["-g", "9", "-g", "3"]],
)
def test_cycles(case: Path, words: list[str]) -> None:
    results = ok(run(case, *words)).record()["results"]
    assert results["cycles"] == 3
    assert len(results["rms"]) == 3


@pytest.mark.parametrize("flag", ["-l", "--legacy-mode"])
def test_legacy_mode_reads_the_other_family(case: Path, flag: str) -> None:
    default = ok(run(case, "-g", "1")).record()
    legacy = ok(run(case, flag, "-g", "1")).record()
    assert legacy["settings"]["legacy_mode"] is True
    assert default["settings"]["legacy_mode"] is False
    assert legacy["mesh"]["hash"] != default["mesh"]["hash"]


@pytest.mark.parametrize("name", ["ptscotch", "parmetis", "block"])
@pytest.mark.parametrize("flag", ["-m", "--partitioner"])
def test_partitioner(case: Path, flag: str, name: str) -> None:
    partition = ok(run(case, flag, name, "-g", "1", ranks=2)).record()["partition"]
    assert partition["partitioner"] == name
    assert partition["library"]


@pytest.mark.parametrize("flag", ["-r", "--partitioner-method"])
def test_partitioner_method(case: Path, flag: str) -> None:
    assert ok(run(case, flag, "kway", "-g", "1", ranks=2)).record()["partition"]["method"] == "kway"


@pytest.mark.parametrize(
    ("flag", "renumbered"), [("-n", True), ("--renumber", True), ("--no-renumber", False)]
)
def test_renumber(case: Path, flag: str, renumbered: bool) -> None:
    setting = ok(run(case, flag, "-g", "1")).record()["settings"]["renumber"]
    assert (setting != "none") == renumbered


@pytest.mark.parametrize("flag", ["-b", "--measure-mem-bound"])
def test_memory_bound_runs_the_streaming_kernel(case: Path, flag: str) -> None:
    plain = ok(run(case, "-g", "2")).record()
    assert plain["results"].get("memory_bound") is None
    record = ok(run(case, flag, "-g", "2")).record()
    assert record["results"]["memory_bound"]["seconds"] > 0.0
    assert record["results"]["memory_bound"]["share_of_flux"] > 0.0
    assert any("stream" in loop["name"] for loop in record["loops"])
    assert record["results"]["rms"] == plain["results"]["rms"]


@pytest.mark.parametrize("flag", ["-p", "--papi-config-file"])
def test_hardware_counters_are_explained(case: Path, flag: str) -> None:
    (case / "papi.conf").write_text("PAPI_TOT_INS\n")
    done = ok(run(case, flag, "papi.conf", "-g", "1"))
    said = [line for line in (done.out + done.err).splitlines() if "papi.conf" in line]
    assert len(said) == 1
    assert "PAPI" in said[0]


@pytest.mark.parametrize("place", [0, 1, 4])
def test_gpudirect_is_no_number_of_cycles(
    case: Path, place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")  # whatever this machine has
    words = ["-g", "2", "-i", "input.dat"]
    words.insert(place, "-gpudirect")
    if place == 1:  # would cut -g from its number: MG-CFD's users write it first or last
        words = ["-gpudirect", "-g2"]
    done = ok(run(case, *words))
    assert done.record()["results"]["cycles"] == 2
    assert "no GPU" in done.out + done.err


EMULATED = ["--backend", "emulated", "--device-strategy"]


def strategies(done: Run) -> dict[str, str]:
    """Strategy of each loop with a choice, by name and level."""
    return {
        f"{loop['name']}.L{loop['level']}": loop["strategy"]
        for loop in ok(done).record()["loops"]
        if loop["strategy"] in ("gather", "once")
    }


def test_device_strategies_are_gather_without_a_word(case: Path) -> None:
    done = run(case, "-g", "1", "--backend", "emulated")
    assert set(strategies(done).values()) == {"gather"}
    assert done.record()["settings"]["strategies"]["flux_stage_1"] == "gather"


def test_a_device_strategy_for_all_and_for_one(case: Path) -> None:
    done = run(
        case,
        "-g",
        "1",
        *EMULATED,
        "once,restrict=gather",
        "--device-strategy=flux_stage_2.L1=gather",
    )
    used = strategies(done)
    assert used.pop("restrict.L1") == "gather"
    assert used.pop("flux_stage_2.L1") == "gather"
    assert len(used) == 5
    assert set(used.values()) == {"once"}
    assert done.record()["settings"]["strategies"]["flux_stage_2"] == "once, gather"
    assert done.record()["device_use"]["graph"] is True


def test_a_loop_within_a_chain_names_the_chain(case: Path) -> None:
    used = strategies(run(case, "-g", "1", *EMULATED, "edge_flux=once"))
    assert {name for name, strategy in used.items() if strategy == "once"} == {
        f"flux_stage_{stage}.L{level}" for stage in (1, 2, 3) for level in (0, 1)
    }


def test_strategies_of_mixed_jobs_do_not_change_results(case: Path) -> None:
    words = [*EMULATED, "once", "--device", "mixed", "--weights", "1,1,1"]
    done = ok(run(case, "-g", "2", *words, ranks=3))
    assert {loop["ran_on"] for loop in done.record()["loops"] if loop["strategy"]} == {"both"}
    plain = ok(run(case, "-g", "2", "--backend", "serial", "--record", "plain.json"))
    assert done.record()["results"]["rms"] == plain.record("plain.json")["results"]["rms"]


def test_device_strategies_without_a_device_are_told(case: Path) -> None:
    done = ok(run(case, "-g", "1", "--device-strategy", "gather"))
    assert "--device-strategy has no effect" in done.out


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["--device-strategy", "onse"], 2, "Did you mean 'once'?"),
        (["--device-strategy", "restric=gather"], 2, "Did you mean 'restrict'?"),
        (["--device-strategy", "correct=gather"], 2, "no loop 'correct' changes elements"),
        (["--backend", "serial", "--device", "gpu"], 2, "--backend serial runs on cores"),
        (["--backend", "emulated", "--device", "cpu"], 2, "exclude each other"),
        (["--device-ranks", "2", "--device", "cpu"], 2, "Give --device mixed, too."),
        (["--backend", "emulated", "--halo-scheme", "packd"], 2, "Did you mean 'packed'?"),
        (["--halo-scheme", "packed"], 2, "unknown halo scheme 'packed'"),
        (["--backend", "emulated", "-gpudirect", "--halo-scheme", "whole"], 2, "-gpudirect stands"),
        (["--backend", "emulated", "--network-model", "50,1"], 2, "not those of devices"),
        (["--backend", "emulated", "-gpudirect"], 4, "--assume-gpu-aware if you know better"),
        (
            ["--backend", "emulated", "--device", "mixed", "--halo-scheme", "peer"],
            4,
            "'peer' cannot be used (some ranks of this job have no device). Choose packed.",
        ),
    ],
)
def test_words_about_devices_that_cannot_be(
    case: Path, words: list[str], code: int, sentence: str
) -> None:
    done = run(case, *words, ranks=2)
    assert done.code == code, done.err
    assert sentence in done.err
    assert not list(case.glob("record.json"))


def test_words_of_op2_are_accepted(case: Path) -> None:
    done = ok(run(case, "OP_PART_SIZE=128", "-g", "1", "OP_BLOCK_SIZE=64"))
    assert "OP_PART_SIZE=128" in done.out
    assert "OP_BLOCK_SIZE=64" in done.out


@pytest.mark.parametrize(
    ("name", "backend"),
    [
        ("mgcfd", "openmp"),
        ("mgcfd_seq", "serial"),
        ("mgcfd_openmp", "openmp"),
        ("mgcfd_mpi", "openmp"),
        ("mgcfd_mpi_openmp", "openmp"),
    ],
)
def test_names_set_the_default_back_end(case: Path, name: str, backend: str) -> None:
    assert ok(run(case, "-g", "1", name=name)).record()["backend"] == backend


@pytest.mark.parametrize("name", ["mgcfd_cuda", "mgcfd_mpi_cuda"])
def test_gpu_names_say_that_there_is_none(
    case: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")  # whatever this machine has
    done = run(case, "-g", "1", name=name)
    assert done.code == 4
    assert len(done.messages) == 1
    assert "--backend" in done.messages[0]
    assert ok(run(case, "-g", "1", "--backend", "auto", name=name)).record()["backend"] == "openmp"


@pytest.mark.parametrize("backend", ["serial", "openmp", "check", "emulated"])
def test_backend(case: Path, backend: str) -> None:
    assert ok(run(case, "-g", "1", "--backend", backend)).record()["backend"] == backend


def test_one_thread_asks_mpi_for_no_more(case: Path) -> None:
    """Open MPI 4.1 sends small messages slower at the next level."""
    for words in (("--threads", "1"), ("--backend", "serial")):
        assert ok(run(case, "-g", "1", *words)).record()["mpi"]["thread_level"] == "single"
    done = ok(run(case, "-g", "1", "--threads", "2"))
    assert done.record()["mpi"]["thread_level"] in ("funneled", "serialized", "multiple")


def test_threads(case: Path) -> None:
    assert ok(run(case, "-g", "1", "--threads", "2")).record()["layout"]["threads_per_rank"] == 2
    assert ok(run(case, "-g", "1", threads=2)).record()["layout"]["threads_per_rank"] == 2


def test_record_goes_where_it_is_asked(case: Path) -> None:
    ok(run(case, "-g", "1", "--record", "here.json"))
    assert (case / "here.json").exists()
    assert not (case / "record.json").exists()


@pytest.mark.parametrize("ranks", [1, 2])
def test_help_names_every_flag_once(tmp_path: Path, ranks: int) -> None:
    done = ok(run(tmp_path, "--help", ranks=ranks))
    flags = """-i --input-file -c --config-filepath -d --input-directory -o --output-file-prefix
        -p --papi-config-file -g --num-cycles -m --partitioner -r --partitioner-method -n --renumber
        -b --measure-mem-bound -v --validate-result -I --output-flow-interval --output-variables
        --output-fluxes --output-step-factors -l --legacy-mode"""
    for flag in flags.split():
        assert flag in done.out, flag
    assert done.out.count("Exit codes:") == 1
    assert done.messages == []
    assert list(tmp_path.iterdir()) == []


def test_short_help_is_help(tmp_path: Path) -> None:
    assert run(tmp_path, "-h").out == run(tmp_path, "--help").out


def test_version(tmp_path: Path) -> None:
    done = ok(run(tmp_path, "--version"))
    assert done.out.startswith("halocline ")
    assert done.out.count("\n") == 1


# --- configuration files ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ["-c", "run.conf"],
        ["-crun.conf"],
        ["--config-filepath", "run.conf"],
        ["--config-filepath=run.conf"],
    ],
)
def test_configuration_file_in_every_spelling(case: Path, words: list[str]) -> None:
    (case / "run.conf").write_text("# settings\ncycles = 3\noutput_variables = Y\n")
    done = ok(run(case, *words))
    assert done.record()["results"]["cycles"] == 3
    assert "variables.L0.cycles=3.h5" in done.files()


def test_flags_after_the_configuration_file_win_and_before_it_lose(case: Path) -> None:
    (case / "run.conf").write_text("cycles = 3\n")
    assert ok(run(case, "-g", "2", "-c", "run.conf")).record()["results"]["cycles"] == 3
    assert ok(run(case, "-c", "run.conf", "-g", "2")).record()["results"]["cycles"] == 2


def test_configuration_file_sets_everything(case: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "out").mkdir(parents=True)
    (case / "input.dat").rename(case / "my.dat")
    (elsewhere / "run.conf").write_text(
        f"input_file = my.dat\ninput_file_directory = {case}\noutput_file_prefix = out/\n"
        "papi-config-file = none.conf\nvalidate_result = N\nmeasure_mem_bound = Y\ncycles = 2\n"
        "partitioner = ptscotch\npartitioner-method = kway\nrenumber = Y\noutput_step_factors = Y\n"
        "output_fluxes = Y\noutput_variables = Y\noutput_flow_interval = 1\n"
    )
    done = ok(run(elsewhere, "-c", "run.conf"))
    record = done.record("out/record.json")
    assert record["results"]["cycles"] == 2
    assert record["results"]["memory_bound"] is not None
    expected = {
        f"out/{what}.L{level}.cycles=2.h5"
        for what in ("variables", "fluxes", "step_factors")
        for level in (0, 1)
    }
    assert done.files() == expected | {"out/variables.L0.cycle=1.h5", "out/variables.L0.cycle=2.h5"}


def test_two_configuration_files_follow_each_other(case: Path) -> None:
    (case / "first.conf").write_text("cycles = 3\noutput_variables = Y\n")
    (case / "second.conf").write_text("cycles = 2\n")
    done = ok(run(case, "-c", "first.conf", "-c", "second.conf"))
    assert "variables.L0.cycles=2.h5" in done.files()
