"""Both engines in the same state, with constraints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import cortenforge as cf
from cortenforge.compare import load_reference, mujoco_module
from cortenforge.enums import Cone, Solver

#: three limbs, two loose bodies, limits, friction loss, contacts of all dimensions
HEAP = """
<mujoco>
  <option timestep="0.002"/>
  <default><joint damping=".1" frictionloss=".05"/></default>
  <worldbody>
    <geom type="plane" size="5 5 .1" condim="3"/>
    <body pos="0 0 .4">
      <freejoint/>
      <geom type="box" size=".2 .1 .08" mass="2"/>
      <replicate count="3" euler="0 0 120">
        <body pos=".22 0 0">
          <joint name="hip" axis="0 1 0" range="-40 60" limited="true"/>
          <geom type="capsule" fromto="0 0 0 .2 0 -.1" size=".04" condim="4"/>
          <body pos=".2 0 -.1">
            <joint name="knee" axis="0 1 0" range="-10 100" limited="true"/>
            <geom type="capsule" fromto="0 0 0 .05 0 -.25" size=".035" condim="6"
              friction="1 .02 .01"/>
          </body>
        </body>
      </replicate>
    </body>
    <body pos="1 0 .1"><freejoint/><geom type="box" size=".1 .12 .1" mass="1"/></body>
    <body pos="1.05 0 .28"><freejoint/><geom size=".08" mass=".5" condim="1"/></body>
    <body pos="3 0 .4" euler="20 0 0"><freejoint/><geom type="capsule" size=".1 .12"/></body>
    <body pos="-3 0 .5"><freejoint/><geom size=".1" mass="1"/></body>
  </worldbody>
</mujoco>
"""


def pair(source: Any, cone: Cone, solver: Solver = Solver.NEWTON, **options: Any) -> Any:
    """A model and a Data of each engine, with the same options."""
    model, reference = cf.Model.from_mjcf(source), load_reference(source)
    for opt in (model.opt, reference.opt):
        opt.cone, opt.solver = int(cone), int(solver)
        for name, value in options.items():
            setattr(opt, name, value)
    return model, model.make_data(), reference, mujoco_module().MjData(reference)


def along(source: Any, cone: Cone, steps: int, every: int, **options: Any) -> Iterator[Any]:
    """Both engines evaluated in states of a simulation, which is MuJoCo's."""
    _, data, reference, theirs = pair(source, cone, **options)
    mj = mujoco_module()
    rng = np.random.default_rng(0)
    theirs.qvel[:] = 0.3 * rng.normal(size=reference.nv)
    for k in range(steps):
        mj.mj_step(reference, theirs)
        if k % every == every - 1:
            for name in ("qpos", "qvel", "qacc_warmstart", "act", "ctrl"):
                getattr(data, name)[:] = getattr(theirs, name)
            data.time = theirs.time
            data.forward()
            mj.mj_forward(reference, theirs)
            yield data, theirs


def apart(ours: np.ndarray, theirs: np.ndarray) -> float:
    """Largest difference, relative to the largest number."""
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    assert ours.shape == theirs.shape
    scale = max(1, np.max(np.abs(theirs), initial=0))
    return float(np.max(np.abs(ours - theirs), initial=0) / scale)
