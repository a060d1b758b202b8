# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""A movie over the steps of a run: one range of colours, one place of the eye."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from halocline.errors import InvalidInputError, MissingEnvironmentError, UsageError
from halocline.files.output_file import write_bytes
from halocline.plot.field import ShownField
from halocline.plot.mesh_picture import Drawing, facts, make_drawing, paint
from halocline.plot.render import require_vtk
from halocline.plot.sources import find_run
from halocline.plot.view import View
from halocline.results.data_set import AnyArray

PICTURES_PER_S = 10
Tell = Callable[[str], None]


def draw_movie(
    paths: Sequence[Path],
    output: Path,
    quantity: str,
    mesh: Path | None = None,
    view: View | None = None,
    tell: Tell = lambda _: None,
) -> dict[str, object]:
    """Draw every step; write GIF or MP4, by the name of `output`."""
    require_vtk()
    encode = _encoder(output)
    view = view or View(size=(960, 640))
    run = find_run(paths, mesh)
    lead = run.fields.get(quantity) or next(iter(run.fields.values()), None)
    steps: list[int] = [] if lead is None else lead.steps.tolist()
    if len(steps) < 2:
        raise InvalidInputError(
            f"{run.path} has {len(steps)} steps (a movie needs two or more). Write more of them: "
            "flow_interval in the case file."
        )
    drawings = [make_drawing(run, quantity, replace(view, step=step)) for step in steps]
    field = _common_field(drawings)
    frames = []
    for made in drawings:
        frames.append(_pixels(paint(made, field, view)))
        tell(f"step {made.step}")
    write_bytes(output, encode(frames))
    last = facts(replace(drawings[-1], field=field))
    return {"movie": str(output), "steps": steps, **last}


def _common_field(drawings: list[Drawing]) -> ShownField:
    """Return one range of colours for all steps."""
    fields = [made.field for made in drawings if made.field is not None]
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


def _encoder(output: Path) -> Callable[[list[AnyArray]], bytes]:
    """Return what makes a file of pictures, before any is drawn."""
    if output.suffix == ".gif":
        return _gif
    if output.suffix == ".mp4":
        try:
            import imageio.v3  # noqa: F401
            import imageio_ffmpeg  # noqa: F401
        except ImportError:
            raise MissingEnvironmentError(
                "MP4 needs imageio-ffmpeg. Run: pip install imageio imageio-ffmpeg, or name a .gif."
            ) from None
        return _mp4
    raise UsageError(f"halocline plot: --movie {output} is neither .gif nor .mp4. Choose one.")


def _gif(frames: list[AnyArray]) -> bytes:
    from PIL import Image

    pictures = [Image.fromarray(frame) for frame in frames]
    colours = [picture.quantize(256, dither=Image.Dither.NONE) for picture in pictures]
    file = io.BytesIO()
    colours[0].save(
        file,
        format="GIF",
        save_all=True,
        append_images=colours[1:],
        duration=round(1000 / PICTURES_PER_S),
        loop=0,
    )
    return file.getvalue()


def _mp4(frames: list[AnyArray]) -> bytes:
    import imageio.v3

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "movie.mp4"
        even = [frame[: frame.shape[0] // 2 * 2, : frame.shape[1] // 2 * 2] for frame in frames]
        imageio.v3.imwrite(file, np.stack(even), fps=PICTURES_PER_S, macro_block_size=2)
        return file.read_bytes()
