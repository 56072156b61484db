"""Models for integrators, and what `discrete` is for: stiff springs and servos beside contacts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

import cortenforge as cf
from conformance.cases import Case
from cortenforge.compare import load_reference, mujoco_module
from cortenforge.enums import Integrator
from tests.step.stages import STATES, Pair, cases, pair

MODELS = cases(
    "joint_several",
    "joint_free",
    "joint_ball",
    "springdamper",
    "tendons",
    "simple_bodies",
    "fluid_box",
    "fluid_ellipsoid",
)


def drawn(draw: Callable[..., Iterable[Case]], integrator: str) -> Iterator[tuple[str, Pair]]:
    """Random models in both engines, in random states, with their names."""
    for case in draw(7000, 12, integrator):
        model, reference = cf.Model.from_mjcf(case.source), load_reference(case.source)
        both = Pair(model, model.make_data(), reference, mujoco_module().MjData(reference))
        rng = np.random.default_rng(case.seed)
        for _ in range(STATES):
            both.write(rng)
            yield case.name, both


def choose(both: Pair) -> None:
    """Both engines step by it; MuJoCo stops its conjugate gradients at the solver's tolerance."""
    for one in (both.model, both.reference):
        one.opt.integrator = int(Integrator.DISCRETE)
        one.opt.tolerance = 1e-15


#: bodies on a floor, an arm with springs at its limits, a chain that is held, a servo, tendons that
#: couple trees, and a body that flies
SCENE = """<mujoco><option integrator="discrete" timestep="0.004" cone="{cone}" solver="{solver}"
tolerance="0" iterations="{iterations}" ls_tolerance="0" {option}><flag {flag}/></option>
<default><geom solref="{solref}"/><joint solreflimit="{solref}"/></default>
<worldbody><geom type="plane" size="5 5 1" adhesion="{adhesion}"/>
<body pos="0 0 .098"><freejoint/><geom size=".1" condim="4" friction="1 .1 .1"/></body>
<body pos="1 0 .099"><freejoint/><geom type="box" size=".1 .1 .1" condim="6"/></body>
<body pos="0 2 2"><freejoint/><geom type="box" size=".1 .2 .3"/></body>
<body pos="3 0 1"><joint name="j" range="10 20" frictionloss=".2" damping=".4" stiffness="300"/>
<geom size=".1" pos=".2 0 0" contype="0" conaffinity="0"/>
<body pos=".4 0 0"><joint name="k" axis="0 1 0" stiffness="1e5"/><geom size=".1" contype="0"
conaffinity="0"/><site name="t"/></body></body><site name="w" pos="3 1 1"/>
<body name="e" pos="5 0 1"><joint name="l" axis="0 1 0" damping=".1"/><geom size=".1" pos="0 0 -.3"
contype="0" conaffinity="0"/><site name="u" pos="0 0 -.3"/></body></worldbody>
<equality><connect site1="u" site2="w" solref="{solref}" active="{held}"/></equality>
<tendon><spatial name="ten" range=".1 .2" solreflimit="{solref}"><site site="t"/><site site="w"/>
</spatial><fixed name="both" stiffness="2000" damping="3"><joint joint="k" coef="1"/><joint
joint="l" coef="-1"/></fixed></tendon>
<actuator><position joint="l" kp="2000" kv="1"/><position tendon="both" kp="50"/></actuator>
</mujoco>"""
USUAL = {
    "cone": "pyramidal",
    "solver": "Newton",
    "iterations": "100",
    "solref": ".02 1",
    "adhesion": "0",
    "held": "false",
    "option": "",
    "flag": "",
}


def scene(seed: int = 1, **changes: str) -> Pair:
    """Both engines in a state with velocities, controls and applied forces."""
    both, rng = pair(SCENE.format(**(USUAL | changes))), np.random.default_rng(seed)
    values = {
        "qvel": 0.3 * rng.normal(size=both.model.nv),
        "ctrl": rng.normal(size=2),
        "qfrc_applied": rng.normal(size=both.model.nv),
    }
    for name, value in values.items():
        getattr(both.data, name)[:] = getattr(both.theirs, name)[:] = value
    return both
