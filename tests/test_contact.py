"""Contact parameters in physical units, against contacts that MuJoCo simulates."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cortenforge as cf
from cortenforge.compare import mujoco_module
from tests.step.borrowed import borrow
from tests.step.stages import pair

BALL = """<mujoco><option timestep="{step}" gravity="0 0 -{g}" cone="{cone}"/><worldbody>
<geom type="plane" size="1 1 1" priority="-1"/><body pos="0 0 .1"><freejoint/>
<geom size=".1" mass="{mass}" condim="{condim}" friction="{friction} .1 .1" solref="{solref}"
solimp="{solimp}"/></body></worldbody></mujoco>"""
DEFAULT = ((0.02, 1.0), (0.9, 0.95, 0.001, 0.5, 2.0))


def ball(parameters, seconds, *, speed=0.0, **settings):
    """A ball on the floor in both engines; MuJoCo has gone on for some time."""
    solref, solimp = (" ".join(map(repr, numbers)) for numbers in parameters)
    usual = {"step": 1e-3, "g": 0, "cone": "elliptic", "mass": 0.3, "condim": 3, "friction": 1.0}
    both = pair(BALL.format(**usual | settings, solref=solref, solimp=solimp))
    both.theirs.qvel[2] = speed
    count = round(seconds / both.model.opt.timestep)
    mujoco_module().mj_step(both.reference, both.theirs, count)
    return both


@pytest.mark.parametrize("wanted", [0.9, 0.5, 0.2, 0.05])
def test_restitution(wanted):
    """A ball bounces with what was asked for, to the error of its steps."""
    made = cf.contact.from_physical(stiffness=3000, restitution=wanted, mass=0.3)
    assert math.isclose(cf.contact.to_physical(*made, mass=0.3).restitution, wanted, rel_tol=1e-9)
    both = ball(made, 0.4, speed=-1, step=1e-4)
    np.testing.assert_allclose(both.theirs.qvel[2], wanted, rtol=3e-3)


@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
@pytest.mark.parametrize(("condim", "friction"), [(1, 1.0), (3, 1.0), (3, 0.5), (6, 0.7)])
def test_static_depth(cone, condim, friction):
    """Predicted from stiffness, and from the default parameters, far within 1% in both engines."""
    pyramid = cf.contact.share(friction, condim=condim) if cone == "pyramidal" else 1.0
    settings = {"g": 9.81, "cone": cone, "condim": condim, "friction": friction}
    made = cf.contact.from_physical(stiffness=2000, mass=0.3, pyramid=pyramid)
    for parameters in (made, DEFAULT):
        both = ball(parameters, 2, **settings)
        predicted = cf.contact.static_depth(*parameters, mass=0.3, force=2.943, pyramid=pyramid)
        np.testing.assert_allclose(0.1 - both.theirs.qpos[2], predicted, rtol=1e-5)
        both.data.step(2000)
        np.testing.assert_allclose(0.1 - both.data.qpos[2], predicted, rtol=1e-5)
        both.data.qpos[:], both.data.qvel[:] = both.theirs.qpos, both.theirs.qvel
        borrow(both)
        told = both.data.explain_contact(0)
        np.testing.assert_allclose(told.static_depth, predicted, rtol=1e-5)
        np.testing.assert_allclose(told.physics.mass, 0.3, rtol=1e-9)
        meant = cf.contact.to_physical(*parameters, mass=0.3, depth=told.depth, pyramid=pyramid)
        for name in ("stiffness", "damping", "inertia"):
            ours, theirs = getattr(told.physics, name), getattr(meant, name)
            np.testing.assert_allclose(ours, theirs, rtol=1e-9, err_msg=name)
    np.testing.assert_allclose(
        cf.contact.static_depth(*made, mass=0.3, force=2.943, pyramid=pyramid), 2.943 / 2000
    )


@pytest.mark.parametrize("share", [0.8, 1.2])
def test_largest_timestep(share):
    """A ball pressed on the floor comes to rest with shorter steps, not with longer ones."""
    made = cf.contact.from_physical(stiffness=3000, damping=10, mass=0.3)
    step = share * cf.contact.to_physical(*made, mass=0.3).largest_timestep
    both = ball(made, 0, g=100, step=step)
    rest = cf.contact.static_depth(*made, mass=0.3, force=30)
    both.theirs.qpos[2] = 0.1 - 1.01 * rest
    mujoco_module().mj_step(both.reference, both.theirs, 200)
    off = abs(0.1 - both.theirs.qpos[2] - rest) / rest
    assert off < 1e-3 if share < 1 else off > 0.1


def test_settling_time():
    """What is left of the way to the depth at rest, after that time: 2%, or a swing below it."""
    made = cf.contact.from_physical(stiffness=3000, damping=60, mass=0.3)
    found = cf.contact.to_physical(*made, mass=0.3)
    assert found.dampratio > 0.3
    both = ball(made, found.settling_time, g=100, step=1e-4)
    rest = cf.contact.static_depth(*made, mass=0.3, force=30)
    assert abs(0.1 - both.theirs.qpos[2] - rest) < 0.025 * rest


@given(
    stiffness=st.floats(1e-2, 1e8),
    mass=st.floats(1e-4, 1e4),
    ratio=st.floats(0, 5),
    impedance=st.floats(0.01, 0.99),
)
def test_there_and_back(stiffness, mass, ratio, impedance):
    """What comes back is what was asked for."""
    damping = 2 * ratio * math.sqrt(stiffness * mass / (1 - impedance))
    made = cf.contact.from_physical(
        stiffness=stiffness, damping=damping, mass=mass, impedance=impedance
    )
    found = cf.contact.to_physical(*made, mass=mass)
    assert math.isclose(found.stiffness, stiffness, rel_tol=1e-9)
    assert math.isclose(found.damping, damping, rel_tol=1e-9, abs_tol=1e-300)
    assert math.isclose(found.dampratio, ratio, rel_tol=1e-9, abs_tol=1e-12)
    assert 0 <= found.restitution <= 1 and found.largest_timestep > 0


def test_impedance_is_mujocos():
    """Along its curve, at depths inside and beyond the width, for odd numbers as well."""
    for solimp in ((0.2, 0.9, 0.01, 0.3, 3), (0, 1, 0.02, 0.5, 1), (0.5, 0.5, 0, 0, 0.2)):
        both = ball(((0.02, 1), solimp), 0)
        for depth in (1e-5, 0.002, 0.004, 0.0099, 0.05):
            both.data.qpos[2] = both.theirs.qpos[2] = 0.1 - depth
            borrow(both)
            wanted = both.theirs.efc_KBIP[0, 2]
            np.testing.assert_allclose(cf.contact.impedance_at(solimp, depth), wanted, rtol=1e-9)


def test_a_contact_in_words():
    """Numbers with units, and a warning for a time constant below two steps."""
    both = ball(((0.001, 1.0), DEFAULT[1]), 0.05, g=9.81)
    both.data.qpos[:], both.data.qvel[:] = both.theirs.qpos, both.theirs.qvel
    borrow(both)
    with pytest.warns(cf.StepWarning, match="less than two time steps"):
        text = str(both.data.explain_contact(0))
    for word in ("stiffness", "damping", "settling time", "static depth", "N/m", "refsafe"):
        assert word in text
    with pytest.raises(IndexError):
        both.data.explain_contact(1)
    both.data._store.arrays["contact_efc_address"][0] = -1
    assert "inactive" in str(both.data.explain_contact(0))


def test_fast_contacts_are_warned_of():
    """When the time step is said."""
    with pytest.warns(cf.StepWarning, match="time constant"):
        cf.contact.from_physical(stiffness=1e7, mass=0.1, timestep=0.002)


BAD = {
    "stiffness": {"stiffness": 0, "mass": 1},
    "mass": {"stiffness": 1, "mass": math.nan},
    "both": {"stiffness": 1, "mass": 1, "damping": 1, "restitution": 0.5},
    "damping": {"stiffness": 1, "mass": 1, "damping": -1},
    "restitution": {"stiffness": 1, "mass": 1, "restitution": 1.5},
    "impedance": {"stiffness": 1, "mass": 1, "impedance": 1},
    "pyramid": {"stiffness": 1, "mass": 1, "pyramid": 0},
}


@pytest.mark.parametrize("wrong", BAD)
def test_bad_numbers(wrong):
    """Typed errors."""
    with pytest.raises(cf.ArgumentError):
        cf.contact.from_physical(**BAD[wrong])


def test_more_bad_numbers():
    """Typed errors of the other functions."""
    for call in (
        lambda: cf.contact.to_physical((0.02,), DEFAULT[1], mass=1),
        lambda: cf.contact.to_physical(*DEFAULT, mass=-1),
        lambda: cf.contact.static_depth(*DEFAULT, mass=1, force=math.inf),
        lambda: cf.contact.share(0.0),
        lambda: cf.contact.share(1.0, condim=2),
    ):
        with pytest.raises(cf.ArgumentError):
            call()
