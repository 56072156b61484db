"""Mass and inertia of a body: explicit, inferred from geoms, bounded, balanced, checked.

From geoms with mass m_i, centre p_i, axes R_i and principal moments d_i:

    m = sum m_i,   c = sum m_i p_i / m,   r_i = p_i - c
    I = sum R_i diag(d_i) R_i' + m_i (|r_i|^2 1 - r_i r_i')

I is diagonalised by Jacobi rotations, the largest off-diagonal entry first:

    tau = (d_cc - d_rr) / (2 d_rc),   t = tan(angle) = sign(tau) / (|tau| + sqrt(1 + tau^2))

Principal moments of a rigid body satisfy the triangle inequality a + b >= c; `balanceinertia`
replaces moments that do not by their mean. See MuJoCo: XML reference, "compiler" (boundmass,
boundinertia, balanceinertia, inertiafromgeom), and for Jacobi rotations Golub and Van Loan, Matrix
Computations, chapter 8.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from cortenforge.compile.elements.orientation import element_pose
from cortenforge.compile.options import CompilerSettings
from cortenforge.compile.records import Body, Geom
from cortenforge.spec import Element
from cortenforge.spec.attribute import number, numbers, orientation_attribute
from cortenforge.spec.rotation import (
    IDENTITY_POSE,
    MIN_NORM,
    UNIT_QUAT,
    ZERO_VECTOR,
    Matrix,
    Pose,
    Quaternion,
    Vector,
    compose_poses,
    multiply_quats,
    normalized,
    quaternion,
    rotation_matrix,
    subtract,
    vector,
)

MIN_BODY_INERTIA = 1e-15
# relative to the largest entry: off-diagonal entries taken as zero, moments taken as equal
OFF_DIAGONAL_EPS = 4e-15
EQUAL_MOMENT_EPS = 1e-12
#: Jacobi rotations at most
MOST_ROTATIONS = 500
SQRT_HALF = 0.707106781186548

SymmetricMatrix = tuple[float, float, float, float, float, float]  # xx yy zz xy xz yz


def symmetric_entries(values: Sequence[float]) -> SymmetricMatrix:
    """Entries xx yy zz xy xz yz of a symmetric matrix, as a tuple."""
    xx, yy, zz, xy, xz, yz = values
    return (xx, yy, zz, xy, xz, yz)


def explicit_inertia(body: Body, settings: CompilerSettings) -> None:
    """Set mass, inertia and inertial frame from <inertial>."""
    if body.inertial is None:
        return
    element = body.inertial.element
    body.mass = _check_not_negative(element, "mass", number(element, "mass"), settings.boundmass)
    diagonal = vector(numbers(element, "diaginertia", ZERO_VECTOR))
    pose = element_pose(element, settings)
    if element.given("fullinertia"):
        if any(diagonal):
            raise element.error("fullinertia and diaginertia cannot both be given", "diaginertia")
        if orientation_attribute(element):
            raise element.error(
                "fullinertia already has an orientation", orientation_attribute(element)
            )
        full = symmetric_entries(numbers(element, "fullinertia"))
        diagonal, quat = principal_inertia(full, element, settings, "fullinertia")
        pose = (pose[0], quat)
    else:
        for value in diagonal:
            _check_not_negative(element, "diaginertia", value, settings.boundinertia)
    body.inertia = diagonal
    body.ipose = compose_poses(body.inertial.frame, pose)


def inertia_from_geoms(body: Body, settings: CompilerSettings) -> None:
    """Set mass, inertia and inertial frame from the geoms of `inertiagrouprange`."""
    low, high = settings.inertiagrouprange
    geoms = [geom for geom in body.geoms if low <= geom.group <= high and geom.mass > MIN_NORM]
    if len(geoms) == 1:
        geom = geoms[0]
        body.mass, body.inertia, body.ipose = geom.mass, geom.inertia, _mass_pose(geom)
    elif geoms:
        parts = [(geom.mass, geom.inertia, _mass_pose(geom)) for geom in geoms]
        body.mass, body.inertia, body.ipose = combined_inertia(parts, body.element, settings)


def _mass_pose(geom: Geom) -> Pose:
    """Pose of a geom's principal axes of inertia in the body."""
    pose = (geom.pos, geom.quat)
    return pose if geom.centre == IDENTITY_POSE else compose_poses(pose, geom.centre)


