# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""A movie over the steps of a run: one range of colours, one place of the eye."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from halocline.errors import InvalidInputError, MissingEnvironmentError, UsageError
from halocline.files.output_file import write_bytes
from halocline.plot.field import ShownField
from halocline.plot.mesh_picture import at_level, facts, make_drawing, paint
from halocline.plot.render import require_vtk
from halocline.plot.sources import find_run
from halocline.plot.view import View
from halocline.results.data_set import AnyArray
from halocline.results.run import Run
from halocline.wording import counted

PICTURES_PER_S = 10


def draw_movie(
    paths: Sequence[Path],
    output: Path,
    quantity: str,
    mesh: Path | None = None,
    view: View | None = None,
) -> dict[str, object]:
    """Draw every step; write GIF or MP4, by the name of `output`."""
    require_vtk()
    encoder_of(output)
    view = view or View(size=(960, 640))
    run = at_level(find_run(paths, mesh), view.level)
    lead = run.fields.get(quantity) or next(iter(run.fields.values()), None)
    steps: list[int] = [] if lead is None else lead.steps.tolist()
    return movie_of(run, output, quantity, replace(view, level=None), steps)


def movie_of(
    run: Run, output: Path, quantity: str, view: View, steps: Sequence[int]
) -> dict[str, object]:
    """Draw some steps of an open run. One scene is in memory at a time.

    Without a range in the view, all steps are looked through for one before the first is painted.
    """
    encode = encoder_of(output)
    if len(steps) < 2:
        raise InvalidInputError(
            f"{run.path} has {counted(len(steps), 'step')} for it (a movie needs two or more). "
            "Write more of them: output.interval in the case file."
        )
    views = [replace(view, step=step) for step in steps]
    looked_at = views[-1:] if view.span is not None else views
    fields = [make_drawing(run, quantity, one).field for one in looked_at]
    field = _common_field([one for one in fields if one is not None])
    last: dict[str, object] = {}

    def frames() -> Iterator[AnyArray]:
        for one in views:
            drawing = make_drawing(run, quantity, one)
            if one is views[-1]:
                last.update(facts(replace(drawing, field=field)))
            yield _pixels(paint(drawing, field, view))

    write_bytes(output, encode(frames()))
    return {"movie": str(output), "steps": list(steps), **last}


def _common_field(fields: list[ShownField]) -> ShownField:
    """Return one range of colours for all steps."""
    widest = max(fields, key=lambda field: field.high - field.low)
    plain = [field for field in fields if not field.diverging]
    if plain and len(plain) < len(fields):
        widest, fields = max(plain, key=lambda field: field.high - field.low), plain
    low = min(field.low for field in fields)
    high = max(field.high for field in fields)
    return replace(widest, low=low, high=high)


def _pixels(picture: bytes) -> AnyArray:
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"))


def encoder_of(output: Path) -> Callable[[Iterator[AnyArray]], bytes]:
    """Return what makes a file of pictures, before any is drawn."""
    if output.suffix == ".gif":
        return _gif
    if output.suffix == ".mp4":
        try:
            import imageio.v2  # noqa: F401
            import imageio_ffmpeg  # noqa: F401
        except ImportError:
            raise MissingEnvironmentError(
                "MP4 needs imageio-ffmpeg. Run: pip install imageio imageio-ffmpeg, or name a .gif."
            ) from None
        return _mp4
    raise UsageError(f"halocline plot: --movie {output} is neither .gif nor .mp4. Choose one.")


def _gif(frames: Iterator[AnyArray]) -> bytes:
    from PIL import Image

    colours = (Image.fromarray(frame).quantize(256, dither=Image.Dither.NONE) for frame in frames)
    file = io.BytesIO()
    next(colours).save(
        file,
        format="GIF",
        save_all=True,
        append_images=colours,
        duration=round(1000 / PICTURES_PER_S),
        loop=0,
    )
    return file.getvalue()


def _mp4(frames: Iterator[AnyArray]) -> bytes:
    import imageio.v2

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "movie.mp4"
        with imageio.v2.get_writer(file, fps=PICTURES_PER_S, macro_block_size=2) as movie:
            for frame in frames:
                movie.append_data(frame[: len(frame) // 2 * 2, : frame.shape[1] // 2 * 2])
        return file.read_bytes()
