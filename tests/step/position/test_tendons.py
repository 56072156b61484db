"""Tendons: their lengths, how joints change them, their inertia, and the points of their paths."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from conformance.cases import public_folder
from conformance.generate import random_model
from cortenforge.enums import Disable
from cortenforge.model.calls.linked_units import plain_model
from cortenforge.models import find
from cortenforge.step.engine import ENGINE
from tests.laws.mechanics import dense_inertia
from tests.step.stages import Pair, field, pair, states, written_by
from tests.step.tendon_models import arm, wraps

PUBLIC = (
    "menagerie/shadow_hand/scene_right.xml",
    "menagerie/robotiq_2f85/scene.xml",
    "mjx_tests/tendon/pulley_fixed_site_wrap.xml",
    "mjx_tests/tendon/wrap_sidesite.xml",
    "mujoco_tests/common/catenary.xml",
    "mujoco_tests/common/tendon_wrap.xml",
    "mujoco_tests/engine/core_smooth/ten_armature_3.xml",
    "mujoco_tests/engine/core_smooth/ten_armature_offtree.xml",
    "mujoco_tests/engine/core_smooth/ten_J3.xml",
)
LINE = '<spatial {numbers}><site site="a"/><site site="b"/></spatial>'
OVER = '<spatial {numbers}><site site="a"/><geom geom="g"/><site site="b"/></spatial>'


def smooth(both: Pair) -> Pair:
    """Without constraints and sensors, in both engines."""
    for model in (both.model, both.reference):
        model.opt.disableflags |= int(Disable.CONSTRAINT | Disable.SENSOR)
    return both


@pytest.mark.parametrize(
    "source",
    ["tendons", "joint_hinge", *(pytest.param(wraps(s), id=f"wraps {s}") for s in range(6))],
)
def test_fields_are_mujocos(source):
    """000.4-AC1, 002-S7: lengths, Jacobians, points and M, outside and inside of round geoms."""
    for both in states(source):
        both.assert_equal(*written_by("step.position.tendons"))


@pytest.mark.parametrize("seed", [*range(3100, 3110)])
def test_fields_of_random_models(seed):
    """002-S7: pulleys, side sites, armature, several trees, replicas."""
    both, rng = smooth(pair(random_model(seed))), np.random.default_rng(seed)
    for _ in range(4):
        both.write(rng)
        both.forward()
        both.assert_equal(*written_by("step.position.tendons"), field("qLD"))


@pytest.mark.parametrize("name", PUBLIC)
def test_fields_of_public_models(name):
    """002-S7: hands, grippers, and MuJoCo's own tests of tendons."""
    folder = public_folder()
    if folder is None or not (folder / name).is_file():
        pytest.skip("no public models here")
    both = smooth(pair(folder / name))
    rng = np.random.default_rng(0)
    for _ in range(3):
        both.write(rng)
        both.forward()
        both.assert_equal(*written_by("step.position.tendons"))


@pytest.mark.parametrize("source", ["tendons", *(wraps(s, 12) for s in (7, 8))], ids=str.strip)
def test_jacobian_is_the_gradient_of_length(source):
    """Moved along a dof, a tendon becomes longer by its entry of ten_J."""
    both = pair(source)
    both.write(np.random.default_rng(1))
    both.forward()
    model, data = both.model, both.data
    matrix = dense_jacobian(model, data)
    start, step = data.qpos.copy(), 1e-6
    for i in range(model.nv):
        ends = []
        for way in (1, -1):
            data.qpos = model.integrate_pos(start, np.eye(model.nv)[i], way * step)
            data.forward(smooth_only=True)
            ends.append(data.ten_length.copy())
        np.testing.assert_allclose((ends[0] - ends[1]) / (2 * step), matrix[:, i], atol=2e-5)


def dense_jacobian(model, data):
    """ten_J, all columns."""
    matrix = np.zeros((model.ntendon, model.nv))
    for i in range(model.ntendon):
        row = slice(model.ten_J_rowadr[i], model.ten_J_rowadr[i] + model.ten_J_rownnz[i])
        matrix[i, model.ten_J_colind[row]] = data.ten_J[row]
    return matrix


PULLEYS = (
    '<spatial {numbers}><pulley divisor="3"/><site site="a"/><geom geom="g"/><site site="b"/>'
    '<site site="up"/><pulley divisor="1.7"/><site site="up"/><site site="b"/></spatial>'
)