def mass_counts(body: Body, group: int, settings: CompilerSettings) -> bool:
    """True when the geom's mass counts for its body."""
    low, high = settings.inertiagrouprange
    inferred = body.inertial is None or settings.inertiafromgeom == "true"
    return body.parent is not None and inferred and low <= group <= high


def finish_inertia(body: Body, settings: CompilerSettings) -> None:
    """Apply boundmass and boundinertia, and check or balance the triangle inequality."""
    before = (body.mass, body.inertia)
    body.mass = max(body.mass, settings.boundmass)
    body.inertia = vector(max(moment, settings.boundinertia) for moment in body.inertia)
    element = body.element if body.inertial is None else body.inertial.element
    if body.mass < 0 or min(body.inertia) < 0:
        raise element.error(
            f"mass and inertia cannot be negative: mass {body.mass:g}, inertia "
            + " ".join(f"{moment:g}" for moment in body.inertia)
        )
    a, b, c = body.inertia
    if a + b < c or a + c < b or b + c < a:
        if not settings.balanceinertia:
            raise element.error(
                f"principal inertia {a:g} {b:g} {c:g} violates the triangle inequality: each "
                "moment must be at most the sum of the other two",
                hint='<compiler balanceinertia="true"/> replaces them by their mean',
            )
        mean = (a + b + c) / 3.0
        body.inertia = (mean, mean, mean)
    body.adjusted = before != (body.mass, body.inertia)


def check_moving_body(body: Body) -> None:
    """Refuse a body with joints that has no inertia, its own or of bodies welded to it."""
    if body.joints and not _has_inertia(body):
        raise body.element.error(
            "a moving body must have mass and inertia above 1e-15", hint="add a geom or <inertial>"
        )


def _has_inertia(body: Body) -> bool:
    """True when the body, or one body welded to it, has mass and all three moments."""
    pending = [body]
    while pending:
        one = pending.pop()
        if one.mass >= MIN_BODY_INERTIA and min(one.inertia) >= MIN_BODY_INERTIA:
            return True
        pending.extend(child for child in one.bodies if not child.joints)
    return False


def combined_inertia(
    parts: list[tuple[float, Vector, Pose]], element: Element, settings: CompilerSettings
) -> tuple[float, Vector, Pose]:
    """(mass, principal moments, inertial frame) of rigid parts taken as one body."""
    mass = sum(part[0] for part in parts)
    moment = [0.0, 0.0, 0.0]
    for one, _, (pos, _) in parts:
        for i in range(3):
            moment[i] += one * pos[i]
    centre = (moment[0] / mass, moment[1] / mass, moment[2] / mass)
    total = [0.0] * 6
    for one, diagonal, (pos, quat) in parts:
        rotated = rotated_inertia(diagonal, quat)
        parallel = offset_inertia(one, subtract(pos, centre))
        for i in range(6):
            total[i] += rotated[i] + parallel[i]
    moments, quat = principal_inertia(symmetric_entries(total), element, settings, None)
    return mass, moments, (centre, quat)


def rotated_inertia(diagonal: Vector, quat: Quaternion) -> SymmetricMatrix:
    """R diag(d) R' as xx yy zz xy xz yz, R the rotation of the quaternion."""
    a, b, c = diagonal
    m = rotation_matrix(quat)

    def entry(i: int, j: int) -> float:
        return (
            m[3 * i] * m[3 * j] * a
            + m[3 * i + 1] * m[3 * j + 1] * b
            + m[3 * i + 2] * m[3 * j + 2] * c
        )

    return (entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2))


def offset_inertia(mass: float, offset: Vector) -> SymmetricMatrix:
    """m (|r|^2 1 - r r') as xx yy zz xy xz yz: a point mass at an offset (parallel axes)."""
    x, y, z = offset
    return (
        mass * (y * y + z * z),
        mass * (x * x + z * z),
        mass * (x * x + y * y),
        -mass * x * y,
        -mass * x * z,
        -mass * y * z,
    )


def principal_inertia(
    full: SymmetricMatrix, element: Element, settings: CompilerSettings, attribute: str | None
) -> tuple[Vector, Quaternion]:
    """Principal moments, largest first, and axes; refused if not positive and not bounded."""
    moments, quat = diagonalised_inertia(full)
    # with a bound, rounding below zero is allowed: the bound replaces it
    if moments[2] < (-MIN_NORM if settings.boundinertia > 0 else MIN_NORM):
        raise element.error(
            f"the inertia matrix is not positive definite: eigenvalues {moments[0]:g} "
            f"{moments[1]:g} {moments[2]:g}",
            attribute,
        )
    return moments, quat


