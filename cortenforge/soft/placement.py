"""Placement of deformables: vertices turned by a quaternion or Euler angles, and moved."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from cortenforge.errors import SoftError
from cortenforge.quaternions import rotation_matrices
from cortenforge.soft.arguments import finite_array

Vertices = np.ndarray


def placed_vertices(vertices: Vertices, pos: Any, quat: Any = None, euler: Any = None) -> Vertices:
    """Vertices turned, by a quaternion or intrinsic xyz angles in degrees, and moved."""
    shift = np.zeros(3) if pos is None else finite_array("pos", pos, (3,))
    if quat is not None and euler is not None:
        raise SoftError("only one of quat and euler can be given", "euler")
    turn = np.eye(3)
    if quat is not None:
        turn = matrix_of_quat(finite_array("quat", quat, (4,)))
    if euler is not None:
        angles = np.radians(finite_array("euler", euler, (3,)))
        for axis, angle in enumerate(angles.tolist()):
            half = np.zeros(4)
            half[0], half[1 + axis] = math.cos(angle / 2), math.sin(angle / 2)
            turn = turn @ matrix_of_quat(half)
    moved: np.ndarray = vertices @ turn.T + shift
    return moved


def matrix_of_quat(quat: np.ndarray) -> np.ndarray:
    """Rotation matrix (3, 3) of a quaternion, which need not be normalised."""
    length = float(np.linalg.norm(quat))
    if length == 0:
        raise SoftError("a zero quaternion cannot be normalised", "quat")
    return rotation_matrices(quat / length)
