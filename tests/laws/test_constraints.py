"""Contacts, limits, equalities and friction against what can be worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import ellipk

import cortenforge as cf
from cortenforge import models
from cortenforge.compare import load_reference, mujoco_module

from .mechanics import GRAVITY

CONES = pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])


def made(xml: str) -> cf.Data:
    return cf.Model.from_mjcf(xml).make_data()


# ---------------------------------------------------------------------- contacts

BALL = """<mujoco><option timestep="{step}" gravity="0 0 -{g}"/><worldbody>
<geom type="plane" size="1 1 1" priority="-1"/><body pos="0 0 .1">
<joint type="slide" axis="0 0 1"/>
<geom size=".1" mass="2" condim="1" solref="{solref}" solimp="{solimp}"/></body>
</worldbody></mujoco>"""


@pytest.mark.parametrize(("timeconst", "dampratio"), [(0.02, 1), (0.05, 1), (0.02, 0.4)])
@pytest.mark.parametrize("d", [0.5, 0.9, 0.95])
def test_depth_at_rest(timeconst, dampratio, d):
    """002-M1: a ball at rest is g (1 - d) (tc zeta)^2 deep, whatever it weighs.

    At rest D (K d r) is the weight, with D = m d / (1 - d) and K = 1 / (d tc zeta)^2.
    """
    data = made(
        BALL.format(step=0.002, g=GRAVITY, solref=f"{timeconst} {dampratio}", solimp=f"{d} {d} 1")
    )
    data.step(3000)
    depth = GRAVITY * (1 - d) * (timeconst * dampratio) ** 2
    np.testing.assert_allclose(-data.qpos[0], depth, rtol=1e-6)
    data.forward()
    np.testing.assert_allclose(data.contact_force(0)[0], 2 * GRAVITY, rtol=1e-6)


def bounce(dampratio: float) -> float:
    """Speed after over speed before, of a mass on a damped spring that cannot pull."""
    if dampratio == 0:
        return 1.0
    root = math.sqrt(1 - dampratio**2)
    return math.exp(-dampratio / root * math.atan2(2 * dampratio * root, 2 * dampratio**2 - 1))


@pytest.mark.parametrize("dampratio", [0.0, 0.1, 0.3, 0.7])
def test_bounce_of_a_direct_solref(dampratio):
    """With a negative solref, stiffness and damping are given: a ball bounces as they say.

    With an impedance d that is the same at every depth, the spring is solref's first number and
    the damper its second, for the mass that moves and what the impedance adds to it.
    """
    d, stiffness = 0.9, 4000.0
    # (m + D) a = -D (B v + K d r): per unit of inertia, D is d
    frequency = math.sqrt(stiffness)
    damping = 2 * dampratio * frequency
    data = made(BALL.format(step=2e-5, g=0, solref=f"-{stiffness} -{damping}", solimp=f"{d} {d} 1"))
    data.qpos[0], data.qvel[0] = 1e-9, -1
    data.step(8000)
    assert data.qpos[0] > 0 and data.ncon == 0
    # first order in the step: a turn of the spring takes 5000 of them
    np.testing.assert_allclose(data.qvel[0], bounce(dampratio), rtol=2e-3)


SLOPE = """<mujoco><option cone="{cone}" gravity="{down} 0 {press}"/><worldbody>
<geom type="plane" size="0 0 .1" friction="{mu} 0 0"/><body pos="0 0 .1"><freejoint/>
<geom type="box" size=".2 .2 .1" friction="{mu} 0 0"/></body></worldbody></mujoco>"""


def on_a_slope(cone: str, degrees: float, mu: float) -> cf.Data:
    slope = math.radians(degrees)
    down, press = GRAVITY * math.sin(slope), -GRAVITY * math.cos(slope)
    return made(SLOPE.format(cone=cone, down=down, press=press, mu=mu))


@CONES
@pytest.mark.parametrize(("degrees", "mu"), [(20, 0.3), (40, 0.3), (40, 0.6)])
def test_sliding_down_a_slope(cone, degrees, mu):
    """002-M2: a box slides with g (sin - mu cos), along a direction of its pyramid as well.

    Soft contacts that slide fast chatter, in MuJoCo as here; what the box gains across the slope,
    friction takes from it along the slope, and the sum is exact.
    """
    data = on_a_slope(cone, degrees, mu)
    data.step(500)
    before = data.qvel.copy()
    data.step(500)
    along, _, across = (data.qvel - before)[:3]
    slope = math.radians(degrees)
    expected = GRAVITY * (math.sin(slope) - mu * math.cos(slope))
    np.testing.assert_allclose(along + mu * across, expected, rtol=1e-11)


STACK = """<mujoco><default><geom size=".1" condim="6" friction="1 .005 .3"/></default><worldbody>
<geom type="plane" size="1 1 .1"/><body pos="0 0 .1"><freejoint/><geom/></body>
<body pos="0 0 .3"><freejoint/><geom/></body><body pos="0 0 .5"><freejoint/><geom/></body>
</worldbody></mujoco>"""


def test_a_stack_of_three_balls_stays():
    """002-C6: ten seconds, at the default solref, never a millimetre deep, from an askew start.

    Rolling friction must be larger than MuJoCo's default of 0.0001: with that, a stack that is
    1e-18 m askew falls after 5.6 s in MuJoCo, and stands only where every rounding is symmetric.
    """
    data = made(STACK)
    data.qpos[14] += 1e-9
    deepest = 0.0
    for _ in range(500):
        data.step(10)
        deepest = max(deepest, -float(data.contact_dist[: data.ncon].min()))
    assert 4e-4 < deepest < 1e-3
    where = data.qpos.reshape(3, 7)
    np.testing.assert_allclose(where[:, 2], [0.1, 0.3, 0.5], atol=2e-3)
    assert np.abs(where[:, :2]).max() < 1e-5 and np.abs(data.qvel).max() < 1e-5


def fall_of_the_highest_ball(data, step) -> float:
    """When the third ball is five centimetres lower, within ten seconds; inf if it never is."""
    for _ in range(5000):
        step(data)
        if data.qpos[16] < 0.45:
            return float(data.time)
    return math.inf


def test_a_stack_of_balls_with_default_friction_falls():
    """002-C6: with default friction a stack that is 1e-9 m askew falls within 3 s, as MuJoCo's.

    The time it takes is that in which roundings grow to centimetres, so it is not the same to the
    step: 2.640 s here and 2.622 s there.
    """
    xml = STACK.replace(' condim="6" friction="1 .005 .3"', "")
    mujoco = mujoco_module()
    reference = load_reference(xml)
    theirs, ours = mujoco.MjData(reference), made(xml)
    for data in (ours, theirs):
        data.qpos[14] += 1e-9
    here = fall_of_the_highest_ball(ours, cf.Data.step)
    there = fall_of_the_highest_ball(theirs, lambda data: mujoco.mj_step(reference, data))
    assert 2.5 < there < 2.8
    assert here == pytest.approx(there, abs=0.1)


def test_what_is_balanced_stays_balanced():
    """The same stack with the default rolling friction stands, because opposite pushes cancel.

    Not a bit may be lost on the way: 1e-18 m askew, it would fall.
    """
    balls = "".join(
        f'<body pos="0 0 {0.1 + 0.2 * k}"><freejoint/><geom size=".1" condim="6"/></body>'
        for k in range(3)
    )
    floor = '<geom type="plane" size="1 1 1" condim="6"/>'
    data = made(f"<mujoco><worldbody>{floor}{balls}</worldbody></mujoco>")
    data.step(5000)
    where = data.qpos.reshape(3, 7)
    assert not where[:, :2].any()
    np.testing.assert_allclose(where[:, 2], [0.1, 0.3, 0.5], atol=2e-3)
    assert 4e-4 < -float(data.contact_dist.min()) < 1e-3


# ---------------------------------------------------------------------- limits and equalities

LIMIT = """<mujoco><worldbody><body><joint axis="0 1 0" range="-90 45" limited="true"
solreflimit=".004 1"/><geom type="capsule" fromto="0 0 0 1 0 0" size=".02"/></body></worldbody>
</mujoco>"""


def test_a_limit_with_the_default_solref_gives_way():
    """002-C7: at solref 0.02 the same rod passes its limit by 3.7% of its way, as MuJoCo's does."""
    xml = LIMIT.replace('solreflimit=".004 1"', "")
    mujoco = mujoco_module()
    reference = load_reference(xml)
    theirs, ours, way = mujoco.MjData(reference), made(xml), math.radians(45)
    highest = [0.0, 0.0]
    for _ in range(2000):
        ours.step()
        mujoco.mj_step(reference, theirs)
        highest = [max(highest[0], float(ours.qpos[0])), max(highest[1], float(theirs.qpos[0]))]
    np.testing.assert_allclose(highest[0], highest[1], rtol=1e-12)
    assert highest[0] / way - 1 == pytest.approx(0.037, abs=5e-4)


