"""Views of a frame: projections of all instances for picture, mirror and shadow maps.

A view's lens takes a point of the world to q = matrix p + offset; see `raster` for what follows.
Instances are culled by bounding spheres against the view's frustum. A mirror with point c and unit
normal n reflects the camera: p' = c + (p - c) - 2 ((p - c).n) n, and the same for its axes.
Fog is linear between its start and end; haze is a ring at the horizon of the first infinite plane.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.render.frame import PER_INSTANCE_AND_VIEW, Frame
from cortenforge.render.layout import (
    FIRST_LIGHT_VIEW,
    MIRROR_VIEW,
    PICTURE_VIEW,
    TRANSPARENT_VIEW,
    VIEW_MIRRORED,
    VIEW_PARALLEL,
    VIEW_SHADOW,
)
from cortenforge.render.lights import Light
from cortenforge.scene.camera import Lens
from cortenforge.scene.flags import IS_PLANE
from cortenforge.scene.instances import InstanceTable
from cortenforge.scene.options import RenderOptions
from cortenforge.scene.shapes import BOX, PLANE

if TYPE_CHECKING:
    from cortenforge.model import Model

#: alpha from which on an instance counts as opaque
OPAQUE_ALPHA = 0.995
#: smallest scale: a scale of zero has no inverse
MIN_SCALE = 1e-9
#: exponent of highlights at a shininess of one
SHININESS_EXPONENT = 128.0
#: exp(-7) of a highlight is below what a byte can show
INVISIBLE_LOG = -7.0
#: factor on a plane's alpha when seen from behind
PLANE_BACK_ALPHA = 0.3
#: radius of the cylinder on which the sky is painted, over the far clipping distance
SKY_DISTANCE = 0.7


@dataclass
class FrameScene:
    """A frame and the instances that are drawn in it.

    radii:  bounding radius of each shape.   radius: of each instance, in the world.
    wire:   width of wireframe edges in pixels; 0 draws triangles.
    """

    frame: Frame
    instances: InstanceTable
    radii: np.ndarray
    lens: Lens
    wire: float = 0.0
    radius: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.n = len(self.instances["shape"])
        self.instances["scale"] = np.maximum(self.instances["scale"], MIN_SCALE)
        largest = np.abs(self.instances["scale"]).max(1, initial=0.0)
        self.radius = self.radii[self.instances["shape"]] * largest


def write_instances(scene: FrameScene, additive: bool = False) -> None:
    """Write instances to the frame, with a list of transparent ones, the farthest first."""
    frame, instances, n = scene.frame, scene.instances, scene.n
    frame.set_size("ninstance", n)
    frame.set_size("additive", int(additive))
    frame.arrays["wire"][0] = scene.wire
    for column in ("shape", "texture", "texscale", "flags"):
        frame.arrays[f"instance_{column}"][:n] = instances[column]
    # normals transform by the inverse transpose: they are divided by scales
    leaning = instances["scale"].min(1, initial=np.inf)[:, None] / instances["scale"]
    frame.arrays["instance_normal_mat"][:n] = (instances["mat"] * leaning[:, None, :]).reshape(n, 9)
    frame.arrays["instance_gloss"][:n] = instances["gloss"] * [1.0, 1.0, SHININESS_EXPONENT]
    # ln x <= x - 1, so cos^exponent < exp(-7) wherever cos < 1 - 7 / exponent
    exponents = np.maximum(SHININESS_EXPONENT * instances["gloss"][:, 2], 1e-12)
    frame.arrays["instance_highlight_end"][:n] = (
        np.maximum(1.0 + INVISIBLE_LOG / exponents, 0.0) ** 2
    )
    frame.arrays["instance_rgb"][:n] = instances["rgba"][:, :3]
    alpha = instances["rgba"][:, 3].copy()
    is_plane = instances["flags"] & IS_PLANE != 0
    away = scene.lens.pos - instances["pos"]
    behind = is_plane & ((away * instances["mat"][:, :, 2]).sum(1) < 0.0)
    alpha[behind] *= PLANE_BACK_ALPHA
    clear = (alpha < OPAQUE_ALPHA) | behind
    # MuJoCo draws transparent geoms twice, from near to far and from far to near
    twice = alpha if additive else 1.0 - (1.0 - alpha) ** 2
    frame.arrays["instance_alpha"][:n] = np.where(clear, twice, 1.0)
    frame.arrays["instance_flags"][:n][behind] |= 2
    distance = np.linalg.norm(away, axis=1) - scene.radius
    distance[is_plane] = 1e10
    listed = np.flatnonzero(clear)
    listed = listed[np.argsort(-distance[listed], kind="stable")]
    frame.set_size("ntransparent", len(listed))
    frame.arrays["transparent"][: len(listed)] = listed


def _write_view(
    scene: FrameScene, v: int, lens: Lens, kind: int, shape: tuple[int, int, int]
) -> None:
    """Write a view's projection of each instance; `shape` is (columns, rows, samples)."""
    arrays, instances, n = scene.frame.arrays, scene.instances, scene.n
    arrays["view_kind"][v] = kind | (VIEW_PARALLEL if lens.parallel else 0)
    arrays["view_size"][v] = shape[0], shape[1] * shape[2]
    arrays["view_rows"][v] = 0, shape[1] * shape[2]
    arrays["view_samples"][v] = shape[2]
    arrays["view_range"][v] = lens.near, lens.far
    own = slice(v * scene.frame.capacity, v * scene.frame.capacity + n)
    centre = instances["pos"] @ lens.matrix.T + lens.offset
    scaled = instances["mat"] * instances["scale"][:, None, :]
    arrays["to_view"][own] = (lens.matrix @ scaled).reshape(n, 9)
    arrays["at_view"][own] = centre
    arrays["is_seen"][own] = is_in_frustum(lens, centre, scene.radius, shape[0], shape[1])
    arrays["row_span"][own] = (
        screen_rows(lens, centre, scene.radius, shape[1], scene.wire) * shape[2]
    )
    if kind & VIEW_SHADOW:
        return
    start, way = lens.rays()
    arrays["view_from"][v], arrays["view_dir"][v] = start.reshape(9), way.reshape(9)
    arrays["view_eye"][v] = lens.pos
    inverse = instances["mat"].transpose(0, 2, 1) / instances["scale"][:, :, None]
    arrays["ray_dir"][own] = (inverse @ way).reshape(n, 9)
    starts = np.tile(start, (n, 1, 1))
    starts[:, :, 2] -= instances["pos"]
    arrays["ray_from"][own] = (inverse @ starts).reshape(n, 9)


