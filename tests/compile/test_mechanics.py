"""Laws that the passes obey, checked without MuJoCo."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.generate import smooth_model
from cortenforge.compile import compile_spec
from cortenforge.compile.constants import articulated_inertia
from cortenforge.compile.constants import reference_constants as constants
from cortenforge.compile.constants.reference_kinematics import ReferenceKinematics
from cortenforge.compile.elements import primitive_shapes
from cortenforge.compile.elements.body_inertia import (
    combined_inertia,
    diagonalised_inertia,
    rotated_inertia,
)
from cortenforge.compile.options import compiler_settings
from cortenforge.enums import GeomType
from cortenforge.errors import MjcfWarning
from cortenforge.read import read_mjcf
from cortenforge.spec.rotation import (
    compose_poses,
    from_axes,
    from_z_to,
    inverse_pose,
    multiply_quats,
    normalized,
    rotate,
    rotation_matrix,
)

NUMBER = st.floats(-3, 3)
VECTOR = st.tuples(NUMBER, NUMBER, NUMBER)
QUATERNION = (
    st.tuples(NUMBER, NUMBER, NUMBER, NUMBER)
    .filter(lambda q: sum(x * x for x in q) > 0.01)
    .map(normalized)
)
SOLIDS = (GeomType.SPHERE, GeomType.CAPSULE, GeomType.CYLINDER, GeomType.ELLIPSOID, GeomType.BOX)


@given(VECTOR, QUATERNION, VECTOR, QUATERNION, VECTOR)
def test_poses_compose(pos, quat, child, turned, point) -> None:
    """Two poses one after the other are their composition; the inverse undoes a pose."""

    def at(pose, v):
        return np.add(pose[0], rotate(pose[1], v))

    one, two = (pos, quat), (child, turned)
    np.testing.assert_allclose(
        at(compose_poses(one, two), point), at(one, tuple(at(two, point))), atol=1e-12
    )
    back = compose_poses(one, inverse_pose(one))
    np.testing.assert_allclose(back[0], 0, atol=1e-12)
    np.testing.assert_allclose(np.abs(back[1]), [1, 0, 0, 0], atol=1e-12)


@given(QUATERNION)
def test_axes_give_back_the_rotation(quat) -> None:
    """A rotation is found again from the columns of its matrix, up to sign."""
    m = rotation_matrix(quat)
    again = from_axes(m[0::3], m[1::3], m[2::3])
    assert min(math.dist(again, quat), math.dist(again, [-x for x in quat])) < 1e-7


@given(QUATERNION)
def test_shortest_rotation_reaches_its_axis(quat) -> None:
    """The z axis is turned to any direction."""
    axis = rotate(quat, (0.0, 0.0, 1.0))
    np.testing.assert_allclose(rotate(from_z_to(axis), (0.0, 0.0, 1.0)), axis, atol=1e-6)


@given(st.tuples(*[st.floats(0.1, 5)] * 3), QUATERNION)
def test_diagonalisation(moments, quat) -> None:
    """Moments come out in falling order, and the frame gives the matrix back."""
    full = rotated_inertia(moments, quat)
    found, axes = diagonalised_inertia(full)
    np.testing.assert_allclose(sorted(moments, reverse=True), found, rtol=1e-12)
    np.testing.assert_allclose(rotated_inertia(found, axes), full, atol=1e-12)


@given(VECTOR, QUATERNION)
def test_halves_combine_to_the_whole(pos, quat) -> None:
    """A box made of two half boxes has the inertia of the box."""
    half, whole = (0.1, 0.2, 0.15), (0.1, 0.2, 0.3)
    spec = read_mjcf("<mujoco><worldbody/></mujoco>")
    inertia = primitive_shapes.shape_inertia(GeomType.BOX, half, 2.0)
    parts = [
        (2.0, inertia, compose_poses((pos, quat), ((0.0, 0.0, z), (1.0, 0.0, 0.0, 0.0))))
        for z in (-0.15, 0.15)
    ]
    mass, moments, pose = combined_inertia(parts, spec.worldbody, compiler_settings(spec.compiler))
    assert mass == 4.0
    np.testing.assert_allclose(pose[0], pos, atol=1e-12)
    expected = primitive_shapes.shape_inertia(GeomType.BOX, whole, 4.0)
    np.testing.assert_allclose(moments, sorted(expected, reverse=True), rtol=1e-12)


@pytest.mark.parametrize("kind", SOLIDS)
def test_shell_is_the_growth_of_the_solid(kind: GeomType) -> None:
    """Area and shell inertia are derivatives of volume and inertia in the thickness."""
    size, grown, step = (0.3, 0.3, 0.3), (0.3 + 1e-6,) * 3, 1e-6
    # a capsule's cylinder part keeps its length when it grows thicker
    if kind == GeomType.CAPSULE:
        grown = (0.3 + step, 0.3, 0.3)
    area = (
        primitive_shapes.shape_volume(kind, grown) - primitive_shapes.shape_volume(kind, size)
    ) / step
    assert area == pytest.approx(primitive_shapes.shape_volume(kind, size, shell=True), rel=1e-4)
    solid = [
        np.array(primitive_shapes.shape_inertia(kind, s, primitive_shapes.shape_volume(kind, s)))
        for s in (size, grown)
    ]
    shell = primitive_shapes.shape_inertia(
        kind, size, primitive_shapes.shape_volume(kind, size, shell=True), shell=True
    )
    np.testing.assert_allclose((solid[1] - solid[0]) / step, shell, rtol=1e-4)


def _dense_inertia(arrays, reference) -> np.ndarray:
    """The inertia matrix in the reference position, from composite inertias."""
    motion, inertia = reference.cdof, constants.spatial_inertias(reference.cinert)
    composite = constants._subtree_sum(arrays["body_parentid"], inertia)
    dense = np.diag(arrays["dof_armature"]).astype(float)
    for i, body in enumerate(arrays["dof_bodyid"]):
        row = slice(arrays["M_rowadr"][i], arrays["M_rowadr"][i] + arrays["M_rownnz"][i])
        for j in arrays["M_colind"][row]:
            entry = motion[j] @ composite[body] @ motion[i]
            dense[i, j] += entry
            dense[j, i] += entry if i != j else 0
    return dense


@pytest.mark.parametrize("seed", range(10))
def test_inverse_inertias_equal_the_dense_inverse(seed: int) -> None:
    """The recursion over bodies agrees with inverting the dense inertia matrix."""
    arrays = compile_spec(read_mjcf(smooth_model(500 + seed))).arrays
    reference = ReferenceKinematics(arrays, arrays["qpos0"], weighed=True)
    motion, inertia = reference.cdof, constants.spatial_inertias(reference.cinert)
    dense = _dense_inertia(arrays, reference)
    steps = articulated_inertia.model_tree_levels(arrays)
    own = arrays["dof_armature"]
    force, inverse = articulated_inertia.articulated_inertia_pass(
        arrays, steps, motion, inertia, own
    )
    diagonal, _ = articulated_inertia.inverse_inertia_pass(arrays, steps, motion, force, inverse)
    if len(dense):
        np.testing.assert_allclose(diagonal, np.diag(np.linalg.inv(dense)), rtol=1e-8)
    np.testing.assert_allclose(np.diag(dense), arrays["dof_M0"], rtol=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_responses_to_sparse_forces_equal_the_dense_inverse(seed: int) -> None:
    """Forces on a few dofs, of one tree or several, move all others as the inverse of M says."""
    arrays = compile_spec(read_mjcf(smooth_model(700 + seed))).arrays
    reference = ReferenceKinematics(arrays, arrays["qpos0"], weighed=True)
    dense = _dense_inertia(arrays, reference)
    chance = np.random.default_rng(seed)
    rows = []
    for _ in range(20):
        dofs = np.flatnonzero(chance.random(len(dense)) < 0.3)
        rows.append((dofs, chance.normal(size=len(dofs))))
    norm, product = reference.inverse_products(arrays, rows)
    for i, (dofs, values) in enumerate(rows):
        force = np.zeros(len(dense))
        force[dofs] = values
        moved = np.linalg.solve(dense, force) if len(dense) else force
        assert norm[i] == pytest.approx(np.linalg.norm(moved), rel=1e-8)
        assert product[i] == pytest.approx(moved @ force, rel=1e-8)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_maps_between_patterns(seed: int) -> None:
    """Maps between M and D point at entries of the same row and column."""
    arrays = compile_spec(read_mjcf(smooth_model(seed))).arrays
    m_row = np.repeat(np.arange(len(arrays["M_rownnz"])), arrays["M_rownnz"])
    d_row = np.repeat(np.arange(len(arrays["D_rownnz"])), arrays["D_rownnz"])
    m_col, d_col = arrays["M_colind"], arrays["D_colind"]
    to_d = arrays["mapD2M"]
    assert (d_row[to_d] == m_row).all() and (d_col[to_d] == m_col).all()
    to_m = arrays["mapM2D"]
    there = to_m >= 0
    assert (m_row[to_m[there]] == np.maximum(d_row, d_col)[there]).all()
    assert (m_col[to_m[there]] == np.minimum(d_row, d_col)[there]).all()
    assert len(np.unique(arrays["mapM2M"])) == len(arrays["mapM2M"])


def test_quaternions_multiply() -> None:
    """Two quarter turns about z are half a turn."""
    quarter = (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))
    np.testing.assert_allclose(multiply_quats(quarter, quarter), [0, 0, 0, 1], atol=1e-15)


def test_short_keyframe_is_filled_and_said():
    """As in MuJoCo the rest is the reference state, but not silently."""
    xml = (
        '<mujoco><worldbody><body pos="7 8 9"><freejoint/><geom size=".1"/></body></worldbody>'
        '<keyframe><key qpos="1"/></keyframe></mujoco>'
    )
    with pytest.warns(MjcfWarning, match="1 of 7 numbers"):
        compiled = compile_spec(read_mjcf(xml))
    np.testing.assert_array_equal(compiled.arrays["key_qpos"], [[1, 8, 9, 1, 0, 0, 0]])
