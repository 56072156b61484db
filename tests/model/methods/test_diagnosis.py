"""What is said of worlds that go wrong, or slowly."""

from __future__ import annotations

import pytest

import cortenforge as cf
from cortenforge.enums import Solver

GROUND = '<geom name="ground" type="plane" size="1 1 1"/>'


def said(xml: str, **options: float) -> str:
    model = cf.Model.from_mjcf(f"<mujoco><worldbody>{xml}</worldbody></mujoco>")
    for name, value in options.items():
        setattr(model.opt, name, value)
    data = model.make_data()
    data.forward()
    return data.explain()


def ball(name: str, height: float, more: str = "") -> str:
    return (
        f'<body name="{name}" pos="0 0 {height}"><freejoint/>'
        f'<geom name="{name}" size=".1" {more}/></body>'
    )


def test_a_world_that_is_well():
    assert said(GROUND + ball("ball", 0.1)) == "nothing stands out"


def test_what_is_deep_inside():
    text = said(GROUND + ball("ball", 0.01))
    assert "'ground' and 'ball' penetrate by 0.09 m" in text


def test_contacts_stiffer_than_steps():
    text = said(GROUND + ball("ball", 0.1, 'solref=".001 1" priority="1"'))
    assert "time constant of 0.001 s" in text and "raised to two steps" in text
    text = said(GROUND + ball("ball", 0.1, 'solref="-1e7 -100" priority="1"'))
    assert "too stiff for a time step" in text


def test_springs_stiffer_than_steps():
    text = said(
        '<body><joint name="spring" type="slide" stiffness="1e7"/><geom size=".1" mass="1"/></body>'
    )
    assert "joint 'spring' is too stiff" in text and "below 2.5e+05" in text


def test_masses_far_apart():
    heavy = '<body name="heavy" pos="0 0 .29"><freejoint/><geom size=".1" mass="5000"/></body>'
    text = said(GROUND + ball("light", 0.1, 'mass=".1"') + heavy)
    assert "'light' and 'heavy' touch, and one weighs 5e+04 times" in text


def test_a_solver_that_is_not_done():
    text = said(GROUND + ball("one", 0.09) + ball("two", 0.28), iterations=1, tolerance=0)
    assert "did not converge in opt.iterations = 1" in text


def test_an_error_says_why():
    """A world that blows up says what stood out when it did."""
    model = cf.Model.from_mjcf(
        f"<mujoco><worldbody>{GROUND}{ball('ball', 0.1)}</worldbody></mujoco>"
    )
    data = model.make_data()
    data.xfrc_applied[1, 2] = 1e12
    with pytest.raises(cf.InvalidAcceleration, match=r"xfrc_applied\[1, 2\]"):
        data.step()


def test_strict_models_fail_where_others_go_on():
    """000.3-AC4: not converging is an error if the model is strict, whatever the solver."""
    xml = f"<mujoco><worldbody>{GROUND}{ball('a', 0.09)}{ball('b', 0.28)}</worldbody></mujoco>"
    model = cf.Model.from_mjcf(xml)
    for solver in Solver:
        model.opt.solver = int(solver)
        model.opt.iterations, model.opt.tolerance, model.opt.strict = 1, 0, 0
        data = model.make_data()
        data.step()
        assert not data.solver_converged
        model.opt.strict = 1
        before = data.qpos.copy()
        with pytest.raises(cf.SolverFailed, match="1 iterations"):
            data.step()
        assert (data.qpos == before).all()
        model.opt.iterations, model.opt.tolerance = 1000, 1e-8
        data.step()


def test_strict_can_be_said_in_a_file():
    """`<flag strict="enable"/>` is `opt.strict`, is written back, and is no flag of MuJoCo's."""
    text = '<mujoco><option><flag strict="{}"/></option></mujoco>'
    assert cf.Model.from_mjcf(text.format("enable")).opt.strict == 1
    assert cf.Model.from_mjcf(text.format("disable")).opt.strict == 0
    assert cf.Model.from_mjcf("<mujoco/>").opt.strict == 0
    spec = cf.Spec()
    spec.flag.strict = "enable"
    assert 'strict="enable"' in spec.to_xml()
    model = cf.Model.from_mjcf(spec.to_xml())
    assert model.opt.strict == 1 and model.opt.enableflags == 0
    more = model.with_deformables([cf.CapsuleChain.line((0, 0, 1), (1, 0, 1), 2, name="r")])
    assert more.opt.strict == 1
    with pytest.raises(cf.MjcfError, match="strict"):
        cf.Model.from_mjcf(text.format("true"))