def is_in_frustum(
    lens: Lens, at: np.ndarray, radius: np.ndarray, wide: int, high: int
) -> np.ndarray:
    """Frustum culling of bounding spheres; `at` are centres as the lens projects them."""
    x, y, z = at.T
    rows = lens.matrix
    if lens.parallel:
        right, bottom, turn = wide - x, high - y, np.zeros(3)
    else:
        right, bottom, turn = wide * z - x, high * z - y, rows[2]
    lengths = [
        np.linalg.norm(v) for v in (rows[0], wide * turn - rows[0], rows[1], high * turn - rows[1])
    ]
    inside: np.ndarray = (z + radius > lens.near) & (z - radius < lens.far)
    for side, length in zip((x, right, y, bottom), lengths, strict=True):
        inside &= side > -radius * length
    return inside


def screen_rows(
    lens: Lens, at: np.ndarray, radius: np.ndarray, high: int, wider: float
) -> np.ndarray:
    """First and last rows of pixels that spheres may cover, with a margin of `wider` pixels."""
    _, y, z = at.T
    reach = radius * np.linalg.norm(lens.matrix[1])
    low, top = y - reach, y + reach
    if not lens.parallel:
        near, far = np.maximum(z - radius, lens.near), z + radius
        around = z - radius <= lens.near
        low = np.where(around, 0.0, np.minimum(low / near, low / np.where(around, near, far)))
        top = np.where(around, high, np.maximum(top / near, top / np.where(around, near, far)))
    rows = np.stack([np.floor(low - wider), np.ceil(top + wider)], 1)
    return np.asarray(np.clip(rows, 0, high), np.int32)


def set_picture_view(scene: FrameScene) -> None:
    """Write the view of the picture, and that of transparent instances, a copy of it."""
    frame = scene.frame
    shape = (frame.width, frame.height, frame.samples)
    frame.set_size("samples", frame.samples)
    frame.set_size("mirror", -1)
    _write_view(scene, PICTURE_VIEW, scene.lens, 0, shape)
    for name, array in frame.arrays.items():
        if name.startswith("view_"):
            array[TRANSPARENT_VIEW] = array[PICTURE_VIEW]
        elif name in PER_INSTANCE_AND_VIEW:
            own = slice(
                TRANSPARENT_VIEW * frame.capacity, TRANSPARENT_VIEW * frame.capacity + scene.n
            )
            array[own] = array[
                PICTURE_VIEW * frame.capacity : PICTURE_VIEW * frame.capacity + scene.n
            ]
    frame.arrays["view_start"][PICTURE_VIEW] = 0
    frame.arrays["view_start"][[MIRROR_VIEW, TRANSPARENT_VIEW]] = frame.height * frame.samples


