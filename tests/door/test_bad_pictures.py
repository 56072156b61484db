"""What no picture can be made of is refused in words: numbers of a model, cameras, options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.errors import ArgumentError, CortenForgeError, ModelError, ShapeError
from cortenforge.viewer.painter import FramePainter
from cortenforge.viewer.view_options import default_view_options
from cortenforge.viewer.worlds import SingleWorld

SCENE = """
<mujoco>
  <asset>
    <texture name="t" type="2d" builtin="checker" width="16" height="16"/>
    <material name="m" texture="t" reflectance="0.3"/>
  </asset>
  <worldbody>
    <light pos="0 0 3" dir="0 0 -1" cutoff="30" exponent="2"/>
    <camera name="usual" pos="0 -3 1" xyaxes="1 0 0 0 0.3 1"/>
    <camera name="sensor" pos="0 -3 1" xyaxes="1 0 0 0 0.3 1" focal="0.01 0.01"
            sensorsize="0.02 0.02" resolution="64 64"/>
    <camera name="parallel" pos="0 -3 1" xyaxes="1 0 0 0 0.3 1" fovy="3"
            projection="orthographic"/>
    <geom type="plane" size="0 0 1" material="m"/>
    <body name="ball" pos="0 0 0.2"><freejoint/><geom size="0.2"/><site/></body>
  </worldbody>
</mujoco>
"""
CAMERAS = (None, "usual", "sensor", "parallel")


@pytest.fixture(scope="module")
def world() -> tuple[cf.Model, cf.Data]:
    return fresh()


@pytest.fixture
def edited() -> tuple[cf.Model, cf.Data]:
    """A world of one's own."""
    return fresh()


def fresh() -> tuple[cf.Model, cf.Data]:
    model = cf.Model.from_mjcf(SCENE)
    data = model.make_data()
    data.forward()
    return model, data


def pictures(model: cf.Model, data: cf.Data, **options: Any) -> None:
    """Every kind of picture, through every kind of camera."""
    for camera in CAMERAS:
        for mode in ("rgb", "depth", "segmentation"):
            made = cf.Renderer(
                model, width=24, height=16, options=cf.RenderOptions(**options)
            ).render(data, camera, mode=mode)
            assert np.isfinite(made).all()


def set_vis(group: str, name: str, value: Any) -> Callable[[cf.Model], None]:
    return lambda model: setattr(getattr(model.vis, f"{group}_"), name, value)


def set_array(name: str, value: Any) -> Callable[[cf.Model], None]:
    def change(model: cf.Model) -> None:
        getattr(model, name)[...] = value

    return change


BAD = (np.inf, -np.inf, np.nan)
EDITS = {
    **{f"znear {n}": set_vis("map", "znear", n) for n in (*BAD, 0.0, -1.0, 1e-300, 1e300)},
    **{f"zfar {n}": set_vis("map", "zfar", n) for n in (*BAD, 0.0, -1.0, 1e-3, 1e300)},
    **{f"haze {n}": set_vis("map", "haze", n) for n in BAD},
    **{f"fogend {n}": set_vis("map", "fogend", n) for n in BAD},
    **{f"shadowscale {n}": set_vis("map", "shadowscale", n) for n in BAD},
    **{f"slices {n}": set_vis("quality", "numslices", n) for n in (-1, 10**6)},
    **{f"stacks {n}": set_vis("quality", "numstacks", n) for n in (-1, 10**6)},
    **{f"shadowsize {n}": set_vis("quality", "shadowsize", n) for n in (-1, -(10**6))},
    **{f"headlight {n}": set_vis("headlight", "diffuse", np.full(3, n)) for n in BAD},
    **{f"cutoff {n}": set_array("light_cutoff", n) for n in BAD},
    **{f"attenuation {n}": set_array("light_attenuation", n) for n in BAD},
    **{f"exponent {n}": set_array("light_exponent", n) for n in BAD},
    **{f"texrepeat {n}": set_array("mat_texrepeat", n) for n in BAD},
    **{f"colour {n}": set_array("geom_rgba", n) for n in BAD},
    **{f"centre {n}": set_array("stat_center", n) for n in BAD},
    **{f"intrinsic {n}": set_array("cam_intrinsic", n) for n in BAD},
    **{f"sensor {n}": set_array("cam_sensorsize", n) for n in BAD},
    **{f"intrinsic {n}": set_array("cam_intrinsic", n) for n in (0.0, -1.0, 1e-300)},
    "sensor -1": set_array("cam_sensorsize", -1.0),
    "haze -1": set_vis("map", "haze", -1.0),
    **{f"mass {n}": lambda model, n=n: setattr(model.stat, "meanmass", n) for n in (0.0, -1.0)},
}


