# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Small libraries that tests put before a program, and locales made for one test."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

# A program, or a library that it loads, that takes its user's locale.
TAKE_LOCALE = """
#include <locale.h>
__attribute__((constructor)) static void take(void) { setlocale(LC_ALL, ""); }
"""

# Who asks for the time of day gets one five hours ahead and one five hours back in turns.
JUMPING_CLOCK = """
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static long jump(void) {
    static int calls;
    return __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED) % 2 ? -18000 : 18000;
}
int clock_gettime(clockid_t clock, struct timespec *now) {
    const int code = (int)syscall(SYS_clock_gettime, clock, now);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) now->tv_sec += jump();
    return code;
}
int gettimeofday(struct timeval *now, void *zone) {
    struct timespec precise;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &precise);
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return 0;
}
time_t time(time_t *at) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at) *at = now.tv_sec;
    return now.tv_sec;
}
"""

LOCALES = {
    "de_DE.UTF-8": ("de_DE", "UTF-8"),
    "tr_TR.UTF-8": ("tr_TR", "UTF-8"),
    "de_DE.ISO-8859-1": ("de_DE", "ISO-8859-1"),
}


def make_preload(folder: Path, source: str, name: str) -> Path:
    """Compiles a library for LD_PRELOAD; skips the test where there is no C compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("cc is not there to compile a library with; install gcc")
    text = folder / f"{name}.c"
    text.write_text(source)
    library = folder / f"{name}.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, text], check=True)
    return library


def make_locale(folder: Path, name: str) -> dict[str, str]:
    """Makes a locale in `folder`; the environment that uses it. No right of root is needed."""
    language, encoding = LOCALES[name]
    if shutil.which("localedef") is None:
        pytest.skip("localedef is not there to make locales with")
    done = subprocess.run(
        ["localedef", "-i", language, "-f", encoding, folder / name],
        capture_output=True,
        text=True,
        check=False,
    )
    if not (folder / name / "LC_NUMERIC").is_file():
        pytest.skip(f"localedef makes no {name} (install the package locales): {done.stderr}")
    return {"LOCPATH": str(folder), "LC_ALL": name, "LANG": name}
