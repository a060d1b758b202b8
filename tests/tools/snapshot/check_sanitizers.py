# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The conformance programs, compiled and recorded under ThreadSanitizer and AddressSanitizer."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from harness import Bench, main

# UCX and Open MPI patch the C library's memory functions while they run, which the sanitizers' own
# versions do not survive; the recorder is not part of that.
NO_PATCHING = {
    "UCX_MEM_EVENTS": "n",
    "UCX_MEM_MMAP_HOOK_MODE": "none",
    "UCX_MEM_MALLOC_HOOKS": "n",
    "UCX_MEM_MALLOC_RELOC": "n",
    "OMPI_MCA_pml": "ob1",
    "OMPI_MCA_osc": "pt2pt",
    "OMPI_MCA_memory": "^patcher",
    "OMPI_MCA_btl": "self,vader",
}
PROGRAMS = {"tour": ["t.data"], "extras": ["e.data"], "threads": ["2", "60"], "inquiries": ["2"]}
OPTIONS = {
    # MPI libraries are not instrumented: what they lock and copy is invisible
    "thread": {"TSAN_OPTIONS": "ignore_noninstrumented_modules=1 exitcode=66"},
    "address": {"ASAN_OPTIONS": "detect_leaks=0:exitcode=66"},
}


def check(bench: Bench) -> None:
    """Both sanitizers on the programs."""
    for sanitizer, options in OPTIONS.items():
        for program, arguments in PROGRAMS.items():
            run = bench.run(
                f"{program}_{sanitizer}",
                2,
                *arguments,
                variables={
                    **NO_PATCHING,
                    **options,
                    "HALOCLINE_SNAPSHOT_FLUSH_S": "1",
                },
                preload=preload(bench, sanitizer),
            )
            where = f"{program}.{bench.family} under the {sanitizer} sanitizer"
            bench.equal(run.code, 0, f"{where}: exit code\n{run.errors[-3000:]}")
            reports = re.findall(r"(?:WARNING|ERROR): \w+Sanitizer.*", run.errors)
            bench.equal(reports, [], f"{where}: reports\n{run.errors[:3000]}")
            ends = [found["end"] for found in run.ranks.values()]
            bench.equal(ends, ["finalize"] * 2, f"{where}: ends")


def preload(bench: Bench, sanitizer: str) -> str:
    """The instrumented recorder; AddressSanitizer insists on being the first library."""
    library = bench.library.with_name(f"{bench.library.stem}-{sanitizer}.so")
    if not library.exists():
        raise SystemExit(f"{library} is not built: cmake --build build --target {TARGET}")
    if sanitizer == "thread":
        return str(library)
    words = ["gcc", "-print-file-name=libasan.so"]
    runtime = subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
    return f"{Path(runtime).resolve()}:{library}"


TARGET = "snapshot_sanitized"

if __name__ == "__main__":
    main(check)
