"""Dense matrices, row by row; spatial transformations; eigenvalues of symmetric 3x3 matrices.

force, at a new origin:   torque + (old - new) x force
motion, at a new origin:  velocity + (old - new) x angular velocity, turned the other way
"""

from __future__ import annotations

import numpy as np

from cortenforge.compile.elements.body_inertia import (
    EQUAL_MOMENT_EPS,
    OFF_DIAGONAL_EPS,
    eigenvalues_and_axes,
)
from cortenforge.mujoco.mju.shapes import as_matrix, check_same_size, check_shape, checked_square
from cortenforge.mujoco.registry import function
from cortenforge.spec.rotation import rotation_matrix


@function
def mju_mulMatVec3(res: np.ndarray, mat: np.ndarray, vec: np.ndarray) -> None:
    """res = mat vec."""
    res[:] = mat.reshape(3, 3) @ vec


@function
def mju_mulMatTVec3(res: np.ndarray, mat: np.ndarray, vec: np.ndarray) -> None:
    """res = mat^T vec."""
    res[:] = mat.reshape(3, 3).T @ vec


@function
def mju_mulMatVec(res: np.ndarray, mat: np.ndarray, vec: np.ndarray) -> None:
    """res = mat vec."""
    mat = as_matrix(mat)
    check_shape("res", res, mat.shape[0])
    check_shape("vec", vec, mat.shape[1])
    res[:] = mat @ vec


@function
def mju_mulMatTVec(res: np.ndarray, mat: np.ndarray, vec: np.ndarray) -> None:
    """res = mat^T vec."""
    mat = as_matrix(mat)
    check_shape("res", res, mat.shape[1])
    check_shape("vec", vec, mat.shape[0])
    res[:] = mat.T @ vec


@function
def mju_mulVecMatVec(vec1: np.ndarray, mat: np.ndarray, vec2: np.ndarray) -> float:
    """vec1^T mat vec2, for a square matrix."""
    mat = as_matrix(mat)
    check_same_size(vec1=vec1, vec2=vec2)
    check_shape("mat", mat, vec1.size, vec1.size)
    return float(vec1 @ (mat @ vec2))


@function
def mju_transpose(res: np.ndarray, mat: np.ndarray) -> None:
    """res = mat^T."""
    res, mat = as_matrix(res), as_matrix(mat)
    check_shape("res", res, *mat.T.shape)
    res[:] = mat.T.copy()


@function
def mju_symmetrize(res: np.ndarray, mat: np.ndarray) -> None:
    """res = (mat + mat^T) / 2."""
    mat = checked_square("mat", mat)
    check_shape("res", res, *mat.shape)
    res[:] = 0.5 * (mat + mat.T)


@function
def mju_eye(mat: np.ndarray) -> None:
    """The identity matrix."""
    mat = checked_square("mat", mat)
    mat[:] = np.eye(len(mat))


@function
def mju_mulMatMat(res: np.ndarray, mat1: np.ndarray, mat2: np.ndarray) -> None:
    """res = mat1 mat2."""
    res, mat1, mat2 = as_matrix(res), as_matrix(mat1), as_matrix(mat2)
    check_shape("mat2", mat2, mat1.shape[1], mat2.shape[1])
    check_shape("res", res, mat1.shape[0], mat2.shape[1])
    res[:] = mat1 @ mat2


@function
def mju_mulMatMatT(res: np.ndarray, mat1: np.ndarray, mat2: np.ndarray) -> None:
    """res = mat1 mat2^T."""
    res, mat1, mat2 = as_matrix(res), as_matrix(mat1), as_matrix(mat2)
    check_shape("mat2", mat2, mat2.shape[0], mat1.shape[1])
    check_shape("res", res, mat1.shape[0], mat2.shape[0])
    res[:] = mat1 @ mat2.T


@function
def mju_mulMatTMat(res: np.ndarray, mat1: np.ndarray, mat2: np.ndarray) -> None:
    """res = mat1^T mat2."""
    res, mat1, mat2 = as_matrix(res), as_matrix(mat1), as_matrix(mat2)
    check_shape("mat2", mat2, mat1.shape[0], mat2.shape[1])
    check_shape("res", res, mat1.shape[1], mat2.shape[1])
    res[:] = mat1.T @ mat2


@function
def mju_sqrMatTD(res: np.ndarray, mat: np.ndarray, diag: np.ndarray | None) -> None:
    """res = mat^T diag mat; without diag, mat^T mat."""
    res, mat = as_matrix(res), as_matrix(mat)
    check_shape("res", res, mat.shape[1], mat.shape[1])
    if diag is None:
        res[:] = mat.T @ mat
        return
    check_shape("diag", diag, mat.shape[0])
    res[:] = mat.T @ (diag[:, None] * mat)


@function
def mju_transformSpatial(
    res: np.ndarray,
    vec: np.ndarray,
    flg_force: int,
    newpos: np.ndarray,
    oldpos: np.ndarray,
    rotnew2old: np.ndarray,
) -> None:
    """A spatial vector (rotational part first) at a new origin, in the axes of a new frame."""
    found = vec.copy()
    shift = newpos - oldpos
    if flg_force:
        found[:3] -= np.cross(shift, vec[3:])
    else:
        found[3:] -= np.cross(shift, vec[:3])
    res[:] = (found.reshape(2, 3) @ rotnew2old.reshape(3, 3)).ravel()


@function
def mju_eig3(eigval: np.ndarray, eigvec: np.ndarray, quat: np.ndarray, mat: np.ndarray) -> int:
    """Eigenvalues, the largest first, and eigenvectors of a symmetric 3x3 matrix.

    eigvec has the eigenvectors in its columns; quat is the same rotation.  Returns the number of
    Jacobi rotations.
    """
    xx, xy, xz, _, yy, yz, _, _, zz = mat.tolist()
    values, axes, rotations = eigenvalues_and_axes(
        (xx, yy, zz, xy, xz, yz), OFF_DIAGONAL_EPS, EQUAL_MOMENT_EPS
    )
    eigval[:], quat[:], eigvec[:] = values, axes, rotation_matrix(axes)
    return rotations
