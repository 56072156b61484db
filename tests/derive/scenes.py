"""Models of which derivatives are taken, and MuJoCo's derivatives of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mujoco
import numpy as np

import cortenforge as cf

#: joints of all kinds, tendons, filters, sensors of all stages; no contact
SMOOTH = """<mujoco><option timestep="0.004" {option}/><worldbody>
<body pos="0 0 1"><freejoint/><geom type="box" size=".1 .15 .2"/><site name="s" pos=".1 0 .05"/>
<body pos=".3 0 0"><joint name="ball" type="ball" damping=".2" stiffness="3"/>
<geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/>
<body pos=".3 0 0"><joint name="h1" axis="0 1 0" damping=".5" stiffness="2" springref="20"/>
<joint name="h2" axis="0 0 1" damping=".1" armature=".02"/>
<geom type="capsule" size=".04" fromto="0 0 0 .2 0 .1"/><site name="tip" pos=".2 0 .1"/>
</body></body></body>
<body pos="2 0 0"><joint name="slide" type="slide" axis="1 0 1" stiffness="10" damping="1"/>
<geom size=".1"/></body></worldbody>
<tendon><fixed name="pair" stiffness="5" damping=".7"><joint joint="h1" coef="1.5"/>
<joint joint="h2" coef="-.5"/></fixed></tendon>
<actuator><motor name="m" joint="h1" gear="3"/><position joint="h2" kp="4" kv=".3"/>
<general joint="slide" dyntype="filter" dynprm=".05" gainprm="6" biastype="affine"
biasprm="0 -3 -.2"/>
<general tendon="pair" dyntype="filterexact" dynprm=".02" gainprm="2"/>
<velocity joint="slide" kv=".8" ctrlrange="-1 1"/></actuator>
<sensor><jointpos joint="h1"/><framepos objtype="site" objname="tip"/><framelinvel objtype="site"
objname="tip"/><accelerometer site="s"/><gyro site="s"/><actuatorfrc actuator="m"/></sensor>
</mujoco>"""

#: boxes and balls on a floor, a hinge at its limit, dry friction
TOUCHING = """<mujoco><option timestep="0.004" tolerance="0" {option}/><worldbody>
<geom type="plane" size="3 3 .1"/>
<body pos="0 0 .198"><freejoint/><geom type="box" size=".1 .15 .2"/>
<body pos=".2 0 0"><joint name="h" axis="0 1 0" range="-20 20" damping=".1" frictionloss=".1"/>
<geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/></body></body>
<body pos="1 0 .099"><freejoint/><geom size=".1"/></body></worldbody>
<actuator><motor joint="h" gear="2"/></actuator>
<sensor><jointpos joint="h"/><jointlimitfrc joint="h"/></sensor></mujoco>"""

HUMANOID = Path(cf.__file__).parent / "models" / "humanoid_floating.xml"
FIELDS = ("qpos", "qvel", "act", "ctrl", "qacc_warmstart")


def humanoid_on_floor() -> str:
    """The bundled humanoid, and something to stand on."""
    floor = '<geom type="plane" size="5 5 .1"/></worldbody>'
    text = HUMANOID.read_text().replace("</worldbody>", floor, 1)
    return text.replace('contact="disable" limit="disable"', "", 1)


def at_random(text: str, seed: int = 0, *, spread: float = 0.5) -> cf.Data:
    """A world in a random state."""
    model = cf.Model.from_mjcf(text)
    rng = np.random.default_rng(seed)
    data = model.make_data()
    data.qpos[:] = model.integrate_pos(data.qpos, spread * rng.normal(size=model.nv), 1.0)
    data.qvel[:] = rng.normal(size=model.nv)
    data.act[:] = 0.3 * rng.normal(size=model.na)
    data.ctrl[:] = 0.3 * rng.normal(size=model.nu)
    return data


def settled(text: str, seed: int = 0, steps: int = 60) -> cf.Data:
    """A world that has come to touch what it touches."""
    model = cf.Model.from_mjcf(text)
    rng = np.random.default_rng(seed)
    data = model.make_data()
    data.qvel[:] = 0.1 * rng.normal(size=model.nv)
    data.ctrl[:] = 0.3 * rng.normal(size=model.nu)
    data.step(steps)
    return data


def reference(text: str, data: cf.Data, tolerance: float | None = None) -> tuple[Any, Any]:
    """MuJoCo's model and data in the state of a world."""
    model = mujoco.MjModel.from_xml_string(text)
    if tolerance is not None:
        model.opt.tolerance = tolerance
    found = mujoco.MjData(model)
    for name in FIELDS:
        getattr(found, name)[:] = getattr(data, name)
    mujoco.mj_forward(model, found)
    return model, found


def theirs(
    text: str, data: cf.Data, eps: float = 1e-6, tolerance: float | None = None
) -> cf.TransitionMatrices:
    """MuJoCo's matrices, by centred differences."""
    model, found = reference(text, data, tolerance)
    n, ns = 2 * model.nv + model.na, model.nsensordata
    A, B = np.zeros((n, n)), np.zeros((n, model.nu))
    C, D = np.zeros((ns, n)), np.zeros((ns, model.nu))
    mujoco.mjd_transitionFD(model, found, eps, True, A, B, C if ns else None, D if ns else None)
    return cf.TransitionMatrices(A, B, C, D)


def apart(one: cf.TransitionMatrices, other: cf.TransitionMatrices) -> dict[str, float]:
    """How far matrices are apart, relative to their largest entry or to 1."""
    found = {}
    for name in "ABCD":
        a, b = getattr(one, name), getattr(other, name)
        scale = max(1.0, np.abs(b).max(initial=0.0))
        found[name] = float(np.abs(a - b).max(initial=0.0)) / scale
    return found


def richardson(data: cf.Data, eps: float = 3e-4) -> cf.TransitionMatrices:
    """Differences of our own step at three distances, extrapolated to none."""
    found = [
        data.transition_derivatives(cf.DerivativeConfig(eps=eps / scale, method="fd"))
        for scale in (1, 2, 4)
    ]
    parts = []
    for name in "ABCD":
        one, two, four = (getattr(matrices, name) for matrices in found)
        first, second = (4 * two - one) / 3, (4 * four - two) / 3
        parts.append((16 * second - first) / 15)
    return cf.TransitionMatrices(*parts)