def test_a_stiff_limit_holds():
    """002-C7, 002-M3, 000-Q1: a rod falls on its limit and passes it by less than 1% of its way.

    The limit has solref 0.004 in place of 0.02.
    """
    data, way = made(LIMIT), math.radians(45)
    highest = 0.0
    for _ in range(2000):
        data.step()
        highest = max(highest, float(data.qpos[0]))
    assert way < highest < 1.01 * way
    # the rod rests on it
    assert way < data.qpos[0] < 1.001 * way and abs(data.qvel[0]) < 1e-6


#: a rod that is free but for its end, which an equality holds in place
HELD = """<mujoco><option timestep=".0005" integrator="RK4"/><worldbody>
<body name="rod" pos="0 0 0"><freejoint/><geom type="capsule" fromto="0 0 0 0 0 -1" size=".02"
contype="0" conaffinity="0"/></body></worldbody><equality>
<connect body1="rod" body2="world" anchor="0 0 0" solref=".002 1" solimp=".99 .999 .001"/>
</equality></mujoco>"""
HINGED = HELD.replace("<freejoint/>", '<joint axis="0 1 0"/>')


def moment_over_weight() -> float:
    """I / (m g l) of the rod about its end, from the model's own inertia."""
    model = cf.Model.from_mjcf(HINGED)
    mass, centre = float(model.body_mass[1]), -float(model.body_ipos[1][2])
    about = float(model.body_inertia[1].max()) + mass * centre**2
    return about / (mass * GRAVITY * centre)


