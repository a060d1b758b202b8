# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Compiled page templates, kept as Python keeps modules: in `__pycache__`, if it may write there.

Compiling a template takes longer than all else that a small page needs.
`python -m halocline.page.compiled` compiles those of all pages.
"""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

import jinja2

FOLDER = Path(__file__).parent / "templates" / "__pycache__"


class CompiledTemplates(jinja2.BytecodeCache):
    """Templates by source, Python, jinja2 and the options that make other code of a source."""

    def load_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        """Fill the bucket; it stays empty where nothing usable is kept."""
        with contextlib.suppress(OSError), self._file(bucket).open("rb") as stream:
            bucket.load_bytecode(stream)

    def dump_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        """Keep what was compiled, unless Python is told to keep nothing of this kind."""
        from halocline.errors import HaloclineError
        from halocline.files.output_file import write_bytes

        if sys.dont_write_bytecode:
            return
        with contextlib.suppress(OSError, HaloclineError):
            FOLDER.mkdir(exist_ok=True)
            write_bytes(self._file(bucket), bucket.bytecode_to_string())

    def _file(self, bucket: jinja2.bccache.Bucket) -> Path:
        given = bucket.environment
        options = (given.autoescape, given.trim_blocks, given.lstrip_blocks)
        switches = "".join("1" if option else "0" for option in options)
        versions = f"{sys.implementation.cache_tag}.jinja-{jinja2.__version__}"
        return FOLDER / f"{bucket.key}.{versions}-{switches}.code"


def main() -> None:
    """Compile the templates of all pages."""
    from halocline.page.render import load_template

    for template in FOLDER.parents[2].glob("*/templates/*"):
        if template.name.endswith((".html.j2", ".css.j2")):
            load_template(f"halocline.{template.parents[1].name}", template.name)


if __name__ == "__main__":
    main()