def test_segments_of_a_path():
    """Those along which a path runs, and their shares; with the arcs they are its length."""
    both = pair(arm(PULLEYS, geoms='<geom name="g" size=".2"/>'))
    model, data = both.model, both.data
    world, arm_body = 0, 1
    # onto the geom, off it, past it; to the second site; behind the second pulley
    ends = [[1, 2], [2, 3], [1, 3], [3, 4], [6, 7]]
    bodies = [[world, world], [world, arm_body], [world, arm_body], [arm_body, world], [0, 1]]
    assert model.tenseg_step.tolist() == ends and model.tenseg_bodyid.tolist() == bodies
    assert model.tenseg_pulley.tolist() == [0, 0, 0, 0, 5]
    assert (model.tenseg_adr.tolist(), model.tenseg_num.tolist()) == ([0], [5])
    for turn, touches in ((0.0, True), (-1.5, False)):
        data.qpos[:] = both.theirs.qpos[:] = turn
        both.forward()
        first = [1 / 3, 1 / 3, 0.0] if touches else [0.0, 0.0, 1 / 3]
        np.testing.assert_array_equal(data.tenseg_share, [*first, 1 / 3, 1 / 1.7])
        line = np.linalg.norm(data.tenseg_end - data.tenseg_start, axis=1)
        arc = data.wrap_arc[2] / 3 if touches else 0.0
        length = data.tenseg_share @ line + arc
        np.testing.assert_allclose(data.ten_length[0], length, rtol=1e-14)
        both.assert_equal(field("ten_length"), field("ten_J"), field("wrap_xpos"))


def test_armature_adds_its_square_to_the_inertia():
    """M grows by J' a J, where dofs lie on one way to the root."""
    heavy, light = (pair(arm(LINE, f'armature="{a}"')) for a in (0.7, 0))
    for both in (heavy, light):
        for data in (both.data, both.theirs):
            data.qpos[:] = 0.4
        both.forward()
        both.assert_equal(field("M"))
    grown = dense_inertia(heavy.model, heavy.data) - dense_inertia(light.model, light.data)
    row = dense_jacobian(heavy.model, heavy.data)
    np.testing.assert_allclose(grown, 0.7 * row.T @ row, atol=1e-14)


@pytest.mark.parametrize(
    ("sites", "geom"),
    [
        ('<site name="s" pos="0 0 0"/>', 'type="sphere" size=".2"'),
        ('<site name="s" pos="0 .1 .1"/>', 'type="sphere" size=".2"'),
        ('<site name="s" pos="0 0 .3"/>', 'type="cylinder" size=".2 .4"'),
        ('<site name="s" pos="0 .2 0"/>', 'type="cylinder" size=".2 .4"'),
        ('<site name="s" pos="-.5 0 .1"/>', 'type="sphere" size=".3"'),
        ('<site name="s" pos="-.5 0 0"/>', 'type="cylinder" size=".1 .4" euler="90 0 0"'),
    ],
)
@pytest.mark.parametrize("side", ["", 'sidesite="s"', 'sidesite="b"', 'sidesite="up"'])
def test_degenerate_paths_are_mujocos(sites, geom, side):
    """Zero length, a start at the centre or within the geom, ends in line with its axis."""
    path = (
        '<spatial><site site="a"/><site site="t"/></spatial>'
        f'<spatial><site site="a"/><geom geom="g" {side}/><site site="t"/></spatial>'
        f'<spatial><site site="s"/><geom geom="g" {side}/><site site="b"/></spatial>'
        f'<spatial><site site="a"/><geom geom="g" {side}/><site site="s"/></spatial>'
    )
    twin = '<body><joint axis="0 0 1"/><geom size=".1"/><site name="t" pos="-.5 0 .1"/></body>'
    both = pair(arm(path, geoms=f'<geom name="g" {geom}/>{sites}{twin}'))
    for turn in (0.0, 0.5, np.pi):
        for data in (both.data, both.theirs):
            data.qpos[:] = 0.0, turn
        both.forward()
        both.assert_equal(*written_by("step.position.tendons"))
        assert np.isfinite(both.data.ten_J).all()


@pytest.mark.parametrize("side", ["", 'sidesite="up"', 'sidesite="s"', 'sidesite="in"'])
@pytest.mark.parametrize("turn", [0.0, 0.3, np.pi])
def test_sites_on_the_surface(side, turn):
    """Rounding decides whether such a site is outside; the path is one of two, and finite."""
    path = f'<spatial><site site="a"/><geom geom="g" {side}/><site site="s"/></spatial>'
    surface = '<site name="s" pos=".2 0 0"/><site name="in" pos="0 0 .01"/>'
    data = pair(arm(path, geoms=f'<geom name="g" size=".2"/>{surface}')).data
    data.qpos[:] = turn
    data.forward()
    straight = np.linalg.norm(data.site_xpos[0] - data.model.site("s").pos)
    assert straight - 1e-12 <= data.ten_length[0] < 2.5 * straight
    assert np.isfinite(data.ten_J).all() and np.isfinite(data.wrap_xpos).all()