@pytest.mark.parametrize("start", [0.2, 1.5])
def test_period_of_a_pendulum_held_by_an_equality(start):
    """000-Q2: a rod that is connected at its end swings as a hinged one would: by K(sin(a/2))."""
    data = made(HELD)
    data.qpos[3:] = [math.cos(start / 2), 0, math.sin(start / 2), 0]
    crossings, before = [], start
    while len(crossings) < 3:
        data.step()
        angle = 2 * math.atan2(float(data.qpos[5]), float(data.qpos[3]))
        if before * angle < 0:
            crossings.append(data.time - data.model.opt.timestep * angle / (angle - before))
        before = angle
        assert data.time < 10
    period = 4 * math.sqrt(moment_over_weight()) * float(ellipk(math.sin(start / 2) ** 2))
    # the constraint gives a little under the pull of the swing
    np.testing.assert_allclose(crossings[2] - crossings[0], period, rtol=1e-4)
    assert np.linalg.norm(data.qpos[:3]) < 1e-4


PUSHED = """<mujoco><worldbody><geom type="plane" size="5 5 .1"/>
<body name="hand" mocap="true" pos="-.3 0 .1"><geom type="box" size=".1 .2 .05"/></body>
<body name="box" pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
<body name="held" pos="0 2 1"><freejoint/><geom size=".1" mass="1"/></body>
<body name="leader" mocap="true" pos="0 2 1"/></worldbody>
<equality><weld body1="held" body2="leader"/></equality></mujoco>"""


def test_mocap_bodies_move_others():
    """14-AC2: by contact a box is pushed ahead; by an equality a ball is carried along."""
    data = made(PUSHED)
    data.step(200)
    np.testing.assert_allclose(data.body("box").xpos[0], 0, atol=1e-6)
    hand, leader = (int(data.model.body(name).mocapid[0]) for name in ("hand", "leader"))
    for _ in range(1000):
        data.mocap_pos[hand, 0] += 0.001
        data.mocap_pos[leader, 2] += 0.0005
        data.step()
    data.forward()
    # the hand is at 0.7 with its face at 0.8; mocap bodies have no velocity, so that dampers drag
    # at what moves with them: it lags by some 2 v times the time constant
    np.testing.assert_allclose(data.body("box").xpos[0], 0.9 - 0.02, atol=0.01)
    np.testing.assert_allclose(data.body("held").xpos, [0, 2, 1.5 - 0.01], atol=1e-3)
    np.testing.assert_allclose(data.body("held").cvel[3:], [0, 0, 0.25], atol=0.01)


