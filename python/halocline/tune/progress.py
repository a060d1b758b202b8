# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""One line that says what a tuning does and how long that will take."""

from __future__ import annotations

import time

from halocline.terminal import StatusLine, note
from halocline.wording import clock_words


class Progress:
    """Rewrites a line of a terminal; elsewhere it says once what begins."""

    def __init__(self) -> None:
        self._line = StatusLine()
        self._stage = ""
        self._started = time.monotonic()

    def stage(self, words: str) -> None:
        """Say what begins."""
        self.clear()
        self._stage = words
        self._started = time.monotonic()
        (self._line.show if self._line.is_live else note)(words)

    def share(self, done: float) -> None:
        """Say which share (0 to 1) of the stage is done, and the time left."""
        if not self._line.is_live or done <= 0:
            return
        left_s = (time.monotonic() - self._started) * (1.0 - done) / done
        self._line.show(f"{self._stage}: {done:4.0%}, {clock_words(left_s)} left")

    def clear(self) -> None:
        """Leave an empty line."""
        self._line.clear()
