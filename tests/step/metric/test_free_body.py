"""Free bodies, which implicit steps solve by themselves."""

from __future__ import annotations

import numpy as np

import cortenforge as cf

SPINNING = """<mujoco><option timestep="0.005" integrator="implicitfast" gravity="0 0 0"><flag
energy="enable"/></option><worldbody><body><freejoint/><geom type="box" size=".1 .2 .3" mass="1"/>
{}</body></worldbody></mujoco>"""


def spin(integrator: str, carried: str) -> np.ndarray:
    """Energy of a free body along 400 steps."""
    text = SPINNING.format(carried).replace("implicitfast", integrator)
    data = cf.Model.from_mjcf(text).make_data()
    data.qvel[3:] = 1.0, 20.0, 2.0
    found = []
    for _ in range(400):
        data.forward()
        found.append(data.energy.sum())
        data.step()
    return np.array(found)


def test_spinning_bodies_gain_no_energy():
    """Gyroscopic forces of free bodies are taken implicitly: energy never grows."""
    energy = spin("implicitfast", "")
    assert (np.diff(energy) <= 1e-12 * energy[0]).all()
    assert energy[-1] > 0.2 * energy[0]
    assert spin("Euler", "")[-1] > 1.2 * energy[0]


def test_what_is_fixed_to_a_spinning_body_belongs_to_it():
    """The same for bodies that carry others; both integrators take the same steps."""
    carried = '<body pos=".2 0 0"><geom size=".1" mass=".5"/></body>'
    fast, full = spin("implicitfast", carried), spin("implicit", carried)
    np.testing.assert_allclose(fast, full, rtol=1e-12)
    assert fast.max() < 1.02 * fast[0]
