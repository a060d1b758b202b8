# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a tool on a terminal of its own, which the user's terminal sees through a socket.

`python -P -m halocline.rank_tools.terminal_bridge SOCKET WORDS…`, on the rank. Launchers give ranks
pipes, on which a debugger has neither line editing nor Ctrl-C.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import socket
import struct
import sys
import termios
from collections.abc import Sequence

from halocline.launch.process import shell_exit_code
from halocline.terminal import note

PIECE = 65536
NO_CONNECTION = 4


def main(words: Sequence[str]) -> int:
    """Connect, start the tool, pass bytes both ways; return its exit code."""
    path, *command = words
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(path)
    except OSError as error:
        note(
            f"no way to the user's terminal from host {os.uname().nodename} ({error.strerror}: it "
            "belongs to the host that launches). Choose a rank there, or give the tool --batch."
        )
        return NO_CONNECTION
    rows, columns = struct.unpack("!HH", _exactly(connection, 4))
    child, terminal = pty.fork()
    if child == 0:
        _become(command)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    _pass_on(connection, terminal)
    os.close(terminal)  # hangs up, should the tool still be there
    return shell_exit_code(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


def _become(command: Sequence[str]) -> None:
    """Descriptors of the launcher stay open: MPICH talks to its ranks through one."""
    try:
        os.execvp(command[0], list(command))  # noqa: S606 - words of the user
    finally:
        os._exit(127)


def _exactly(connection: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        piece = connection.recv(count - len(data))
        if not piece:
            return bytes(count)
        data += piece
    return data


def _pass_on(connection: socket.socket, terminal: int) -> None:
    """Until the tool closes its terminal, or the user is gone."""
    sources: list[socket.socket | int] = [connection, terminal]
    while True:
        ready, _, _ = select.select(sources, [], [])
        if terminal in ready:
            try:
                data = os.read(terminal, PIECE)
            except OSError:  # EIO: nobody holds the other end
                data = b""
            if not data:
                return
            with contextlib.suppress(OSError):
                connection.sendall(data)
        if connection in ready:
            data = connection.recv(PIECE)
            if not data:
                return
            os.write(terminal, data)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