@pytest.mark.parametrize("edit", EDITS)
def test_numbers_of_a_model(edit: str, edited: tuple[cf.Model, cf.Data]) -> None:
    model, data = edited
    renderer = cf.Renderer(model, width=24, height=16)
    renderer.render(data)
    EDITS[edit](model)
    with pytest.raises(ModelError, match="a picture needs"):
        renderer.render(data)
    with pytest.raises(ModelError, match="a picture needs"):
        cf.Renderer(model, width=24, height=16).render(data)


@pytest.mark.parametrize("name", ["geom_matid", "site_matid", "mat_texid"])
@pytest.mark.parametrize("number", [10**6, -7])
def test_indices_of_a_model(name: str, number: int, edited: tuple[cf.Model, cf.Data]) -> None:
    """A picture checks them as a step does."""
    model, data = edited
    renderer = cf.Renderer(model, width=24, height=16)
    getattr(model, name)[...] = number
    for look in (
        lambda: renderer.render(data),
        lambda: cf.Renderer(model, width=24, height=16),
        lambda: FramePainter(SingleWorld(data)).frame(default_view_options(model, {})),
    ):
        with pytest.raises(ModelError, match=rf"{name}\[.*{number}.*an index below"):
            look()


@pytest.mark.parametrize(
    ("group", "name", "value"),
    [
        ("quality", "numslices", "x"),
        ("quality", "numslices", 1e300),
        ("quality", "shadowsize", -1e300),
        ("map", "alpha", "x"),
    ],
)
def test_settings_that_are_no_numbers(
    group: str, name: str, value: Any, edited: tuple[cf.Model, cf.Data]
) -> None:
    """They are refused where they are assigned, and nothing changes."""
    settings = getattr(edited[0].vis, group)
    before = getattr(settings, name)
    with pytest.raises(ShapeError, match=rf"vis\.{group}\.{name}"):
        setattr(settings, name, value)
    assert getattr(settings, name) == before


@pytest.mark.parametrize("name", ["tex_width", "tex_height", "tex_nchannel", "tex_adr"])
@pytest.mark.parametrize("number", [-1, 10**6])
def test_textures(name: str, number: int, edited: tuple[cf.Model, cf.Data]) -> None:
    model, data = edited
    model._store.arrays[name][:] = number
    if number < 0 and name in ("tex_nchannel", "tex_adr"):  # a texture that is not there
        cf.Renderer(model, width=24, height=16).render(data)
        return
    with pytest.raises(ModelError, match="texture 0"):
        cf.Renderer(model, width=24, height=16)


@pytest.mark.parametrize("extent", [*BAD, 0.0, -1.0, 1e300, 1e-300])
@pytest.mark.parametrize("camera", CAMERAS)
def test_extents(extent: float, camera: str | None, edited: tuple[cf.Model, cf.Data]) -> None:
    model, data = edited
    model.stat.extent = extent
    with pytest.raises(ModelError, match=r"stat\.extent"):
        cf.Renderer(model, width=24, height=16).render(data, camera)


