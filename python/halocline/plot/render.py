# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Draws a scene with VTK, off screen: a display is neither needed nor asked for."""

from __future__ import annotations

import ctypes
import math
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from halocline.child import ChildDiedError, in_child
from halocline.errors import MissingEnvironmentError, RunFailedError
from halocline.plot.field import ShownField
from halocline.plot.picture import INK, NO_VALUE, colour_map, colour_places
from halocline.results.data_set import AnyArray
from halocline.results.mesh import Floats

if TYPE_CHECKING:
    import pyvista

    from halocline.plot.scene import Item, Scene

SMALLEST_CELL_PIXELS = 5.0
"""Lines around smaller cells would cover what they divide."""
FILLED = 0.96
VIEW_ANGLE = 25.0
PLACES = "places"
CHOICE = "VTK_DEFAULT_OPENGL_WINDOW"
OSMESA, EGL, EGL_WINDOW = "libOSMesa.so.8", "libEGL.so.1", "vtkEGLRenderWindow"
"""Libraries that draw in memory: the first on any machine, the second with a device or Mesa."""


def require_vtk() -> None:
    """Say how to get VTK, or the OpenGL that it draws with, where one is missing."""
    try:
        import pyvista  # noqa: F401
    except ImportError as error:
        raise MissingEnvironmentError(
            f"pictures of meshes need VTK ({error}). Run: pip install 'halocline[plot]'."
        ) from None
    _choose_window()


def _choose_window() -> None:
    """Have VTK draw without a display; left to itself it asks for one first, and warns."""
    if CHOICE in os.environ:
        return
    if _is_there(OSMESA):
        os.environ[CHOICE] = "vtkOSOpenGLRenderWindow"
    elif _is_there(EGL) and _egl_works():
        os.environ[CHOICE] = EGL_WINDOW
    elif "DISPLAY" not in os.environ:
        raise MissingEnvironmentError(
            f"VTK finds no OpenGL to draw with (no {OSMESA}, no {EGL} with a driver). "
            "Run: apt-get install libosmesa6."
        )


