"""Numbers and objects given to scripts that cannot be: typed errors with the argument's name."""

from __future__ import annotations

import math

import numpy as np
import pytest

import cortenforge as cf

MODEL = """
<mujoco>
  <worldbody><body><joint name="j" damping="1"/><geom size=".1" pos=".1 0 0"/>
    <body pos="0 0 1"><joint/><geom size=".1"/></body></body></worldbody>
  <actuator><general joint="j" dyntype="filter" dynprm="1"/></actuator>
</mujoco>"""
INCLUDING = '<mujoco><include file="a.xml"/></mujoco>'
SQUARE = ([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0.0]], [[0, 1, 2], [1, 3, 2]])
TETRAHEDRON = ([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]], [[0, 1, 2, 3]])
#: what is out of the range of all that deformables are made of
EXTREMES = (5e-324, 1e-300, 1e300, 1.7e308, math.nan, math.inf, 10**400, "x", 1j, b"1", object())


# assets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", ["<mujoco/>", 5, 10**10, None, 3.5, {"a": 1}, object()])
def test_assets_are_bytes(content):
    """Text, and numbers, which Python would take for lengths."""
    for load, text in (
        (cf.Model.from_mjcf, INCLUDING),
        (cf.Spec.from_mjcf, INCLUDING),
        (cf.Model.from_urdf, "<robot name='r'><link name='l'/></robot>"),
        (cf.validate, INCLUDING),
    ):
        with pytest.raises(cf.ArgumentError, match=r"assets\['a.xml'\]: expected bytes, got "):
            load(text, assets={"a.xml": content})


@pytest.mark.parametrize("assets", ["a.xml", 5, [1, 2], b"xx", np.zeros(3), object(), True])
def test_assets_are_a_dictionary(assets):
    with pytest.raises(cf.ArgumentError, match="assets: expected a dictionary"):
        cf.Model.from_mjcf(INCLUDING, assets=assets)


def test_names_of_assets_are_text():
    with pytest.raises(cf.ArgumentError, match=r"assets: expected names of files, got b'a\.xml'"):
        cf.Model.from_mjcf(INCLUDING, assets={b"a.xml": b"<mujoco/>"})


@pytest.mark.parametrize("made", [bytes, bytearray, memoryview])
def test_whatever_is_made_of_bytes(made):
    """Arrays of bytes are as good as bytes."""
    content = b"<mujoco><worldbody><site/></worldbody></mujoco>"
    assert cf.Model.from_mjcf(INCLUDING, assets={"a.xml": made(content)}).nsite == 1
    array = np.frombuffer(content, np.uint8)
    assert cf.Model.from_mjcf(INCLUDING, assets={"a.xml": array}).nsite == 1


def test_assets_of_a_spec_that_were_changed():
    spec = cf.Spec.from_mjcf(
        "<mujoco><asset><mesh name='m' file='a.stl'/></asset></mujoco>", assets={"a.stl": b""}
    )
    spec.assets["a.stl"] = "solid"
    with pytest.raises(cf.ArgumentError, match=r"expected bytes, got str; text becomes bytes by"):
        spec.compile()


# deformables ----------------------------------------------------------------------------------

KINDS = {
    "cloth": (lambda **more: cf.Cloth(*SQUARE, **more), ("thickness", "bending")),
    "body": (lambda **more: cf.SoftBody(*TETRAHEDRON, **more), ()),
    "edges": (lambda **more: cf.SoftBody(*TETRAHEDRON, model="edges", **more), ()),
    "chain": (lambda **more: cf.CapsuleChain(SQUARE[0], **more), ("bending",)),
}
NUMBERS = ("young", "poisson", "density", "friction", "damping", "radius", "spacing", "drag")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_numbers_of_deformables(kind, ground):
    """Each is refused by its name, or good for a model whose arrays are finite."""
    make, more = KINDS[kind]
    for name in (*NUMBERS, *more, "group", "contype"):
        for value in EXTREMES:
            try:
                body = make(**{name: value})
            except cf.SoftError as error:
                assert name in str(error)
                continue
            made = ground.with_deformables([body])
            for field, array in made._store.arrays.items():
                if field.startswith("soft") and array.dtype.kind == "f":
                    assert np.isfinite(array).all(), (name, value, field)


@pytest.fixture(scope="module")
def ground() -> cf.Model:
    return cf.Model.from_mjcf("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")


@pytest.mark.parametrize("size", [1e-300, 1e-100, 1e-13, 1e7])
@pytest.mark.parametrize("kind", ["cloth", "body", "chain"])
def test_sizes_of_deformables(kind, size):
    vertices = size * np.array(TETRAHEDRON[0] if kind == "body" else SQUARE[0])
    with pytest.raises(cf.SoftError, match=r"(?s)vertices: .*lengths are in metres"):
        if kind == "cloth":
            cf.Cloth(vertices, SQUARE[1])
        elif kind == "body":
            cf.SoftBody(vertices, TETRAHEDRON[1])
        else:
            cf.CapsuleChain(vertices)


@pytest.mark.parametrize("quat", [[1e300] * 4, [1.7e308, 0, 0, 0]])
def test_turns_that_overflow(quat):
    with pytest.raises(cf.SoftError, match="quat: entry 0 is not at most 1e"):
        cf.Cloth(*SQUARE, quat=quat)


# derivatives ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def model() -> cf.Model:
    return cf.Model.from_mjcf(MODEL)


@pytest.mark.parametrize("bad", [math.nan, math.inf, 1e300])
@pytest.mark.parametrize(("name", "error"), [("qpos", "Position"), ("qvel", "Velocity")])
def test_derivatives_of_states_that_are_none(model, name, error, bad):
    """As a step would say it, by whichever derivative is asked for."""
    for ask in (
        "smooth_velocity_derivative",
        "smooth_position_derivative",
        "inverse_derivatives",
        "transition_derivatives",
    ):
        data = model.make_data()
        getattr(data, name)[1] = bad
        with pytest.raises(getattr(cf, f"Invalid{error}"), match=rf"{name}\[1\]"):
            getattr(data, ask)()


def test_derivatives_that_come_out_as_none(model):
    """Activations and accelerations that are no numbers."""
    data = model.make_data()
    data.act[0] = math.nan
    with pytest.raises(cf.StepError, match="derivatives are not finite at t = 0 s"):
        data.smooth_position_derivative()
    data.reset()
    data.qacc[0] = math.nan
    with pytest.raises(cf.InvalidAcceleration, match=r"qacc\[0\]"):
        data.inverse_derivatives()


def test_differences_that_are_lost(model):
    """A number so large that eps is rounding of it; the remedy is in the message."""
    data = model.make_data()
    data.qvel[0] = 5e6
    config = cf.DerivativeConfig(method="fd", eps=1e-8)
    with pytest.raises(
        cf.ArgumentError,
        match=r"eps: 1e-08 is too small beside .* qvel = 5e\+06: use at least 9e-07",
    ):
        data.transition_derivatives(config)
    with pytest.raises(cf.ArgumentError, match="too small beside the rounding of qvel"):
        data.inverse_derivatives(config)
    batch = cf.BatchSim(model, 3, threads=1)
    batch.ctrl[1] = 1e9
    with pytest.raises(cf.ArgumentError, match="too small beside the rounding of ctrl"):
        batch.transition_derivatives(config)
    data.transition_derivatives(cf.DerivativeConfig(method="fd", eps=1e-4))