def diagonalised_inertia(
    full: SymmetricMatrix, off_eps: float = OFF_DIAGONAL_EPS, equal_eps: float = EQUAL_MOMENT_EPS
) -> tuple[Vector, Quaternion]:
    """Eigenvalues in decreasing order and eigenvectors as a quaternion."""
    moments, quat, _ = eigenvalues_and_axes(full, off_eps, equal_eps)
    return moments, quat


def eigenvalues_and_axes(
    full: SymmetricMatrix, off_eps: float, equal_eps: float
) -> tuple[Vector, Quaternion, int]:
    """Eigenvalues, eigenvectors as a quaternion, number of rotations.  Mirrors mju_eig3.

    off_eps:   off-diagonal entries below this, relative to the largest entry, are zero.
    equal_eps: eigenvalues that differ by less, relative to the same, are not reordered.
    The thresholds decide which of the equivalent frames comes out, so they are part of the
    result; they were measured on MuJoCo 4.0.0.
    """
    xx, yy, zz, xy, xz, yz = full
    m = (xx, xy, xz, xy, yy, yz, xz, yz, zz)
    quat = UNIT_QUAT
    scale = max(abs(entry) for entry in m)
    values, rotations = [xx, yy, zz], 0
    while rotations < MOST_ROTATIONS:
        d = _rotated_matrix(m, quat)
        values = [d[0], d[4], d[8]]
        row, column, axis = _largest_off_diagonal(d)
        off = d[3 * row + column]
        if abs(off) <= off_eps * scale:
            break
        tau = (d[4 * column] - d[4 * row]) / (2 * off)
        t = (1.0 if tau >= 0 else -1.0) / (abs(tau) + math.sqrt(1 + tau * tau))
        quat = normalized(multiply_quats(quat, _jacobi_step(axis, t)))
        rotations += 1
    return *_sorted_frame(values, quat, equal_eps * scale), rotations


def _rotated_matrix(m: Matrix, quat: Quaternion) -> Matrix:
    """R' m R, R the rotation of the quaternion."""
    r = rotation_matrix(quat)
    t = tuple(
        r[i] * m[j] + r[3 + i] * m[3 + j] + r[6 + i] * m[6 + j] for i in range(3) for j in range(3)
    )
    return tuple(  # type: ignore[return-value]  # nine numbers
        t[3 * i] * r[j] + t[3 * i + 1] * r[3 + j] + t[3 * i + 2] * r[6 + j]
        for i in range(3)
        for j in range(3)
    )


def _largest_off_diagonal(d: Matrix) -> tuple[int, int, int]:
    """(row, column, rotation axis) of the largest entry above the diagonal."""
    xy, xz, yz = abs(d[1]), abs(d[2]), abs(d[5])
    if xy > xz and xy > yz:
        return 0, 1, 2
    return (0, 2, 1) if xz > yz else (1, 2, 0)


def _jacobi_step(axis: int, tangent: float) -> Quaternion:
    """Quaternion of a Jacobi rotation about one axis, given the tangent of its angle."""
    half = tangent / (1 + math.sqrt(1 + tangent * tangent))
    cosine = 1.0 / math.sqrt(1 + half * half)
    step = [cosine, 0.0, 0.0, 0.0]
    step[axis + 1] = (half if axis == 1 else -half) * cosine
    return quaternion(step)


def _sorted_frame(values: list[float], quat: Quaternion, equal: float) -> tuple[Vector, Quaternion]:
    """Eigenvalues sorted in decreasing order; each swap rotates the frame by a quarter turn."""
    for lead in (0, 1, 0):
        if values[lead] + equal < values[lead + 1]:
            values[lead], values[lead + 1] = values[lead + 1], values[lead]
            step = [SQRT_HALF, 0.0, 0.0, 0.0]
            step[(lead + 2) % 3 + 1] = SQRT_HALF
            quat = normalized(multiply_quats(quat, quaternion(step)))
    return (values[0], values[1], values[2]), quat


def _check_not_negative(element: Element, name: str, value: float, bound: float) -> float:
    """Refuse a negative value, unless the compiler's bound replaces it."""
    if value < 0 and bound <= 0:
        raise element.error("cannot be negative", name)
    return value
