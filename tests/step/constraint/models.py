"""Models with every kind of constraint, and both engines on them."""

from __future__ import annotations

from typing import Any

import numpy as np

import cortenforge as cf
from conformance.rows import differences, evaluate
from cortenforge.compare import load_reference, mujoco_module
from cortenforge.enums import ConstraintType

#: states in which rows are compared
STATES = 4

BODIES = """
<worldbody>
  <geom name="floor" type="plane" size="5 5 1" {floor}/>
  <site name="post" pos="0 .3 .2" euler="20 30 10"/>
  <body name="a" pos="0 0 .1"><freejoint/>
    <geom name="ga" type="box" size=".2 .1 .15" {geom}/>
    <site name="sa" pos=".1 .1 0" euler="1 2 40"/>
    <body name="b" pos=".1 0 .1">
      <joint name="hinge" axis="0 1 0" ref=".2" range="-10 20" margin=".1" frictionloss=".3"/>
      <geom type="capsule" size=".05 .2" pos=".2 0 0"/>
      <body name="c" pos=".2 0 .1">
        <joint name="slide" type="slide" axis="1 1 0" range="-.1 .01" frictionloss=".1"
               solreflimit=".001 2" solimpfriction=".3 .8 1"/>
        <geom name="gc" size=".1"/>
        <body name="d" pos="0 0 .1">
          <joint type="ball" range="0 20" solimplimit=".8 .99 .1 .3 3" solreflimit="-90 -3"/>
          <geom name="gd" size=".1" pos="0 .2 0" {geom}/><site name="sd" pos=".1 .1 0"/>
        </body>
      </body>
    </body>
  </body>
  <body name="e" pos="0 1 .1">
    <joint name="turn" axis="1 1 0"/><joint name="lift" type="slide" axis="0 0 1"/>
    <geom name="ge" type="box" size=".2 .1 .15"/>
  </body>
</worldbody>
<tendon>
  <fixed name="two" frictionloss=".1">
    <joint joint="hinge" coef="1"/><joint joint="turn" coef="2"/>
  </fixed>
  <fixed name="one" range="-.01 .01" margin=".02"><joint joint="slide" coef="1.5"/></fixed>
  <spatial name="rope" range="0 .3" frictionloss=".2"><site site="post"/><site site="sd"/></spatial>
</tendon>
"""

#: equalities by name
EQUALITIES = {
    "connect": '<connect body1="d" body2="e" anchor=".1 .2 .3"/>'
    '<connect body1="d" anchor="0 0 1"/>',
    "connect in a tree": '<connect body1="d" body2="a" anchor=".1 .2 .3" solref="-100 -3"/>',
    "connect sites": '<connect site1="post" site2="sd"/>',
    "weld": '<weld body1="d" body2="e" anchor=".1 .2 .3" torquescale=".7"/><weld body1="e"/>',
    "weld pose": '<weld body1="d" body2="a" relpose=".1 .2 .3 .5 .1 .2 .3" solimp=".5 .9 3 .2 4"/>',
    "weld sites": '<weld site1="sd" site2="post" torquescale="2"/><weld site1="sd" site2="sa"/>',
    "joint": '<joint joint1="slide" joint2="hinge" polycoef=".1 .2 .3 .4 .5"/>'
    '<joint joint1="hinge" joint2="turn"/><joint joint1="lift" polycoef=".3 0 0 0 0"/>',
    "tendon": '<weld body1="e"/><tendon tendon1="two" tendon2="one" polycoef=".1 .2 .3 .4 .5"/>'
    '<tendon tendon1="rope" tendon2="two"/><tendon tendon1="rope"/>',
}


def scene(
    *, options: str = "", flags: str = "", floor: str = "", geom: str = "", rest: str = ""
) -> str:
    """A chain and a box over a floor, with limits and friction of joints and tendons."""
    bodies = BODIES.format(floor=floor, geom=geom)
    return f"<mujoco><option {options}><flag {flags}/></option>{bodies}{rest}</mujoco>"


class Both:
    """One model in both engines."""

    def __init__(self, text: str) -> None:
        self.model, self.reference = cf.Model.from_mjcf(text), load_reference(text)
        self.data = self.model.make_data()
        self.theirs: Any = mujoco_module().MjData(self.reference)

    def move(self, rng: np.random.Generator, far: float = 0.3) -> None:
        """Another place and velocity."""
        shift = rng.normal(size=self.model.nv)
        qpos = self.model.integrate_pos(self.model.qpos0, shift, far)
        qvel = rng.normal(size=self.model.nv)
        for data in (self.data, self.theirs):
            data.qpos[:], data.qvel[:] = qpos, qvel

    def wrong(self) -> list[str]:
        """What differs in the rows of both, from the same contacts."""
        evaluate(self.data, self.reference, self.theirs)
        return [str(one) for one in differences(self.data, self.reference, self.theirs)]


def assert_rows(text: str, seed: int = 0) -> np.ndarray:
    """Rows are MuJoCo's in some states; how many there were of each kind."""
    both, rng = Both(text), np.random.default_rng(seed)
    kinds = np.zeros(len(ConstraintType), int)
    for number in range(STATES):
        if number:
            both.move(rng)
        wrong = both.wrong()
        assert not wrong, f"state {number}: " + "\n".join(wrong)
        kinds += np.bincount(both.data.efc_type, minlength=len(kinds))
    return kinds