# ---------------------------------------------------------------------- a minute of a humanoid


def humanoid_on_a_floor() -> cf.Model:
    """The bundled humanoid with contacts and limits, above a floor that its feet touch."""
    spec = cf.Spec.from_mjcf(models.find("humanoid_floating"))
    del spec.flag["contact"], spec.flag["limit"]
    spec.worldbody.add_geom(name="floor", type="plane", size=[0, 0, 0.1])
    return spec.compile()


def test_a_humanoid_stands_falls_and_lies_still():
    """A minute without a number that is not finite: upright, then down, then at rest."""
    model = humanoid_on_a_floor()
    model.opt.timestep = 0.002
    data = model.make_data()
    data.step(100)
    assert data.body("torso").xpos[2] > 1.2
    data.step(29_900)
    assert data.time == pytest.approx(60)
    assert np.isfinite(data.qpos).all() and np.isfinite(data.qacc).all()
    assert data.body("torso").xpos[2] < 0.3
    assert all(data.xpos[1:, 2] > 0)
    assert np.abs(data.qvel).max() < 0.05


# ---------------------------------------------------------------------- grasps

#: a box of 0.2 kg between two pads that press with 10 N each
PINCH = """<mujoco><default><joint damping="5"/></default><worldbody>
<body pos="-.07 0 0"><joint name="left" type="slide" axis="1 0 0"/>
<geom type="box" size=".02 .03 .03" mass=".1"/></body>
<body pos=".07 0 0"><joint name="right" type="slide" axis="-1 0 0"/>
<geom type="box" size=".02 .03 .03" mass=".1"/></body>
<body name="box"><freejoint/><geom type="box" size=".05 .05 .05" mass=".2"/></body>
</worldbody><actuator><motor joint="left"/><motor joint="right"/></actuator></mujoco>"""


OPTIONS = ("cone", "impratio", "noslip_iterations", "noslip_tolerance")


def creep(model: cf.Model) -> float:
    """How fast the box sinks once it is held [um/s]."""
    data = model.make_data()
    data.ctrl[:] = 10
    data.step(500)
    start = float(data.qpos[4])
    data.step(500)
    return 1e6 * (start - float(data.qpos[4]))


def creep_in_mujoco(model: cf.Model) -> float:
    """The same there, with the same options."""
    mujoco, reference = mujoco_module(), load_reference(PINCH)
    for name in OPTIONS:
        setattr(reference.opt, name, getattr(model.opt, name))
    theirs = mujoco.MjData(reference)
    theirs.ctrl[:] = 10
    mujoco.mj_step(reference, theirs, 500)
    start = theirs.qpos[4]
    mujoco.mj_step(reference, theirs, 500)
    return float(1e6 * (start - theirs.qpos[4]))


@pytest.mark.oracle
def test_a_grasp_creeps_less_with_the_preset():
    """A hundred thousand times less, and as fast as in MuJoCo with and without it."""
    spec = cf.Spec.from_mjcf(PINCH)
    usual = spec.compile()
    assert 1000 < creep(usual) < 5000
    np.testing.assert_allclose(creep(usual), creep_in_mujoco(usual), rtol=1e-6)
    cf.contact.grasp(spec)
    held = spec.compile()
    assert 0 < creep(held) < creep(usual) / 1e5
    # a hundredth of a micrometre a second is what the tolerance of noslip leaves
    np.testing.assert_allclose(creep(held), creep_in_mujoco(held), rtol=1e-2)
    cf.contact.grasp(usual)
    for name in OPTIONS:
        assert getattr(usual.opt, name) == getattr(held.opt, name)


def test_odd_grasps_are_refused():
    for wrong in ({"impratio": 0}, {"noslip_iterations": -1}, {"noslip_tolerance": -1}):
        with pytest.raises(cf.ArgumentError):
            cf.contact.grasp(cf.Spec(), **wrong)
