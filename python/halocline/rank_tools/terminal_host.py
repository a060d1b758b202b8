# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Connects the user's terminal to a tool on a rank of this host."""

from __future__ import annotations

import contextlib
import os
import secrets
import select
import shutil
import socket
import struct
import sys
import tempfile
import termios
import threading
import tty
from collections.abc import Callable, Iterator
from pathlib import Path

PIECE = 65536
END_OF_INPUT = b"\x04"


class TerminalHost:
    """A socket that the rank's bridge connects to; its folder is the user's alone."""

    def __init__(self) -> None:
        name = f"halocline-{os.getpid()}-{secrets.token_hex(4)}"
        self.socket = Path(tempfile.gettempdir()) / name / "terminal"

    @contextlib.contextmanager
    def serving(self) -> Iterator[Callable[[], None]]:
        """Yield what starts to listen for the rank; the terminal is as before at the end."""
        folder = self.socket.parent
        folder.mkdir(mode=0o700)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        before = termios.tcgetattr(0) if os.isatty(0) else None
        try:
            listener.bind(str(self.socket))
            listener.listen(1)
            yield threading.Thread(target=_serve, args=(listener,), daemon=True).start
        finally:
            listener.close()
            if before is not None:
                termios.tcsetattr(0, termios.TCSADRAIN, before)
            shutil.rmtree(folder, ignore_errors=True)


def _serve(listener: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection, _ = listener.accept()
        size = shutil.get_terminal_size()
        connection.sendall(struct.pack("!HH", size.lines, size.columns))
        if os.isatty(0):
            tty.setraw(0)
        _pass_on(connection)


def _pass_on(connection: socket.socket) -> None:
    """Until the tool is gone. The end of our input is the end of its input, not of its output."""
    sources: list[socket.socket | int] = [connection, 0]
    while True:
        ready, _, _ = select.select(sources, [], [])
        if 0 in ready:
            data = os.read(0, PIECE)
            if not data:
                sources.remove(0)
            connection.sendall(data or END_OF_INPUT)
        if connection in ready:
            data = connection.recv(PIECE)
            if not data:
                return
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
