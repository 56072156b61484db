"""All methods give the same derivatives of a step."""

from __future__ import annotations

import pytest

import cortenforge as cf
from tests.derive.scenes import (
    SMOOTH,
    TOUCHING,
    apart,
    at_random,
    humanoid_on_floor,
    richardson,
    settled,
    theirs,
)

INTEGRATORS = ("Euler", "implicit", "implicitfast", "implicitspringdamper")
METHODS = ("fd", "hybrid", "analytic")

#: arms that change with positions: a medium, tendons through space, forces on sites, muscles
CURVED = """<mujoco><option timestep="0.004" density="20" viscosity=".3" {option}/><worldbody>
<site name="hook" pos="0 .2 1.2"/><geom name="post" type="cylinder" size=".05 .3" pos=".2 .1 1"/>
<body pos="0 0 1"><freejoint/><geom type="box" size=".1 .15 .2"/>
<body pos=".3 0 0"><joint name="h1" axis="0 1 0" damping=".5"/>
<geom type="capsule" size=".05" fromto="0 0 0 .3 0 0" fluidshape="ellipsoid"/><site name="mid"/>
<body pos=".3 0 0" gravcomp=".5"><joint name="h2" axis="0 0 1" damping=".1"/>
<geom type="capsule" size=".04" fromto="0 0 0 .2 0 .1"/><site name="tip" pos=".2 0 .1"/>
</body></body></body></worldbody>
<contact><exclude body1="world" body2="world"/></contact>
<tendon><spatial name="cord" stiffness="20" damping="1" springlength=".1"><site site="hook"/>
<site site="mid"/><site site="tip"/></spatial></tendon>
<actuator><motor site="tip" gear="0 0 1 .3 0 0"/><muscle joint="h1" lengthrange="-2 2"/>
<position tendon="cord" kp="3"/></actuator></mujoco>"""

#: connections, welds, couplings of joints
HELD = """<mujoco><option timestep="0.004" tolerance="0" {option}/><worldbody>
<body name="a" pos="0 0 1"><joint axis="0 1 0"/><geom type="capsule" size=".04"
fromto="0 0 0 .3 0 0"/>
<body name="b" pos=".3 0 0"><joint name="b" axis="0 1 0"/><geom type="capsule" size=".04"
fromto="0 0 0 .3 0 0"/></body></body>
<body name="c" pos=".6 .1 1"><freejoint/><geom type="box" size=".05 .06 .07"/></body>
<body pos="0 1 1"><joint name="d" axis="1 0 0"/><geom type="capsule" size=".04"
fromto="0 0 0 0 .3 0"/>
</body></worldbody>
<equality><connect body1="b" body2="c" anchor=".3 0 0"/><joint joint1="b" joint2="d"
polycoef="0 .5 .1 0 0"/></equality></mujoco>"""


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("scene", [SMOOTH, CURVED], ids=["smooth", "curved"])
def test_smooth_steps_are_derived_to_1e_7(scene: str, integrator: str, method: str) -> None:
    """Against differences of our own step that are extrapolated to no distance."""
    data = at_random(scene.format(option=f'integrator="{integrator}"'), spread=0.2)
    # nothing is to touch
    data.model.opt.disableflags |= 1 << 4
    found = data.transition_derivatives(cf.DerivativeConfig(method=method))
    off = apart(found, richardson(data))
    assert max(off.values()) < 1e-7, off


@pytest.mark.parametrize("method", ["hybrid", "analytic"])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
def test_contacts_are_derived(integrator: str, cone: str, method: str) -> None:
    """Boxes and balls on a floor, a joint at its limit, dry friction: as MuJoCo's differences."""
    text = TOUCHING.format(option=f'cone="{cone}" integrator="{integrator}"')
    data = settled(text)
    assert data.ncon > 3
    found = data.transition_derivatives(cf.DerivativeConfig(method=method))
    off = apart(found, theirs(text, data))
    # eps over the width of the impedance, squared
    assert max(off.values()) < 1e-5, off


@pytest.mark.parametrize("method", METHODS)
def test_equalities_are_derived(method: str) -> None:
    """A loop that is held together, and joints that follow each other."""
    text = HELD.format(option="")
    data = settled(text, steps=30)
    assert data.ne == 4
    found = data.transition_derivatives(cf.DerivativeConfig(method=method, eps=1e-7))
    off = apart(found, theirs(text, data))
    assert max(off.values()) < 1e-6, off


def test_rows_that_are_about_to_let_go() -> None:
    """States of rows stay: accelerations would follow before a row that hardly pushes lets go.

    Along a fall there are states with residuals so small that eps over the stiffness is more.
    """
    data = settled(humanoid_on_floor(), steps=100)
    data.model.opt.tolerance = 0.0
    for _ in range(12):
        data.step(25)
        steps, found = (
            data.transition_derivatives(cf.DerivativeConfig(method=method))
            for method in ("fd", "analytic")
        )
        off = apart(found, steps)
        assert max(off.values()) < 1e-4, off


@pytest.mark.parametrize("method", METHODS)
def test_humanoid_agrees_with_mujoco(method: str) -> None:
    """27 dofs, 21 motors, feet on the ground."""
    text = humanoid_on_floor()
    data = settled(text, steps=100)
    data.model.opt.tolerance = 0.0
    assert data.ncon > 2
    found = data.transition_derivatives(cf.DerivativeConfig(method=method))
    off = apart(found, theirs(text, data, tolerance=0.0))
    assert max(off.values()) < 5e-6, off


def test_results_are_shown_by_their_shapes() -> None:
    """A notebook shows a line, not thousands of numbers."""
    data = cf.models.simple_pendulum().make_data()
    config = cf.DerivativeConfig(sensors=False)
    assert (
        repr(data.transition_derivatives(config))
        == "<cortenforge.TransitionMatrices A: 2x2, B: 2x0>"
    )
    assert repr(data.inverse_derivatives(config)) == (
        "<cortenforge.InverseMatrices dq: 1x1, dv: 1x1, da: 1x1>"
    )
