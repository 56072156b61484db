"""Functions give what MuJoCo's give: values, changes of arguments, and changes of data."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from cortenforge.mujoco.functions.pipeline import STAGES
from tests.mujoco.pairs import MODELS, Side, differences, ours, sides, unwritten

pytestmark = pytest.mark.oracle

#: what a call gives: numbers and arrays
Results = list[Any]
Call = Callable[[Any, Any, Any, np.random.Generator], Results]


def jacobians(name: str, count: str) -> Call:
    def call(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
        found = []
        for number in range(getattr(m, count)):
            jacp, jacr = np.zeros((3, m.nv)), np.zeros((3, m.nv))
            getattr(mj, name)(m, d, jacp, jacr, number)
            getattr(mj, name)(m, d, None, jacr, number)
            found += [jacp, jacr]
        return found

    return call


def point_jacobians(name: str) -> Call:
    def call(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
        found = []
        for body in range(m.nbody):
            jacp, jacr = np.zeros((3, m.nv)), np.zeros((3, m.nv))
            extra = [rng.standard_normal(3)] if name == "mj_jacPointAxis" else []
            getattr(mj, name)(m, d, jacp, jacr, rng.standard_normal(3), *extra, body)
            found += [jacp, jacr]
        return found

    return call


def subtree_matrices(name: str) -> Call:
    def call(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
        found = []
        # of a subtree without mass, MuJoCo gives nan
        for body in np.flatnonzero(m.body_subtreemass > 0).tolist():
            mat = np.zeros((3, m.nv))
            getattr(mj, name)(m, d, mat, body)
            found.append(mat)
        return found

    return call


def product(name: str, size: str, length: str) -> Call:
    def call(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
        counts = {"nv": m.nv, "nefc": d.nefc}
        res = np.zeros(counts[size])
        getattr(mj, name)(m, d, res, rng.standard_normal(counts[length]))
        return [res]

    return call


def solve(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    x, y = np.zeros((3, m.nv)), rng.standard_normal((3, m.nv))
    mj.mj_solveM(m, d, x, y)
    return [x]


def solve_half(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    x, y = np.zeros((3, m.nv)), rng.standard_normal((3, m.nv))
    mj.mj_solveM2(m, d, x, y, np.sqrt(d.qLDiagInv))
    return [x]


def full(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    dst = np.zeros((m.nv, m.nv))
    mj.mj_fullM(m, d, dst)
    return [dst]


def add(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    dst = rng.standard_normal(m.nM)
    if m.nM != m.nC:
        # MuJoCo then asks for sizes that do not fit each other
        pytest.skip("M is stored with other entries")
    mj.mj_addM(m, d, dst, m.M_rownnz.copy(), m.M_rowadr.copy(), m.M_colind.copy())
    return [dst]


def rne(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    found = np.zeros((2, m.nv))
    for accelerated in (0, 1):
        mj.mj_rne(m, d, accelerated, found[accelerated])
    return [found]


def apply(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    target = rng.standard_normal(m.nv)
    for body in range(m.nbody):
        mj.mj_applyFT(m, d, *rng.standard_normal((3, 3)), body, target)
    return [target]


def object_motion(name: str) -> Call:
    def call(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
        found = []
        for kind, count in (("BODY", m.nbody), ("XBODY", m.nbody), ("GEOM", m.ngeom),
                            ("SITE", m.nsite), ("CAMERA", m.ncam)):  # fmt: skip
            for number in range(count):
                for local in (0, 1):
                    res = np.zeros(6)
                    kind_number = getattr(mj.mjtObj, f"mjOBJ_{kind}")
                    getattr(mj, name)(m, d, kind_number, number, res, local)
                    found.append(res)
        return found

    return call


def positions(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    qpos = d.qpos.copy()
    mj.mj_integratePos(m, qpos, rng.standard_normal(m.nv), 0.1)
    return [qpos]


def velocities(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    qvel, other = np.zeros(m.nv), d.qpos.copy()
    mj.mj_integratePos(m, other, rng.standard_normal(m.nv), 0.1)
    mj.mj_differentiatePos(m, qvel, 0.1, d.qpos, other)
    return [qvel]


def normalized(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    qpos = rng.standard_normal(m.nq)
    mj.mj_normalizeQuat(m, qpos)
    return [qpos]


def global_poses(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    found = []
    for body in range(m.nbody):
        for same in range(5):
            xpos, xmat, quat = np.zeros(3), np.zeros(9), rng.standard_normal(4)
            quat /= np.linalg.norm(quat)
            mj.mj_local2Global(d, xpos, xmat, rng.standard_normal(3), quat, body, same)
            found += [xpos, xmat]
    return found


def of_model(name: str) -> Call:
    return lambda mj, m, d, rng: [getattr(mj, name)(m)]


def contact_forces(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    found = []
    for contact in range(-1, d.ncon + 2):
        result = rng.standard_normal(6)
        mj.mj_contactForce(m, d, contact, result)
        found.append(result)
    return found


def update(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    cost = np.zeros(1)
    mj.mj_constraintUpdate(m, d, rng.standard_normal(d.nefc), cost, 0)
    return [cost, d.efc_force.copy(), d.efc_state.copy(), d.qfrc_constraint.copy()]


def most_contacts(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    pairs = [(a, b) for a in range(m.ngeom) for b in range(m.ngeom)]
    return [[mj.mj_maxContact(m, *pair, margin) for pair in pairs for margin in (-1, 0, 1)]]


def one_ray(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    found: Results = []
    groups = np.array([1, 0, 1, 1, 1, 1], np.uint8)
    for group, static, excluded in ((None, 1, -1), (groups, 0, 1), (None, True, 2)):
        for _ in range(10):
            geomid, normal = np.zeros(1, np.int32), np.zeros(3)
            start, way = rng.standard_normal(3), rng.standard_normal(3)
            far = mj.mj_ray(m, d, start, way, group, static, excluded, geomid, normal)
            found += [far, geomid, normal]
            found.append(mj.mj_ray(m, d, start, way, group, static, excluded, None))
    return found


def many_rays(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    count = 20
    geomid, dist = np.zeros(count, np.int32), np.zeros(count)
    normal, ways = np.zeros(3 * count), rng.standard_normal(3 * count)
    start = np.array([0.0, 0.0, 3.0])
    mj.mj_multiRay(m, d, start, ways, None, 1, -1, geomid, dist, normal, count, 1e6)
    return [geomid, dist, normal]


def geom_distances(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    found: Results = []
    geom = mj.mjtGeom
    kinds = [int(geom.mjGEOM_SPHERE), int(geom.mjGEOM_CAPSULE), int(geom.mjGEOM_BOX)]
    geoms = [g for g in range(m.ngeom) if m.geom_type[g] in kinds]
    for a in geoms:
        for b in geoms:
            if m.geom_bodyid[a] != m.geom_bodyid[b]:
                fromto = np.zeros(6)
                far = mj.mj_geomDistance(m, d, a, b, 10.0, fromto)
                # MuJoCo's depths of capsules end at their radius
                length = np.linalg.norm(fromto[3:] - fromto[:3])
                # parallel sides are nearest at many points
                found += [max(far, 0.0), length if far > 0.0 else None]
    return found


def inside(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    found = []
    for site in range(m.nsite):
        for point in d.site_xpos[site] + 0.03 * rng.standard_normal((10, 3)):
            found.append(mj.mj_insideSite(m, d, site, point))
    return found


def textures(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    found: Results = []
    for texture in range(m.ntex):
        found += mj.mj_loadTexture(m, texture)
    return found


def names(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    found: Results = []
    for kind in (*range(-1, 27), 100):
        found += [mj.mj_id2name(m, kind, number) for number in range(-1, 12)]
        found += [mj.mj_name2id(m, kind, name) for name in ("base", "knee", "string", "world", "")]
        found += [mj.mju_type2Str(kind)]
    return [*found, mj.mju_str2Type("body"), mj.mju_str2Type("nothing"), mj.mju_str2Type("xbody")]


def states(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    found: Results = []
    whole = int(mj.mjtState.mjSTATE_INTEGRATION)
    for sig in (*(1 << k for k in range(15)), whole, int(mj.mjtState.mjSTATE_FULLPHYSICS)):
        size = mj.mj_stateSize(m, sig)
        state = np.zeros(size)
        mj.mj_getState(m, d, state, sig)
        found += [size, state]
    part = np.zeros(mj.mj_stateSize(m, mj.mjtState.mjSTATE_PHYSICS))
    vector = np.zeros(mj.mj_stateSize(m, whole))
    mj.mj_getState(m, d, vector, whole)
    mj.mj_extractState(m, vector, whole, part, mj.mjtState.mjSTATE_PHYSICS)
    other = mj.MjData(m)
    mj.mj_setState(m, other, vector, whole)
    third = mj.MjData(m)
    mj.mj_copyState(m, other, third, whole)
    mj.mj_step(m, other)
    mj.mj_step(m, third)
    return [*found, part, other.qpos, other.qvel, other.eq_active, third.qpos, third.time]


def copied(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    other = mj.MjData(m)
    mj.mj_copyData(other, m, d)
    found = [other.qpos.copy(), other.xpos.copy(), other.ncon, other.efc_force.copy()]
    mj.mj_step(m, other)
    return [*found, other.qpos]


def keyframes(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    found: Results = []
    for key in (-1, 0, m.nkey):
        mj.mj_resetDataKeyframe(m, d, key)
        found += [d.qpos.copy(), d.time, d.ctrl.copy(), d.mocap_pos.copy()]
    return found


def input_names(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    return [mj.mj_actuatorInputName(m, a, k) for a in range(-1, m.nactuator + 1) for k in range(3)]


def readings(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    found = []
    for number in range(m.nsensor):
        result = np.zeros(m.sensor_dim[number])
        mj.mj_readSensor(m, d, number, d.time, result, -1)
        found.append(result)
    for number in range(m.nactuator):
        result = np.zeros(m.actuator_ctrlnum[number])
        mj.mj_readCtrl(m, d, number, d.time, result, -1)
        found.append(result)
    return found


def mj_copy(mj: Any, m: Any, d: Any) -> Any:
    """Data of another model in the same state, evaluated there."""
    other = mj.MjData(m)
    sig = mj.mjtState.mjSTATE_INTEGRATION
    mj.mj_copyState(m, d, other, sig)
    mj.mj_forward(m, other)
    return other


def transition(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    states, inputs, sensors = 2 * m.nv + m.na, m.nu, m.nsensordata
    shapes = ((states, states), (states, inputs), (sensors, states), (sensors, inputs))
    found = [np.zeros(shape) for shape in shapes]
    if int(m.opt.integrator) == int(mj.mjtIntegrator.mjINT_RK4):
        with pytest.raises(mj.FatalError, match="RK4"):
            mj.mjd_transitionFD(m, d, 1e-6, True, *found)
        return []
    exact = copy.copy(m)
    exact.opt.tolerance, exact.opt.ls_tolerance = 0.0, 1e-6
    mj.mjd_transitionFD(exact, mj_copy(mj, exact, d), 1e-6, True, *found)
    return found


def inverse_differences(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    square = [np.zeros((m.nv, m.nv)) for _ in range(3)]
    sensors = [np.zeros((m.nv, m.nsensordata)) for _ in range(3)]
    reason = "noslip" if m.opt.noslip_iterations else "RK4"
    if m.opt.noslip_iterations or int(m.opt.integrator) == int(mj.mjtIntegrator.mjINT_RK4):
        with pytest.raises(mj.FatalError, match=reason):
            mj.mjd_inverseFD(m, d, 1e-6, False, *square, *sensors, None)
        return []
    mj.mjd_inverseFD(m, d, 1e-6, False, *square, *sensors, None)
    return [*square, *sensors]


def quaternion_differences(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    found: Results = []
    for size in (1.0, 1e-3, 1e-9, 0.0):
        qa = rng.standard_normal(4)
        qa /= np.linalg.norm(qa)
        qb = qa + size * rng.standard_normal(4)
        qb /= np.linalg.norm(qb)
        Da, Db = np.zeros((3, 3)), np.zeros((3, 3))
        mj.mjd_subQuat(qa, qb, Da, Db)
        Dquat, Dvel, Dscale = np.zeros(9), np.zeros(9), np.zeros(3)
        mj.mjd_quatIntegrate(size * rng.standard_normal(3), 0.7, Dquat, Dvel, Dscale)
        found += [Da, Db, Dquat, Dvel, Dscale]
    return found


def defaults(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    option, ranges = mj.MjOption(), mj.MjLROpt()
    option.timestep, ranges.accel = 1.0, 3.0
    mj.mj_defaultOption(option)
    mj.mj_defaultLROpt(ranges)
    solref, solimp = np.zeros(2), np.zeros(5)
    mj.mj_defaultSolRefImp(solref, solimp)
    return [option.timestep, option.gravity, ranges.accel, solref, solimp]


def versions(mj: Any, m: Any, d: Any, rng: np.random.Generator) -> Results:
    return [mj.mj_version(), mj.mj_versionString()]


#: functions that leave data as it is -> a call, and how close results must be
CALLS: dict[str, tuple[Call, float]] = {
    "mj_jac": (point_jacobians("mj_jac"), 1e-12),
    "mj_jacBody": (jacobians("mj_jacBody", "nbody"), 1e-12),
    "mj_jacBodyCom": (jacobians("mj_jacBodyCom", "nbody"), 1e-12),
    "mj_jacGeom": (jacobians("mj_jacGeom", "ngeom"), 1e-12),
    "mj_jacSite": (jacobians("mj_jacSite", "nsite"), 1e-12),
    "mj_jacSubtreeCom": (subtree_matrices("mj_jacSubtreeCom"), 1e-12),
    "mj_angmomMat": (subtree_matrices("mj_angmomMat"), 1e-12),
    "mj_jacPointAxis": (point_jacobians("mj_jacPointAxis"), 1e-12),
    "mj_jacDot": (point_jacobians("mj_jacDot"), 1e-12),
    "mj_mulM": (product("mj_mulM", "nv", "nv"), 1e-12),
    "mj_mulM2": (product("mj_mulM2", "nv", "nv"), 1e-12),
    "mj_solveM": (solve, 1e-11),
    "mj_solveM2": (solve_half, 1e-11),
    "mj_fullM": (full, 1e-12),
    "mj_addM": (add, 1e-12),
    "mj_rne": (rne, 1e-12),
    "mj_applyFT": (apply, 1e-12),
    "mj_objectVelocity": (object_motion("mj_objectVelocity"), 1e-12),
    "mj_objectAcceleration": (object_motion("mj_objectAcceleration"), 1e-9),
    "mj_integratePos": (positions, 1e-13),
    "mj_differentiatePos": (velocities, 1e-12),
    "mj_normalizeQuat": (normalized, 1e-15),
    "mj_local2Global": (global_poses, 1e-14),
    **{
        name: (of_model(name), 1e-14)
        for name in ("mj_isPyramidal", "mj_isSparse", "mj_isDual", "mj_getTotalmass")
    },
    "mj_mulJacVec": (product("mj_mulJacVec", "nefc", "nv"), 1e-12),
    "mj_mulJacTVec": (product("mj_mulJacTVec", "nv", "nefc"), 1e-12),
    # forces of the solver agree so far
    "mj_contactForce": (contact_forces, 1e-8),
    "mj_constraintUpdate": (update, 1e-12),
    "mj_maxContact": (most_contacts, 0.0),
    "mj_ray": (one_ray, 1e-10),
    "mj_multiRay": (many_rays, 1e-10),
    "mj_geomDistance": (geom_distances, 1e-6),
    "mj_insideSite": (inside, 0.0),
    "mj_loadTexture": (textures, 0.0),
    "mj_name2id": (names, 0.0),
    "mj_id2name": (names, 0.0),
    "mju_str2Type": (names, 0.0),
    "mju_type2Str": (names, 0.0),
    "mj_stateSize": (states, 1e-9),
    "mj_getState": (states, 1e-9),
    "mj_setState": (states, 1e-9),
    "mj_copyState": (states, 1e-9),
    "mj_extractState": (states, 1e-9),
    "mj_copyData": (copied, 1e-8),
    "mj_resetDataKeyframe": (keyframes, 0.0),
    "mj_actuatorInputName": (input_names, 0.0),
    "mj_readSensor": (readings, 1e-9),
    "mj_readCtrl": (readings, 1e-9),
    # differences of steps over 1e-6: rounding of both engines, divided by it
    "mjd_transitionFD": (transition, 1e-5),
    "mjd_inverseFD": (inverse_differences, 1e-4),
    "mjd_subQuat": (quaternion_differences, 1e-8),
    "mjd_quatIntegrate": (quaternion_differences, 1e-8),
    "mj_defaultOption": (defaults, 0.0),
    "mj_defaultLROpt": (defaults, 0.0),
    "mj_defaultSolRefImp": (defaults, 0.0),
    "mj_version": (versions, 0.0),
    "mj_versionString": (versions, 0.0),
}


def equal(wanted: Any, found: Any, rtol: float) -> bool:
    if wanted is None or isinstance(wanted, str):
        return wanted == found
    wanted, found = np.asarray(wanted, float), np.asarray(found, float)
    scale = max(1.0, float(np.max(np.abs(wanted), initial=0.0)))
    return wanted.shape == found.shape and bool(
        np.max(np.abs(wanted - found), initial=0.0) <= rtol * scale
    )


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", CALLS)
def test_results(name: str, model: str) -> None:
    call, rtol = CALLS[name]
    for seed in (1, 2, 3):
        theirs, own = sides(model, seed)
        wanted, found = (
            call(side.mujoco, side.m, side.d, np.random.default_rng(seed)) for side in (theirs, own)
        )
        assert len(wanted) == len(found)
        for number, (one, other) in enumerate(zip(wanted, found, strict=True)):
            assert equal(one, other, rtol), (number, one, other)


#: functions that change data -> their arguments behind model and data
CHANGES: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(STAGES, ()),
    "mj_step": (3,),
    "mj_forward": (),
    "mj_step1": (),
    "mj_step2": (),
    "mj_inverse": (),
    "mj_invPosition": (),
    "mj_invVelocity": (),
    "mj_invConstraint": (),
    "mj_resetData": (),
    "mj_resetCtrl": (),
    "mj_rnePostConstraint": (),
    "mj_subtreeVel": (),
    "mj_checkPos": (),
    "mj_checkVel": (),
    "mj_checkAcc": (),
    "mj_RungeKutta": (4,),
    "mj_forwardSkip": (1, 0),
    "mj_inverseSkip": (1, 1),
}
#: fields by rows of constraints that follow after a function that makes the rows: their memory
#: is new there, and holds whatever was there before
LATER = frozenset({"efc_vel", "efc_aref", "efc_force", "efc_state", "solver_nnz"})
NEW_ROWS = {
    **dict.fromkeys(("mj_fwdPosition", "mj_makeConstraint", "mj_invPosition"), LATER),
    "mj_step1": frozenset({"efc_force"}),
}
#: functions after which islands are those of rows that are no longer there
OLD_ISLANDS = ("mj_step1", "mj_makeConstraint")
#: the energy of the last stage there, that of the step's start here
WITH_RK4 = frozenset({"energy", "flg_energypos", "flg_energyvel"})
#: constants of the model, and the orientation of the world, which MuJoCo sets by the first forward
AFTER_RESET = frozenset({"xquat", "moment_rownnz", "moment_rowadr", "moment_colind"})
#: islands are found with the rows there, and before the solver here; without islands, MuJoCo does
#: not write what is in their order
ISLANDS = frozenset(
    {"nidof", "solver_nnz"}
    | {n for n in dir(ours.MjData) if "island" in n or n.startswith(("map_", "iefc"))}
)
#: what precedes a function that goes on from it
PREPARED = {"mj_step2": "mj_step1", "mj_implicit": "mj_forward"}
#: models on which some functions make no sense
REFUSED = {"mj_implicit": set(MODELS) - {"assorted_fast"}}


def disturb(side: Side, seed: int) -> None:
    """Change position, velocity and acceleration, so that everything computed before is old."""
    rng = np.random.default_rng(seed)
    m, d = side.m, side.d
    qpos = np.array(d.qpos)
    side.mujoco.mj_integratePos(m, qpos, 0.1 * rng.standard_normal(m.nv), 1.0)
    d.qpos[:] = qpos
    d.qvel[:] += 0.1 * rng.standard_normal(m.nv)
    d.qacc[:] += 0.1 * rng.standard_normal(m.nv)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", CHANGES)
def test_changes_of_data(name: str, model: str) -> None:
    """A function changes the fields that MuJoCo's changes, and no others."""
    if model in REFUSED.get(name, ()):
        pytest.skip("the integrator is another one")
    for seed in (1, 2):
        theirs, own = sides(model, seed)
        for side in (theirs, own):
            disturb(side, seed)
            if name in PREPARED:
                getattr(side.mujoco, PREPARED[name])(side.m, side.d)
            getattr(side.mujoco, name)(side.m, side.d, *CHANGES[name])
        skip = unwritten(theirs) | NEW_ROWS.get(name, frozenset())
        # how often a solver iterates depends on the last bits
        skip |= {"solver_niter"}
        if name == "mj_resetData":
            skip |= AFTER_RESET
        if name == "mj_RungeKutta" or model == "assorted_rk4":
            skip |= WITH_RK4
        # maps of islands that are no longer there
        if name in OLD_ISLANDS or not theirs.d.nisland:
            skip |= ISLANDS
        assert not differences(theirs.d, own.d, rtol=1e-6, skip=skip)


#: functions with tests of their own, in the file of that topic
ELSEWHERE = {
    "mj_setKeyframe", "mj_initCtrlHistory", "mj_initSensorHistory", "mj_setConst",
    "mj_setLengthRange", "mj_defaultVisual", "mj_saveLastXML", "mj_saveModel", "mj_sizeModel",
    "mj_resetCallbacks", "mj_setTotalmass",
}  # fmt: skip


def test_every_function_is_compared() -> None:
    from cortenforge.mujoco.registry import REGISTERED

    own = {name for name in REGISTERED if name.startswith(("mj_", "mjd_"))}
    assert own <= {*CALLS, *CHANGES, *ELSEWHERE}, own - {*CALLS, *CHANGES, *ELSEWHERE}
