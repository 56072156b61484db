"""Both engines with trees that may sleep."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import cortenforge as cf
from tests.step.stages import Pair, pair

#: all that sleep decides, and what it leaves as it was
FIELDS = (
    *("qpos", "qvel", "qacc", "act", "qacc_smooth", "qfrc_smooth", "qacc_warmstart", "sensordata"),
    *(
        "energy",
        "tree_asleep",
        "tree_awake",
        "body_awake",
        "ntree_awake",
        "nbody_awake",
        "nv_awake",
    ),
    *("act_dot", "actuator_force", "qfrc_actuator", "actuator_length", "actuator_velocity"),
    *("xpos", "xquat", "cvel", "qfrc_bias", "qfrc_passive", "ten_length", "ten_velocity"),
    *("geom_xpos", "site_xpos", "subtree_com", "cam_xpos"),
)
#: a tree that is never actuated, one with several joints, a servo, and one that moves on
SCENE = """<mujoco>
<option gravity="0 0 0" integrator="{integrator}" timestep=".01">
  <flag sleep="enable" energy="enable" constraint="disable"/></option>
<worldbody><site name="still"/><camera name="eye" mode="targetbody" target="free"/>
  <body name="free" sleep="{policy}"><freejoint/><geom size=".1 .2 .3" type="box"/>
    <site name="s" pos=".1 0 0"/></body>
  <body name="arm" pos="1 0 0" sleep="allowed"><joint name="h" stiffness=".1" damping=".05"/>
    <geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/><site name="e" pos=".3 0 0"/>
    <body pos=".3 0 0"><joint name="b" type="ball" damping=".02"/><geom size=".1"/>
      <site name="f"/></body></body>
  <body name="mover" pos="3 0 0"><joint name="x" type="slide"/><geom size=".1"/></body>
  <body name="hand" mocap="true" pos="0 3 0"><geom size=".1"/>
    <body name="held"><joint name="y" type="slide" axis="0 1 0"/><geom size=".1"/></body></body>
</worldbody>
<tendon><fixed name="t" limited="true" range="-5 .2"><joint joint="x" coef="1"/>
  <joint joint="y" coef="1"/></fixed></tendon>
<equality><connect name="c" body1="free" body2="mover" anchor="0 0 0" active="false"/></equality>
<actuator><position joint="h" kp=".001"/>
  <general name="a" joint="h" dyntype="filter" gainprm=".001"/></actuator>
<sensor><accelerometer site="s"/><gyro site="e"/><force site="f"/><jointpos joint="h"/>
  <jointactuatorfrc joint="h"/><actuatorfrc actuator="a"/><framepos objtype="site" objname="e"/>
  <framelinvel objtype="site" objname="s" reftype="site" refname="still"/>
  <framepos objtype="body" objname="free" reftype="body" refname="mover"/><clock/>
  <e_potential/><subtreelinvel body="arm"/></sensor></mujoco>"""


#: what sleep decides where trees touch
TOUCHING = (
    *("tree_asleep", "body_awake", "ntree_awake", "nv_awake", "ncon", "ne", "nf", "nl", "nefc"),
    *("qpos", "qvel", "qacc", "qacc_smooth", "qfrc_smooth", "qfrc_constraint", "qacc_warmstart"),
    *("energy", "sensordata", "act", "actuator_force", "xpos", "cvel", "qfrc_passive", "qfrc_bias"),
)
BOX = '<geom type="box" size=".1 .1 .1"/>'
STACK = f"""<body name="low" pos="0 0 .0999"><freejoint/>{BOX}<site name="s" size=".2"/></body>
<body name="high" pos="0 0 .2998"><freejoint/>{BOX}</body>
<body name="far" pos="1 0 .0999"><freejoint/>{BOX}</body>"""
BALL = '<body name="ball" pos="-1 0 .35"><freejoint/><geom size=".08"/></body>'


def scene(bodies: str, rest: str = "", option: str = "", flags: str = "") -> str:
    """A model on a floor, in which trees may sleep."""
    return f"""<mujoco><option {option}><flag sleep="enable" energy="enable" {flags}/></option>
    <worldbody><geom type="plane" size="9 9 .1"/>{bodies}</worldbody>{rest}</mujoco>"""


def run_touching(
    both: Pair,
    steps: int,
    change: Callable[[int, Any], None] | None = None,
    tolerance: float = 1e-9,
) -> list[int]:
    """Steps of both, compared after each: how many trees were awake."""
    assert both.model.supported() == []
    awake = []
    for number in range(steps):
        if change:
            change(number, both.data)
            change(number, both.theirs)
        both.step()
        for name in TOUCHING:
            ours, theirs = (np.ravel(getattr(one, name)) for one in (both.data, both.theirs))
            size = tolerance * max(1.0, float(np.abs(theirs).max(initial=0)))
            np.testing.assert_allclose(ours, theirs, 0, size, err_msg=f"{name} {number}")
        awake.append(both.data.ntree_awake)
    return awake


def sleepers(integrator: str = "Euler", policy: str = "auto") -> Pair:
    """Both engines in the scene, with slow velocities everywhere and one tree that moves on."""
    return started(pair(SCENE.format(integrator=integrator, policy=policy)))


def started(both: Pair, speed: float = 2e-4) -> Pair:
    """Give everything a slow velocity, and the tree `mover` one that is too fast for sleep."""
    assert both.model.supported() == []
    for data in (both.data, both.theirs):
        data.qvel[:] = speed
        data.qvel[both.model.joint("x").dofadr[0]] = 0.01
    return both


def assert_same(both: Pair, at: Any = "") -> None:
    """Every field is MuJoCo's."""
    for name in FIELDS:
        ours, theirs = (np.ravel(getattr(one, name)) for one in (both.data, both.theirs))
        size = max(1.0, float(np.abs(theirs).max(initial=0)))
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-9 * size, err_msg=f"{name} {at}")


def run(both: Pair, steps: int) -> Iterator[int]:
    """Steps of both, compared after each."""
    for number in range(steps):
        both.step()
        assert_same(both, number)
        yield number


def asleep(both: Pair) -> Pair:
    """Run until all trees sleep that will."""
    for _ in run(both, 25):
        pass
    assert (both.data.tree_asleep >= 0).sum() >= 2
    return both


def everywhere(both: Pair, change: Callable[[Any], None]) -> None:
    """Change both in the same way."""
    change(both.data)
    change(both.theirs)


def tree_of(model: cf.Model, body: str) -> int:
    """The tree of a body."""
    return int(model.body_treeid[model.names["body"].index(body)])