@pytest.mark.parametrize("fovy", [*BAD, 0.0, -1.0, 180.0, 1e300])
def test_fields_of_view(fovy: float, edited: tuple[cf.Model, cf.Data]) -> None:
    model, data = edited
    renderer = cf.Renderer(model, width=24, height=16)
    model.cam_fovy[:] = fovy
    with pytest.raises(ModelError, match=r"cam_fovy\[0\]"):
        renderer.render(data, "usual")
    renderer.render(data, "sensor")  # which has no use for it
    if fovy != 180.0:  # so many metres, where lines are parallel
        with pytest.raises(ModelError, match=r"cam_fovy\[2\]"):
            renderer.render(data, "parallel")
    model.vis.global_.fovy = fovy
    with pytest.raises(ModelError, match=r"vis\.global\.fovy"):
        renderer.render(data)


def test_what_can_be_is_drawn(world: tuple[cf.Model, cf.Data]) -> None:
    pictures(*world)
    pictures(*world, contactforce=True, geomgroup=[1, 1, 0, 0, 0, 0], samples=np.int64(2))


@pytest.mark.parametrize(
    "camera",
    [
        *(cf.Camera(distance=n) for n in ("x", "1", [], None.__class__, 1j, 1e300, *BAD)),
        *(cf.Camera(azimuth=n) for n in ("x", {}, *BAD)),
        *(cf.Camera(elevation=n) for n in ("x", np.zeros(2), *BAD)),
        *(cf.Camera(lookat=n) for n in ("x", 3, [1, 2], "abc", [None] * 3, [1e300, 0, 0], [[]])),
        *(cf.Camera(track=n) for n in ("nobody", 99, -1, 1.5, True, [], {})),
        "nobody", 99, -1, 1.5, True, [], Ellipsis, np.zeros(3), b"usual",
    ],
    ids=repr,
)  # fmt: skip
def test_cameras(camera: Any, world: tuple[cf.Model, cf.Data]) -> None:
    model, data = world
    with pytest.raises(ArgumentError, match="camera"):
        cf.Renderer(model, width=24, height=16).render(data, camera)


@pytest.mark.parametrize(
    "options",
    [
        *({"geomgroup": n} for n in (None, 3, "abcdef", [1, 2], [None] * 6, [[]] * 6, "x")),
        *({"frame": n} for n in (None, [], "bodies", np.zeros(2))),
        *({"label": n} for n in (3, {}, "geoms")),
        *({"perturb": n} for n in (3, "x", cf.Perturb(select="x"), cf.Perturb(select=-1),
                                   cf.Perturb(select=10**6), cf.Perturb(1, localpos="x"),
                                   cf.Perturb(1, localpos=None),
                                   cf.Perturb(1, refselpos=[np.nan] * 3),
                                   cf.Perturb(1, refquat=[1, 0]))),
        *({"bvh_depth": n} for n in ("x", None, 1.5, -1, np.nan)),
        *({"samples": n} for n in (0, 3, "4", 1.5, True, np.zeros(2), 10**30)),
        *({"shadowsize": n} for n in ("x", -1, 1.5, 10**6, np.nan, [])),
        *({"shadow": n} for n in ("no", None, 7, np.zeros(2), [])),
        {"contactforce": "x"},
    ],
    ids=repr,
)  # fmt: skip
def test_options(options: dict[str, Any], world: tuple[cf.Model, cf.Data]) -> None:
    model, data = world
    with pytest.raises(ArgumentError, match=f"options.{next(iter(options))}"):
        cf.Renderer(model, width=24, height=16, options=cf.RenderOptions(**options)).render(data)
    renderer = cf.Renderer(model, width=24, height=16)
    setattr(renderer.options, *next(iter(options.items())))
    with pytest.raises(ArgumentError, match=f"options.{next(iter(options))}"):
        renderer.render(data)


TRIANGLE = {"vert": np.eye(3), "face": [[0, 1, 2]]}
EDGE = {"vert": np.eye(3), "edge": [[0, 1]], "radius": 0.1}