def set_mirror_view(scene: FrameScene, options: RenderOptions) -> None:
    """Write the view in the first opaque plane, or upper side of a box, with reflectance."""
    frame, instances = scene.frame, scene.instances
    opaque = frame.arrays["instance_alpha"][: scene.n] == 1.0
    flat = np.isin(instances["shape"], (PLANE, BOX))
    found = np.flatnonzero(flat & opaque & (instances["reflectance"] > 0))
    if not options.reflection or not len(found):
        return
    i = int(found[0])
    normal, point = instances["mat"][i][:, 2], instances["pos"][i]
    if instances["shape"][i] == BOX:
        point = point + normal * instances["scale"][i, 2]
    if (scene.lens.pos - point) @ normal < 0.0:
        return
    frame.set_size("mirror", i)
    arrays = frame.arrays
    arrays["plane_point"][0], arrays["plane_normal"][0] = point, normal
    arrays["reflectance"][0] = instances["reflectance"][i]
    shape = (frame.width, frame.height, frame.samples)
    lens = scene.lens.mirrored(point, normal)
    _write_view(scene, MIRROR_VIEW, lens, VIEW_MIRRORED, shape)
    arrays["is_seen"][MIRROR_VIEW * frame.capacity + i] = 0
    own = slice(MIRROR_VIEW * frame.capacity, MIRROR_VIEW * frame.capacity + scene.n)
    spans = arrays["row_span"][own][arrays["is_seen"][own] != 0]
    top = int(spans[:, 0].min(initial=frame.height * frame.samples))
    arrays["view_rows"][MIRROR_VIEW] = top, max(top, int(spans[:, 1].max(initial=0)))


def set_light_views(scene: FrameScene, lights: list[Light]) -> int:
    """Write lights, and the views of their shadow maps.  Returns the number of views."""
    frame, arrays = scene.frame, scene.frame.arrays
    frame.set_size("nlight", len(lights))
    view = FIRST_LIGHT_VIEW
    for k, light in enumerate(lights):
        for name in ("pos", "dir", "ambient", "diffuse", "specular", "attenuation", "cone"):
            arrays[f"light_{name}"][k] = getattr(light, name)
        arrays["light_kind"][k] = light.is_spot, -1
        if light.lens is None:
            continue
        size = frame.map_size
        arrays["light_kind"][k, 1] = view
        arrays["light_mat"][k] = light.lens.matrix.reshape(9)
        arrays["light_at"][k] = light.lens.offset
        arrays["light_bias"][k] = light.bias
        _write_view(scene, view, light.lens, VIEW_SHADOW, (size, size, 1))
        arrays["view_start"][view] = (view - FIRST_LIGHT_VIEW) * size
        # integers take half the memory of reals
        nearest = light.lens.far if light.lens.parallel else 1.0 / light.lens.near
        arrays["view_scale"][view] = 2.0**30 / nearest
        view += 1
    return view


def set_background(scene: FrameScene, model: Model, options: RenderOptions, sky: int) -> None:
    """Write sky, fog, and haze at the horizon of the first infinite plane."""
    frame, arrays = scene.frame, scene.frame.arrays
    vis, instances = model.vis, scene.instances
    frame.set_size("sky", sky)
    frame.set_size("has_haze", 0)
    frame.set_size("has_fog", int(options.fog))
    arrays["sky_distance"][0] = SKY_DISTANCE * scene.lens.far
    arrays["fog"][0] = vis.rgba.fog[:3]
    extent = float(model.stat_extent)
    arrays["fog_range"][0] = vis.map.fogstart * extent, vis.map.fogend * extent, 0.0
    endless = np.flatnonzero(
        (instances["shape"] == PLANE) & (instances["scale"][:, :2] > 1.05 * scene.lens.far).all(1)
    )
    if not options.haze or sky < 0 or not len(endless):
        return
    frame.set_size("has_haze", 1)
    i = int(endless[0])
    arrays["horizon_point"][0], arrays["horizon_normal"][0] = (
        instances["pos"][i],
        instances["mat"][i][:, 2],
    )
    arrays["haze"][0] = vis.rgba.haze[:3]
    arrays["haze_shape"][0] = haze_profile(float(vis.map.haze))


def haze_profile(r: float) -> tuple[float, float, float]:
    """Shape of haze of slope r.  Returns (r, height of the thickest haze from 0 to 1, 0)."""
    alpha = math.atan2(1.0, r)
    thick: Any = math.sqrt(0.5) * r * math.sin(alpha) / math.sin(0.75 * math.pi - alpha)
    return r, thick, 0.0
