"""MuJoCo's plugins of signed distance fields as shapes that are built in."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from conformance.fields import load_plugins
from cortenforge.enums import SdfShape
from cortenforge.errors import MjcfError
from cortenforge.grammar.sdf_shapes import SDF_SHAPES

mujoco = pytest.importorskip("mujoco")

CONFIGS = {
    "bolt": {"radius": 0.255},
    "bowl": {"height": 0.3, "radius": 0.7, "thickness": 0.05},
    "gear": {"alpha": 0.1, "teeth": 20},
    "nut": {},
    "torus": {"radius1": 0.4},
}


def text(name: str, config: dict[str, float], *, in_place: bool = False) -> str:
    """A shape and a camera that looks at it."""
    settings = "".join(f'<config key="{k}" value="{v}"/>' for k, v in config.items())
    one = f'<plugin plugin="mujoco.sdf.{name}"'
    own = f"{one}>{settings}</plugin>" if in_place else '<plugin instance="i"/>'
    declared = "" if in_place else f'<instance name="i">{settings}</instance>'
    return f"""<mujoco><extension>{one}>{declared}</plugin></extension>
      <asset><mesh name="m">{own}</mesh></asset><worldbody>
      <body pos=".1 .2 .3" euler="20 30 40"><freejoint/>
      <geom name="g" type="sdf" mesh="m">{own}</geom></body></worldbody></mujoco>"""


@pytest.mark.parametrize("name", CONFIGS)
def test_shapes_are_mujocos(name):
    """Arrays as MuJoCo compiles them, up to the mesh; rays meet the same surface.

    The mesh is another one (nets instead of marching cubes), so masses and sizes are near.
    """
    load_plugins()
    source = text(name, CONFIGS[name])
    model, theirs = cf.load_model(source), mujoco.MjModel.from_xml_string(source)
    assert model.geom_sdf.tolist() == [SdfShape[name.upper()]]
    params = {**SDF_SHAPES[name], **CONFIGS[name]}
    assert model.geom_sdfprm[0, : len(params)].tolist() == list(params.values())
    for field in ("mesh_pos", "mesh_quat", "geom_pos", "geom_quat", "body_ipos", "body_iquat"):
        np.testing.assert_array_equal(getattr(model, field), getattr(theirs, field))
    np.testing.assert_allclose(model.geom_size, theirs.geom_size, rtol=0.01)
    np.testing.assert_allclose(model.body_mass, theirs.body_mass, rtol=0.03)
    np.testing.assert_allclose(model.body_inertia, theirs.body_inertia, rtol=0.05)
    data, other = model.make_data(), mujoco.MjData(theirs)
    data.forward(smooth_only=True)
    mujoco.mj_forward(theirs, other)
    rng = np.random.default_rng(4)
    start = rng.normal(size=(300, 3))
    start *= 2.5 / np.linalg.norm(start, axis=1)[:, None]
    way = rng.uniform(-0.4, 0.4, (300, 3)) - start
    found = data.multi_ray(start, way)
    hits = np.full(300, -1.0)
    for i in range(300):
        hits[i] = mujoco.mj_ray(theirs, other, start[i], way[i], None, 1, -1, np.zeros(1, np.int32))
    # rays that MuJoCo's 40 steps just reach, or that pass its box of other half sizes, are few
    both = (found.dist >= 0) & (hits >= 0)
    assert both.sum() > 20 and np.sum((found.dist >= 0) != (hits >= 0)) <= 6
    np.testing.assert_allclose(found.dist[both], hits[both], atol=1e-7)


@pytest.mark.parametrize("name", CONFIGS)
def test_gradients_are_differences(name):
    """Gradients of formulas, but for the edges at which they jump."""
    model = cf.load_model(text(name, CONFIGS[name]))
    points = np.random.default_rng(5).uniform(-0.7, 0.7, (400, 3))
    found = model.sdf_at("g", points)
    wrong = np.zeros(len(points))
    for axis in range(3):
        step = np.eye(3)[axis] * 1e-7
        change = model.sdf_at("g", points + step).distance
        change = (change - model.sdf_at("g", points - step).distance) / 2e-7
        wrong = np.maximum(wrong, np.abs(found.gradient[:, axis] - change))
    assert np.mean(wrong < 1e-5) > 0.99


def test_configured_in_place():
    """The same model, whether an instance or the plugin itself is configured."""
    one, other = (text("bowl", CONFIGS["bowl"], in_place=flag) for flag in (False, True))
    assert cf.load_model(one).hash == cf.load_model(other).hash


def test_written_in_the_words_of_mujoco():
    """Shapes are written as plugins, which both engines read."""
    load_plugins()
    spec = cf.Spec.from_mjcf(text("torus", {"radius1": 0.5}))
    written = spec.to_xml()
    assert 'plugin="mujoco.sdf.torus"' in written and "sdfparams" not in written
    assert cf.load_model(written).hash == spec.compile().hash
    model = mujoco.MjModel.from_xml_string(written)
    assert (model.nplugin, model.geom_type[0]) == (2, 8)


BAD = {
    "no such key": ('<config key="radius" value="1"/>', "key"),
    "no number": ('<config key="radius1" value="a"/>', "value"),
    "negative": ('<config key="radius1" value="-1"/>', "sdfparams"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_settings(case):
    config, attribute = BAD[case]
    source = text("torus", {}, in_place=True)
    source = source.replace('torus"></plugin></mesh>', f'torus">{config}</plugin></mesh>')
    with pytest.raises(MjcfError) as caught:
        cf.load_model(source)
    assert caught.value.attribute == attribute


@pytest.mark.parametrize(
    ("mesh", "attribute"),
    [
        ('sdf="torus" scale="2 2 2"', "scale"),
        ('sdf="torus" builtin="box" params="1 1 1"', "builtin"),
        ('sdf="torus" sdfparams="1 2 3"', "sdfparams"),
        ('sdf="bowl" sdfparams="2 1 .1"', "sdfparams"),
        ('sdf="gear" sdfparams="0 1 2"', "sdfparams"),
        ('sdf="cup"', "sdf"),
    ],
)
def test_bad_meshes(mesh, attribute):
    with pytest.raises(MjcfError) as caught:
        cf.load_model(f'<mujoco><asset><mesh name="m" {mesh}/></asset></mujoco>')
    assert caught.value.attribute == attribute


def test_other_plugins_are_refused():
    """By name, also where an instance of one of ours is expected."""
    source = text("torus", {})
    with pytest.raises(MjcfError, match=r"mujoco\.sdf\.cup"):
        cf.load_model(source.replace("sdf.torus", "sdf.cup"))
    actuator = '</worldbody><actuator><plugin instance="i"/></actuator>'
    with pytest.raises(MjcfError, match="plugin instance 'i' is not supported"):
        cf.load_model(source.replace("</worldbody>", actuator))


def test_meshes_are_closed():
    """Every edge of a mesh around a shape has two triangles, one on each side."""
    for name in CONFIGS:
        model = cf.load_model(text(name, {}))
        face = model.mesh_face
        there = np.concatenate([face[:, (i, (i + 1) % 3)] for i in range(3)])
        back = there[:, ::-1]
        assert np.array_equal(
            *(np.unique(rows, axis=0, return_counts=False) for rows in (there, back))
        )
        points = model.mesh_vert.astype(float)
        assert np.abs(model.sdf_at("g", points).distance).max() < 0.05
