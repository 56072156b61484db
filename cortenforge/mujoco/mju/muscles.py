"""Muscles, contact forces of pyramids, and springs with dampers.

pyramid of a contact with k = 1 .. dim - 1:  f_0 = sum of all edges, f_k = mu_k (p_2k-1 - p_2k)
spring and damper of unit mass:              x'' = -Kp x - Kv x'
"""

from __future__ import annotations

import cmath
import math
from types import SimpleNamespace
from typing import Any

import numpy as np

from cortenforge.math.vector import MINVAL
from cortenforge.mujoco.registry import function
from cortenforge.step.actuation.muscle import muscle_bias, muscle_dynamics, muscle_gain


def one_muscle(lengthrange: np.ndarray, acc0: float, prm: np.ndarray) -> Any:
    """The parameters of a muscle as kernels read them from a model with one actuator."""
    return SimpleNamespace(
        actuator_outadr=[0],
        actuator_lengthrange=lengthrange[None],
        actuator_acc0=[acc0],
        actuator_gainprm=prm[None],
        actuator_biasprm=prm[None],
    )


@function
def mju_muscleGain(
    len: float, vel: float, lengthrange: np.ndarray, acc0: float, prm: np.ndarray
) -> float:
    """Force of a fully active muscle, without its passive force."""
    return float(muscle_gain(one_muscle(lengthrange, acc0, prm), 0, len, vel))


@function
def mju_muscleBias(len: float, lengthrange: np.ndarray, acc0: float, prm: np.ndarray) -> float:
    """Passive force of a muscle."""
    return float(muscle_bias(one_muscle(lengthrange, acc0, prm), 0, len))


@function
def mju_muscleDynamics(ctrl: float, act: float, prm: np.ndarray) -> float:
    """Time derivative of a muscle's activation."""
    return float(muscle_dynamics(SimpleNamespace(actuator_dynprm=prm[None]), 0, ctrl, act))


def check_pyramid(pyramid: np.ndarray, force: np.ndarray, mu: np.ndarray) -> None:
    """Raise TypeError unless there are two edges for each coefficient, and one force more."""
    if pyramid.size != 2 * mu.size or force.size != mu.size + 1:
        raise TypeError(
            f"expected {2 * mu.size} edges and {mu.size + 1} components of force for {mu.size} "
            f"coefficients of friction, got {pyramid.size} and {force.size}"
        )


@function
def mju_encodePyramid(pyramid: np.ndarray, force: np.ndarray, mu: np.ndarray) -> None:
    """Edges of a pyramid whose sum is a contact force.

    As in MuJoCo's binding, the contact has as many dimensions as there are coefficients, so that
    the last coefficient, component and edges are left alone.
    """
    check_pyramid(pyramid, force, mu)
    if mu.size == 1:
        pyramid[0] = force[0]
    tangents = mu.size - 1
    if tangents > 0:
        normal = force[0] / tangents
        tangent = np.minimum(normal, force[1:-1] / mu[:-1])
        edges = np.stack([normal + tangent, normal - tangent], 1)
        pyramid[:-2] = 0.5 * edges.ravel()


@function
def mju_decodePyramid(force: np.ndarray, pyramid: np.ndarray, mu: np.ndarray) -> None:
    """Contact force of the edges of a pyramid; sizes count as in `mju_encodePyramid`."""
    check_pyramid(pyramid, force, mu)
    if mu.size == 1:
        force[0] = pyramid[0]
        return
    edges = pyramid[: max(2 * (mu.size - 1), 0)].reshape(-1, 2)
    force[0] = edges.sum()
    force[1:-1] = (edges[:, 0] - edges[:, 1]) * mu[:-1]


@function
def mju_springDamper(pos0: float, vel0: float, Kp: float, Kv: float, dt: float) -> float:
    """Position of a spring with damper after a time: x'' = -Kp x - Kv x'."""
    half = 0.5 * Kv
    root = half * half - Kp
    if abs(root) <= MINVAL:
        # critically damped
        return math.exp(-half * dt) * (pos0 + (vel0 + half * pos0) * dt)
    rate = cmath.sqrt(root)
    sine = cmath.sinh(rate * dt) / rate
    return (
        math.exp(-half * dt) * (pos0 * cmath.cosh(rate * dt) + (vel0 + half * pos0) * sine)
    ).real