@pytest.mark.parametrize("source", ["tendons", wraps(9)], ids=["tendons", "wraps"])
def test_lanes_have_the_bits_of_single_worlds(source):
    """Worlds that touch a geom beside worlds that do not."""
    model = pair(source).model
    batch = cf.BatchSim(model, 16, threads=1)
    names = [f.name for f in written_by("step.position.tendons") if f.is_real]
    names += ["ten_velocity", "ten_force", "qfrc_spring", "qfrc_damper", "qfrc_bias", "energy"]
    batch.bind(*names)
    rng = np.random.default_rng(4)
    for i in range(16):
        batch.qpos[i] = model.integrate_pos(model.qpos0, rng.normal(size=model.nv), 0.7)
    batch.qvel[:] = rng.normal(size=batch.qvel.shape)
    start = batch.get_states()
    assert batch.step_all(20) == [None] * 16
    for i in range(16):
        data = model.make_data()
        data.set_state(start[i])
        data.step(20)
        assert np.array_equal(bits(data.get_state().vector), bits(batch.get_states()[i]))
        for name in names:
            assert np.array_equal(bits(getattr(data, name)), bits(getattr(batch, name)[i])), name


@pytest.mark.parametrize("source", ["tendons", wraps(10, 12)], ids=["tendons", "wraps"])
def test_worlds_that_differ_have_the_bits_of_single_worlds(source):
    """Sizes of geoms, springs, dampers, inertia and divisors of their own; some have none."""
    model = pair(source).model
    batch = cf.BatchSim(model, 9, threads=1)
    names = ("geom_size", "tendon_stiffness", "tendon_damping", "tendon_armature", "site_pos")
    batch.expand(*names, "wrap_prm")
    rng = np.random.default_rng(5)
    for name in names:
        batch.parameters[name] *= rng.uniform(0.5, 1.5, batch.parameters[name].shape)
    for name in names[1:4]:
        batch.parameters[name][::3] = 0.0
    coefficients = model.wrap_type < 3
    batch.parameters["wrap_prm"][:, coefficients] *= rng.uniform(0.5, 2, (9, coefficients.sum()))
    batch.qvel[:] = rng.normal(size=batch.qvel.shape)
    start = batch.get_states()
    alone = []
    for i in range(9):
        data = batch.env(i).copy()
        data.set_state(start[i])
        data.step(20)
        alone.append(data.get_state().vector)
    assert batch.step_all(20) == [None] * 9
    for i in range(9):
        assert np.array_equal(bits(alone[i]), bits(batch.get_states()[i])), i


def bits(array):
    return np.ascontiguousarray(array).view(np.uint64)


def test_models_without_tendons_reach_no_kernel_of_theirs():
    """000.4-AC5: nothing of tendons is compiled, loaded or called."""
    assert units_of_tendons(find("humanoid_floating")) == []
    assert len(units_of_tendons(arm(LINE))) == 4


def units_of_tendons(source):
    """What a step of a model loads for its tendons."""
    reach = ENGINE.linker.reach([ENGINE.step], plain_model(cf.Model.from_mjcf(source)))
    return [unit.name for unit in reach.found(alone=False) if "tendon" in unit.name]


def test_side_sites_cannot_change():
    """A kernel knows them by their number; a coefficient or a divisor can change."""
    both = pair(wraps(0, 3))
    both.model.wrap_prm[4] += 1
    with pytest.raises(cf.ModelError, match="side site"):
        both.data.forward()


def test_divisors_can_change():
    """A pulley with another divisor, in both engines."""
    both = pair("tendons")
    for model in (both.model, both.reference):
        model.wrap_prm[model.wrap_type == 2] *= 1.5
    both.forward()
    both.assert_equal(field("ten_length"), field("ten_J"))


def test_inertia_around_geoms_is_refused():
    """As in MuJoCo, also if it is set later."""
    both = pair(arm(OVER, geoms='<geom name="g" size=".2"/>'))
    both.data.forward()
    both.model.tendon_armature[:] = 0.1
    with pytest.raises(cf.UnsupportedFeature, match="armature of tendons that wrap around geoms"):
        both.data.forward()
