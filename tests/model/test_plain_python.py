"""The engine runs as plain Python, so that anyone can step through it in a debugger."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import cortenforge as cf

XML = """
<mujoco>
  <option density="1.2" viscosity="0.01" integrator="{integrator}">
    <flag contact="disable" energy="enable"/></option>
  <worldbody>
    <camera mode="targetbody" target="b" pos="2 2 2" name="c" resolution="9 9"/>
    <light mode="trackcom" pos="0 0 3"/>
    <body><freejoint/><geom type="box" size=".1 .2 .3" fluidshape="ellipsoid"/>
      <body name="b" pos=".3 0 0"><joint type="ball" stiffness="2 1" damping="1 .3"/>
        <geom type="capsule" size=".05 .2"/><site name="s" pos="0 0 .2"/>
        <body gravcomp=".5"><joint axis="0 1 0" armature=".1"/><joint type="slide"/>
          <geom size=".1"/></body></body></body>
  </worldbody>
  <sensor><magnetometer site="s"/><gyro site="s"/><accelerometer site="s"/><torque site="s"/>
    <camprojection site="s" camera="c"/><subtreeangmom body="b"/><e_kinetic/><clock/>
    <framelinvel objtype="body" objname="b" reftype="camera" refname="c" cutoff=".1"/>
    <insidesite site="s" objtype="xbody" objname="b"/></sensor>
</mujoco>
"""
PROGRAM = """
import json, sys
import cortenforge as cf
data = cf.Model.from_mjcf(sys.argv[1]).make_data()
data.qvel = [0.1 * i for i in range(data.model.nv)]
data.step(2)
data.subtree_momentum()
names = ["qpos", "qvel", "qacc", "energy", "xpos", "cam_xmat", "light_xdir", "subtree_angmom"]
names += ["sensordata", "cfrc_int", "tree_asleep"]
print(json.dumps({name: getattr(data, name).tolist() for name in names}))
print("numba" in sys.modules)
"""


#: the first tree is not moved, and sleeps
SLEEPERS = """
<mujoco>
  <option><flag sleep="enable" energy="enable"/></option>
  <worldbody>
    <geom type="plane" size="5 5 .1"/><camera name="c"/><light/>
    <body sleep="init" pos="1 0 0"><joint type="slide"/><geom size=".1"/></body>
    <body name="b" pos="0 0 .0999"><freejoint/><geom size=".1"/><site name="s"/></body>
  </worldbody>
  <sensor><gyro site="s"/></sensor>
</mujoco>
"""
MODELS = {
    "Euler": XML.format(integrator="Euler"),
    "RK4": XML.format(integrator="RK4"),
    "sleep": SLEEPERS,
}


@pytest.mark.parametrize("xml", MODELS.values(), ids=MODELS)
def test_plain_python_follows_the_compiled_engine(xml):
    """Two steps with every kernel, without Numba; equal but for fused multiply-adds."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, xml],
        capture_output=True, text=True, check=True, env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )  # fmt: skip
    values, numba_loaded = done.stdout.strip().splitlines()
    assert numba_loaded == "False"
    data = cf.Model.from_mjcf(xml).make_data()
    data.qvel = [0.1 * i for i in range(data.model.nv)]
    data.step(2)
    data.subtree_momentum()
    assert (xml is SLEEPERS) == bool((data.tree_asleep >= 0).any())
    for name, value in json.loads(values).items():
        np.testing.assert_allclose(getattr(data, name), value, rtol=1e-11, atol=1e-12)