def _is_there(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _egl_works() -> bool:
    """Ask VTK, in a copy of this process: EGL without a driver ends it."""
    os.environ[CHOICE] = EGL_WINDOW
    try:
        return in_child(_window_made) == EGL_WINDOW
    except ChildDiedError:
        return False
    finally:
        del os.environ[CHOICE]


def _window_made() -> str:
    import vtkmodules.vtkRenderingOpenGL2  # noqa: F401
    from vtkmodules.vtkRenderingCore import vtkRenderWindow

    return type(vtkRenderWindow()).__name__


def render(scene: Scene, field: ShownField | None, size: tuple[int, int]) -> AnyArray:
    """Return an RGBA picture (height, width, 4) with a transparent background."""
    import pyvista

    plotter = pyvista.Plotter(off_screen=True, window_size=list(size), lighting="none")
    try:
        _add_lights(plotter)
        pixels_per_length = 0.8 * size[1] / max(_extent(scene), 1e-300)
        for item in scene.items:
            _add(plotter, item, field, size, pixels_per_length)
        _place_camera(plotter, scene, size)
        plotter.enable_anti_aliasing("ssaa")
        if any(item.opacity < 1.0 for item in scene.items):
            plotter.renderer.SetUseDepthPeeling(True)
        picture = plotter.screenshot(None, return_img=True, transparent_background=True)
    finally:
        plotter.close()
    if picture is None or picture.shape[2] != 4:
        raise RunFailedError(
            "VTK gave no picture (its OpenGL does not draw without a display). "
            "Run: apt-get install libosmesa6."
        )
    return np.asarray(picture)


def _add_lights(plotter: pyvista.Plotter) -> None:
    """One light beside the eye, a weaker one from the other side: no face is black."""
    import pyvista

    for place, strength in (((0.4, 0.6, 1.0), 0.75), ((-0.8, 0.1, 0.6), 0.34)):
        light = pyvista.Light(position=place, intensity=strength, light_type="camera light")
        plotter.add_light(light)


def _add(
    plotter: pyvista.Plotter,
    item: Item,
    field: ShownField | None,
    size: tuple[int, int],
    pixels_per_length: float,
) -> None:
    from halocline.plot.scene import VALUES

    shape = item.shape
    solid = shape.GetMaxSpatialDimension() >= 2
    options: dict[str, Any] = {
        "opacity": item.opacity,
        "ambient": 0.36,
        "diffuse": 0.8,
        "specular": 0.12,
        "line_width": 1.5,
        "show_scalar_bar": False,
        "lighting": solid,
    }
    if solid:
        options["smooth_shading"] = True
        options["split_sharp_edges"] = shape.n_points < 2_000_000
        options["feature_angle"] = 40.0
        pixels = math.sqrt(shape.area / max(1, shape.n_cells)) * pixels_per_length
        if item.lines and pixels > SMALLEST_CELL_PIXELS:
            faint = min(0.4, 0.05 * (pixels - SMALLEST_CELL_PIXELS) + 0.1)
            options |= {"show_edges": True, "edge_color": INK, "edge_opacity": faint}
            options["line_width"] = max(0.6, size[0] / 1800.0)
    else:
        point = float(np.clip(0.2 * math.sqrt(size[0] * size[1] / shape.n_points), 2.0, 14.0))
        options |= {"point_size": point, "render_points_as_spheres": True}
    if item.colour is not None or field is None:
        plotter.add_mesh(shape, color=item.colour or INK, **options)
        return
    shape = shape.copy(deep=False)
    places = colour_places(field, np.asarray(shape.point_data[VALUES]))
    shape.point_data.clear()
    shape.point_data[PLACES] = places
    plotter.add_mesh(
        shape,
        scalars=PLACES,
        cmap=colour_map(field),
        clim=(0.0, 1.0),
        nan_color=NO_VALUE,
        interpolate_before_map=True,
        **options,
    )


def _extent(scene: Scene) -> float:
    """Return the longest side of the box around everything."""
    bounds = np.array([item.shape.bounds for item in scene.items])
    return float(np.max(bounds[:, 1::2].max(axis=0) - bounds[:, ::2].min(axis=0)))


def _place_camera(plotter: pyvista.Plotter, scene: Scene, size: tuple[int, int]) -> None:
    """Let the scene fill the picture."""
    points = np.concatenate([np.asarray(item.shape.points) for item in scene.items])
    back = scene.towards / np.linalg.norm(scene.towards)
    right = np.cross(scene.up, back)
    right /= np.linalg.norm(right)
    frame = np.array([right, np.cross(back, right), back])
    seen = points @ frame.T
    middle = 0.5 * (seen.min(axis=0) + seen.max(axis=0))
    radius = max(float(np.linalg.norm(seen - middle, axis=1).max()), 1e-300)
    distance = radius / math.sin(math.radians(VIEW_ANGLE) / 2.0)
    shares = np.array([size[0] / size[1], 1.0])
    half = radius
    for _ in range(4):  # perspective moves the middle a little each time
        depth = (
            np.full(len(seen), distance) if scene.parallel else middle[2] + distance - seen[:, 2]
        )
        flat = (seen[:, :2] - middle[:2]) * (distance / depth)[:, None]
        low, high = flat.min(axis=0), flat.max(axis=0)
        middle[:2] += 0.5 * (low + high)
        half = float(np.max(0.5 * (high - low) / shares)) / FILLED
    half = max(half, 1e-6 * radius)
    focus: Floats = middle @ frame
    camera = plotter.camera
    camera.focal_point = focus
    camera.position = focus + distance * back
    camera.up = frame[1]
    camera.parallel_projection = scene.parallel
    if scene.parallel:
        camera.parallel_scale = half
    else:
        camera.view_angle = math.degrees(2.0 * math.atan(half / distance))
    plotter.renderer.ResetCameraClippingRange()
