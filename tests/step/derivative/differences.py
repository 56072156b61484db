"""Differences of forces, to hold derivatives against, and a chain to take them of."""

from __future__ import annotations

import numpy as np

import cortenforge as cf

EPS = 1e-5


def differences(data: cf.Data, name: str) -> np.ndarray:
    """Central differences of a force with respect to each velocity."""
    found, work = [], data.copy()
    for i in range(len(data.qvel)):
        sides = []
        for sign in (1, -1):
            work.qvel[:] = data.qvel
            work.qvel[i] += sign * EPS
            work.forward()
            sides.append(getattr(work, name).copy())
        found.append((sides[0] - sides[1]) / (2 * EPS))
    return np.array(found).T.reshape(len(data.qvel), len(data.qvel))


def within_pattern(model: cf.Model, dense: np.ndarray) -> np.ndarray:
    """Only what is in the pattern of derivatives."""
    kept = np.zeros_like(dense)
    for i in range(model.nv):
        columns = model.D_colind[model.D_rowadr[i] : model.D_rowadr[i] + model.D_rownnz[i]]
        kept[i, columns] = dense[i, columns]
    return kept


def dense_derivative(model: cf.Model, data: cf.Data) -> np.ndarray:
    """qDeriv as a full matrix."""
    dense = np.zeros((model.nv, model.nv))
    for i in range(model.nv):
        at = slice(model.D_rowadr[i], model.D_rowadr[i] + model.D_rownnz[i])
        dense[i, model.D_colind[at]] = data.qDeriv[at]
    return dense


CHAIN = """<mujoco><option integrator="implicit"><flag contact="disable"/></option>{}<worldbody>
<body><joint name="a" axis="0 1 0" damping="{}"/><geom size=".05" pos="0 0 -.5" mass="1"/>
<body pos="0 0 -.5"><joint name="b" axis="0 1 0" damping="{}"/><geom size=".05" pos="0 0 -.5"
mass="1"/><body pos="0 0 -.5"><joint name="c" axis="0 1 0" damping="{}"/><geom size=".05"
pos="0 0 -.5" mass="1"/></body></body></body></worldbody>{}</mujoco>"""


def derivative(text: str, qpos=(0.0, 0.0, 0.0), qvel=(0.0, 0.0, 0.0), ctrl=0.0) -> np.ndarray:
    """qDeriv of a chain of three, at a state."""
    model = cf.Model.from_mjcf(text)
    data = model.make_data()
    data.qpos[:], data.qvel[:], data.ctrl[:] = qpos, qvel, ctrl
    data.step()
    return dense_derivative(model, data)