@pytest.mark.parametrize(
    "change",
    [
        *({"matid": n} for n in (10**6, 1, -2, 1.5, "m", None, 2**40)),
        *({"rgba": n} for n in ("red", [1, 2], None, [np.nan] * 4, [1e300] * 4, 3)),
        *({"radius": n} for n in ("x", None, np.nan, np.inf, -1.0, 1e300)),
        *({"objid": n} for n in ("x", 1.5, 2**40)),
        *({"vert": n} for n in ("x", [1, 2, 3], [[np.inf, 0, 0]] * 3, None, [[1e300, 0, 0]] * 3)),
    ],
    ids=repr,
)
@pytest.mark.parametrize("kind", [cf.Surface, cf.Tubes])
def test_surfaces_and_tubes(kind: Any, change: dict[str, Any], world) -> None:
    model, data = world
    usual = TRIANGLE if kind is cf.Surface else EDGE
    with pytest.raises(ArgumentError, match=next(iter(change))):
        extra = kind(**{**usual, **change})
        cf.Renderer(model, width=24, height=16).render(data, extra=[extra])


@pytest.mark.parametrize(
    "change", [{"flags": "x"}, {"flags": -1}, {"face": "x"}, {"face": [[0, 1, 3]]},
               {"face": [[np.nan] * 3]}, {"texcoord": "x"}, {"texcoord": [[0, 0]]}],
    ids=repr,
)  # fmt: skip
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast")
def test_surfaces(change: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError):
        cf.Surface(**{**TRIANGLE, **change})


@pytest.mark.parametrize(
    "arguments",
    [
        {"mode": "x"}, {"mode": None}, {"extra": [3]}, {"extra": ["x"]}, {"out": "x"}, {"out": 3},
        {"out": np.zeros((2, 2))}, {"data": None}, {"data": 3},
    ],
    ids=repr,
)  # fmt: skip
def test_calls(arguments: dict[str, Any], world: tuple[cf.Model, cf.Data]) -> None:
    model, data = world
    arguments = dict(arguments)
    with pytest.raises(ArgumentError):
        cf.Renderer(model, width=24, height=16).render(arguments.pop("data", data), **arguments)


def test_a_picture_that_cannot_be_written_to(world: tuple[cf.Model, cf.Data]) -> None:
    model, data = world
    out = np.empty((16, 24, 3), np.uint8)
    out.flags.writeable = False
    with pytest.raises(ArgumentError, match="out"):
        cf.Renderer(model, width=24, height=16).render(data, out=out)


@pytest.mark.parametrize("options", [3, "x", {}, cf.RenderOptions])
def test_options_that_are_none(options: Any, world: tuple[cf.Model, cf.Data]) -> None:
    with pytest.raises(ArgumentError, match="options"):
        cf.Renderer(world[0], width=24, height=16, options=options)


@pytest.mark.parametrize(
    "shown",
    [{"follow": 10**6}, {"follow": -1}, {"follow": "x"}, {"follow": None}, {"frame": 3},
     {"spacing": np.nan}, {"spacing": "x"}, {"spacing": -1.0}, {"speed": "x"}, {"speed": np.nan},
     {"control": 3}, {"extra": 3}],
    ids=repr,
)  # fmt: skip
def test_viewers(shown: dict[str, Any], world: tuple[cf.Model, cf.Data]) -> None:
    pytest.importorskip("viser", reason="viser is not installed")
    with pytest.raises(CortenForgeError, match=next(iter(shown))):
        cf.view(*world, port=0, **shown)


def test_a_viewer_of_a_model_that_cannot_be_drawn(edited: tuple[cf.Model, cf.Data]) -> None:
    """At the start it is refused; later it is said, and the viewer stays."""
    pytest.importorskip("viser", reason="viser is not installed")
    model, data = edited
    with cf.view(model, data, port=0, play=False) as viewer, viewer.lock:
        model.geom_rgba[:] = np.inf
        viewer.draw_now()
        assert "geom_rgba" in (viewer.session.problem or "")
    with pytest.raises(ModelError, match="geom_rgba"):
        cf.view(model, data, port=0)
