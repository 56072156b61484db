"""Each stage by itself computes what MuJoCo's function of that name does, no more and no less.

Both engines are evaluated in one state and then given another, so that nothing fits together any
more: what a function does not compute stays as it was, and what it computes has stale inputs.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import cortenforge as cf
from conformance.generate import random_model, sensed_model, smooth_model
from cortenforge.compare import compare_data, load_reference, random_state
from cortenforge.enums import Enable, Integrator
from cortenforge.fields import DATA_FIELDS, Field
from cortenforge.model.internals import rne, run_stage, store_of
from cortenforge.models import find
from cortenforge.step.stages import STAGES

mujoco = pytest.importorskip("mujoco")

#: relative to a field's largest entry (at least 1)
TOLERANCE = 1e-8
#: tendons with armature, limits, friction loss, equalities, adhesion, sensors of every stage
CONSTRAINED = """<mujoco><option cone="{cone}" timestep="0.004"/>
<worldbody><geom name="floor" type="plane" size="5 5 .1"/><light mode="trackcom"/>
  <camera name="c" mode="targetbody" target="b" pos="2 0 1"/>
  <body name="a" pos="0 0 .1"><freejoint/><geom name="ga" size=".12" adhesion="3"/>
    <site name="s" pos=".1 0 0"/>
    <body name="b" pos=".3 0 0"><joint name="h" axis="0 1 0" range="-10 10" limited="true"
        damping=".3" frictionloss=".2" stiffness="2" springref="20"/>
      <joint name="sl" type="slide" axis="1 0 0" range="-.01 .01" limited="true" damping="1"/>
      <geom name="gb" type="capsule" size=".05 .1" condim="4"/><site name="t"/></body></body>
  <body name="e" pos="0 1 .5" gravcomp=".5"><joint name="ball" type="ball" damping=".1"/>
    <geom type="box" size=".1 .2 .1" pos=".1 0 0"/><site name="u" pos=".2 0 0"/></body>
</worldbody>
<tendon><spatial name="ts" armature=".2" stiffness="5" damping=".4" limited="true" range="0 .9">
    <site site="s"/><site site="t"/><site site="u"/></spatial>
  <fixed name="tf" frictionloss=".1"><joint joint="h" coef="1"/><joint joint="sl" coef="2"/></fixed>
</tendon>
<equality><connect body1="b" body2="e" anchor="0 .1 0"/>
  <joint joint1="h" joint2="sl" polycoef="0 .5 0 0 0"/></equality>
<actuator><motor joint="h" gear="3"/><position joint="sl" kp="20" dampratio="1"/>
  <general tendon="ts" dyntype="filterexact" dynprm=".1" gainprm="4" forcerange="-2 2"/>
  <adhesion body="a" ctrlrange="0 1" gain="2"/></actuator>
<sensor><touch site="s"/><accelerometer site="t"/><velocimeter site="u"/><gyro site="t"/>
  <force site="t"/><torque site="u"/><subtreelinvel body="a"/><subtreeangmom body="e"/>
  <e_potential/><tendonpos tendon="ts"/><tendonvel tendon="ts"/>
  <actuatorfrc actuator="2"/><jointlimitfrc joint="h"/><framelinacc objtype="body" objname="b"/>
  <rangefinder site="u"/><distance geom1="ga" geom2="gb" cutoff="1"/><clock/>
  <contact geom1="floor" num="2" data="found force dist"/></sensor></mujoco>"""
CONSTRAINED = CONSTRAINED.replace('actuator="2"', 'actuator="strong"').replace(
    "<general ", '<general name="strong" '
)
SOURCES = {
    "humanoid": find("humanoid"),
    "ant": find("ant"),
    "pyramidal": CONSTRAINED.format(cone="pyramidal"),
    "elliptic": CONSTRAINED.format(cone="elliptic"),
    "random": random_model(11),
    "smooth": smooth_model(2003),
    "sensed": sensed_model(5),
}
#: fields that exist here alone, or that MuJoCo keeps in another way: its islands' order of dofs
OWN = {"own", "status", "noise", "soft", "soft state", "soft input", "solver", "bound"}
FIELDS = [f for f in DATA_FIELDS if f.role != "scratch" and f.group not in OWN]
PLAIN = [f for f in FIELDS if f.group not in ("contact", "constraint")]
#: columns of contacts and rows; the Jacobian is compared as a matrix, states of rows at the edge of
#: their zone depend on the last bit of the solution
LISTED = [f for f in FIELDS if f.group in ("contact", "constraint") and f.shape]
LISTED = [f for f in LISTED if not f.name.startswith(("efc_J", "efc_state"))]
COUNTS = ("ncon", "ne", "nf", "nl", "nefc")
#: rows and contacts are made anew: MuJoCo leaves in them what was in its memory
UNSET_ROWS = {"efc_vel", "efc_aref", "efc_force"}
UNSET = {
    "mj_collision": {"contact_mu", "tendon_efcadr"},
    "mj_makeConstraint": UNSET_ROWS,
    "mj_fwdPosition": UNSET_ROWS,
}
#: accelerations of tendons, connects and welds follow here from velocities of bodies, in MuJoCo in
#: part from qvel, which in a step is the same
BEFORE = {
    "mj_referenceConstraint": "mj_comVel",
    "mj_rnePostConstraint": "mj_fwdVelocity",
    "mj_compareFwdInv": "mj_fwdVelocity",
}
#: between nearly parallel surfaces, MuJoCo's search ends some 1e-8 m beside the nearest points
LOOSE = {"contact_pos": 1e-7}
CHECKS = ("mj_checkPos", "mj_checkVel", "mj_checkAcc")
BY_THEMSELVES = ("mj_rne", "mj_implicit", "mj_RungeKutta", "mj_forwardSkip", "mj_inverseSkip")
PLAIN_STAGES = [name for name in STAGES if name not in (*CHECKS, *BY_THEMSELVES)]


class Pair:
    """One model in both engines."""

    def __init__(self, source: Any) -> None:
        self.model, self.reference = cf.Model.from_mjcf(source), load_reference(source)
        for model in (self.model, self.reference):
            # solved to the end, so that results are those of the problem
            model.opt.tolerance, model.opt.iterations = 0.0, 200
            model.opt.ccd_tolerance, model.opt.ccd_iterations = 1e-14, 500
            model.opt.enableflags |= int(Enable.ENERGY)
        self.ours, self.theirs = self.model.make_data(), mujoco.MjData(self.reference)

    def write(self, rng: np.random.Generator, *, kept: tuple[str, ...] = ()) -> None:
        """Give both the same random state near the reference position, but for some fields."""
        state = random_state(self.model, rng)
        start = self.model.qpos0 + 0.01 * rng.normal(size=self.model.nq)
        for data in (self.ours, self.theirs):
            before = {name: getattr(data, name).copy() for name in kept}
            state.write(data)
            data.qpos[:] = start
            for name, value in before.items():
                getattr(data, name)[:] = value
        self.ours.qacc_warmstart[:] = self.theirs.qacc_warmstart
        self.ours.history[:] = self.theirs.history
        self.ours.time = self.theirs.time

    def evaluate(self, rng: np.random.Generator, *, kept: tuple[str, ...] = ()) -> None:
        """Evaluate both in one state, and give them another, but for some fields."""
        for data in (self.ours, self.theirs):
            data.time = 0.5
        self.write(rng)
        self.ours.forward()
        mujoco.mj_forward(self.reference, self.theirs)
        self.write(rng, kept=kept)

    def run(self, name: str, *numbers: int) -> None:
        """Run a stage in both."""
        run_stage(self.ours, name, *numbers)
        given = (4,) if name == "mj_RungeKutta" else numbers
        getattr(mujoco, name)(self.reference, self.theirs, *given)

    def column(self, field: Field) -> tuple[np.ndarray, np.ndarray]:
        """A column of contacts or rows in both engines, as far as it is in use."""
        name = field.name
        if name.startswith("contact_"):
            theirs = getattr(self.theirs.contact, name.removeprefix("contact_"))
            return getattr(self.ours, name)[: self.ours.ncon], np.asarray(theirs)
        return np.asarray(getattr(self.ours, name)), np.asarray(getattr(self.theirs, name))

    def jacobians(self) -> tuple[np.ndarray, np.ndarray]:
        """efc_J of both engines as matrices."""
        shape = (self.theirs.nefc, self.model.nv)
        ours, theirs = np.zeros(shape), np.zeros(shape)
        _scatter(ours, self.ours, self.ours.efc_J_value)
        if mujoco.mj_isSparse(self.reference):
            _scatter(theirs, self.theirs, self.theirs.efc_J)
        else:
            theirs[:] = np.reshape(self.theirs.efc_J, shape)
        return ours, theirs

    def assert_equal(self, left_out: set[str], what: str) -> None:
        """Every field of both engines is the same."""
        diffs = compare_data(self.ours, self.theirs, PLAIN, TOLERANCE)
        wrong = [str(diff) for diff in diffs if not diff.ok]
        for name in COUNTS:
            assert getattr(self.ours, name) == getattr(self.theirs, name), (what, name)
        for field in LISTED:
            if field.name not in left_out:
                tolerance = LOOSE.get(field.name, TOLERANCE)
                assert_close(*self.column(field), f"{what}: {field.name}", tolerance)
        assert_close(*self.jacobians(), f"{what}: efc_J")
        assert not wrong, (what, wrong)

    def values(self, side: Any) -> dict[str, list[float]]:
        """All plain fields of one engine."""
        return {f.name: np.ravel(getattr(side, f.name)).tolist() for f in PLAIN}


def _scatter(matrix: np.ndarray, data: Any, values: np.ndarray) -> None:
    for row in range(len(matrix)):
        first = int(data.efc_J_rowadr[row])
        at = slice(first, first + int(data.efc_J_rownnz[row]))
        matrix[row, data.efc_J_colind[at]] = values[at]


def assert_close(
    ours: np.ndarray, theirs: np.ndarray, what: str, tolerance: float = TOLERANCE
) -> None:
    scale = max(1.0, float(np.max(np.abs(theirs), initial=0.0)))
    np.testing.assert_allclose(
        ours.ravel(), theirs.ravel(), rtol=0, atol=tolerance * scale, err_msg=what
    )


@functools.cache
def pair_of(source: str) -> Pair:
    return Pair(SOURCES[source])


@pytest.fixture(params=SOURCES)
def pair(request: pytest.FixtureRequest) -> Iterator[Pair]:
    """A model in both engines; options that a test sets are put back."""
    made = pair_of(request.param)
    before = [(model, model.opt.enableflags) for model in (made.model, made.reference)]
    yield made
    for model, flags in before:
        model.opt.enableflags = flags


def test_a_stage_computes_what_it_is_to(pair: Pair) -> None:
    """Every field after each stage, from stale states; what MuJoCo leaves stays as it was."""
    for number, name in enumerate(PLAIN_STAGES):
        rng = np.random.default_rng(number)
        pair.evaluate(rng)
        if name in BEFORE:
            pair.run(BEFORE[name])
        before = pair.values(pair.ours), pair.values(pair.theirs)
        pair.run(name)
        pair.assert_equal(UNSET.get(name, set()), name)
        after = pair.values(pair.ours), pair.values(pair.theirs)
        kept = {field for field in after[1] if after[1][field] == before[1][field]}
        assert not {field for field in kept if after[0][field] != before[0][field]}, name


#: the stages of a step in its order
IN_ORDER = (
    *("mj_kinematics", "mj_comPos", "mj_camlight", "mj_tendon", "mj_makeM", "mj_factorM"),
    *("mj_collision", "mj_makeConstraint", "mj_island", "mj_projectConstraint"),
    *("mj_transmission", "mj_sensorPos", "mj_energyPos"),
    *("mj_fwdVelocity", "mj_sensorVel", "mj_energyVel"),
    *("mj_fwdActuation", "mj_fwdAcceleration", "mj_fwdConstraint"),
    *("mj_rnePostConstraint", "mj_sensorAcc", "mj_Euler"),
)
#: what stages change in the fields of rows that are not computed yet
UNSET_AFTER = {
    "mj_collision": UNSET["mj_collision"],
    "mj_makeConstraint": UNSET_ROWS,
    "mj_fwdVelocity": {"efc_force"},
    "mj_fwdConstraint": set(),
}


@pytest.mark.parametrize("exact", [False, True], ids=["approximate", "exact"])
def test_stages_one_after_another_are_a_step(pair: Pair, exact: bool) -> None:
    """The stages of mj_step in its order, each compared, with both diagonals of constraints."""
    for model in (pair.model, pair.reference):
        model.opt.enableflags |= int(Enable.DIAGEXACT) if exact else 0
    pair.evaluate(np.random.default_rng(1))
    unset: set[str] = set()
    for name in IN_ORDER:
        unset = UNSET_AFTER.get(name, unset)
        pair.run(name)
        pair.assert_equal(unset, name)


@pytest.mark.parametrize("skipsensor", [0, 1])
@pytest.mark.parametrize("skipstage", [0, 1, 2])
@pytest.mark.parametrize("name", ["mj_forwardSkip", "mj_inverseSkip"])
def test_evaluations_that_skip(pair: Pair, name: str, skipstage: int, skipsensor: int) -> None:
    """Results of skipped stages are kept; what sensors computed on request is flagged as there."""
    kept = ("qpos", "mocap_pos", "mocap_quat", "qvel")[: (0, 3, 4)[skipstage]]
    pair.evaluate(np.random.default_rng(skipstage), kept=kept)
    pair.run(name, skipstage, skipsensor)
    pair.assert_equal(set(), name)
    pair.write(np.random.default_rng(99), kept=("qpos", "qvel"))
    for sensing in ("mj_sensorPos", "mj_sensorVel", "mj_sensorAcc"):
        pair.run(sensing)
    pair.assert_equal(set(), f"sensors after {name}")


@pytest.mark.parametrize("integrator", [Integrator.IMPLICIT, Integrator.IMPLICITFAST])
@pytest.mark.parametrize("source", ["humanoid", "smooth"])
def test_implicit(source: str, integrator: Integrator) -> None:
    """mj_implicit advances from an evaluation; for other integrators it is refused."""
    pair = Pair(SOURCES[source])
    pair.model.opt.integrator = pair.reference.opt.integrator = int(integrator)
    pair.evaluate(np.random.default_rng(4), kept=("qpos", "qvel", "mocap_pos", "mocap_quat"))
    pair.run("mj_implicit")
    pair.assert_equal(set(), "mj_implicit")
    pair.model.opt.integrator = int(Integrator.EULER)
    with pytest.raises(cf.ArgumentError, match="mj_implicit cannot run by itself"):
        run_stage(pair.ours, "mj_implicit")


@pytest.mark.parametrize("source", ["humanoid", "elliptic", "smooth"])
def test_runge_kutta(source: str) -> None:
    """mj_RungeKutta advances from an evaluation; energies stay those of its start."""
    pair = Pair(SOURCES[source])
    pair.model.opt.enableflags = pair.reference.opt.enableflags = 0
    pair.evaluate(np.random.default_rng(4), kept=("qpos", "qvel", "mocap_pos", "mocap_quat"))
    pair.run("mj_RungeKutta")
    left_out = {"qacc", "energy"}
    diffs = compare_data(
        pair.ours, pair.theirs, [f for f in PLAIN if f.name not in left_out], TOLERANCE
    )
    assert not [str(diff) for diff in diffs if not diff.ok]


def test_rne_with_and_without_acceleration(pair: Pair) -> None:
    """mj_rne writes its result alone."""
    pair.evaluate(np.random.default_rng(6))
    for accelerated in (False, True):
        before = pair.values(pair.ours)
        theirs = np.zeros(pair.model.nv)
        mujoco.mj_rne(pair.reference, pair.theirs, int(accelerated), theirs)
        assert_close(rne(pair.ours, accelerated=accelerated), theirs, "mj_rne")
        assert pair.values(pair.ours) == before


def test_checks_raise_what_a_step_would() -> None:
    """mj_checkPos, mj_checkVel and mj_checkAcc look at one field each."""
    data = cf.load_model(find("ant")).make_data()
    data.forward()
    for name, field, error in (
        ("mj_checkPos", "qpos", cf.InvalidPosition),
        ("mj_checkVel", "qvel", cf.InvalidVelocity),
        ("mj_checkAcc", "qacc", cf.InvalidAcceleration),
    ):
        for check in CHECKS:
            run_stage(data, check)
        store_of(data).arrays[field][1] = np.nan
        for check in CHECKS:
            if check != name:
                run_stage(data, check)
        with pytest.raises(error):
            run_stage(data, name)
        store_of(data).arrays[field][1] = 0.0


def test_stages_are_refused_by_name() -> None:
    """With sleep, deformables or constraints in another metric; and from a callback."""
    ant = cf.load_model(find("ant"))
    data = ant.make_data()
    ant.opt.enableflags |= int(Enable.SLEEP)
    with pytest.raises(cf.ArgumentError, match="mj_comPos cannot run by itself, since sleep"):
        run_stage(data, "mj_comPos")
    ant.opt.enableflags = 0
    ant.opt.integrator = int(Integrator.DISCRETE)
    run_stage(data, "mj_comPos")
    with pytest.raises(cf.ArgumentError, match="since the integrator is discrete"):
        run_stage(data, "mj_fwdConstraint")
    ant.opt.integrator = int(Integrator.EULER)
    cloth = cf.load_model(find("cloth")).make_data()
    with pytest.raises(cf.ArgumentError, match="since the model has deformables"):
        run_stage(cloth, "mj_kinematics")
    ant.callbacks.control = lambda model, data: run_stage(data, "mj_comPos")
    with pytest.raises(cf.ArgumentError, match="a callback cannot"):
        data.step()


def test_callbacks_and_memory_that_grows() -> None:
    """Passive and control callbacks are called by their stages; lists grow as in a step."""
    model = cf.Model.from_mjcf(CONSTRAINED.format(cone="elliptic"))
    data, calls = model.make_data(), []
    assert data._store.capacities["nefcmax"] == 0
    run_stage(data, "mj_fwdPosition")
    assert data.nefc > 0
    data.forward()
    model.callbacks.passive = lambda model, data: calls.append("passive")
    model.callbacks.control = lambda model, data: calls.append("control")
    for name in ("mj_fwdPosition", "mj_passive", "mj_fwdVelocity"):
        run_stage(data, name)
    assert calls == ["passive", "passive"]
    run_stage(data, "mj_forwardSkip", 1, 0)
    assert calls[2:] == ["passive", "control"]
    twin = cf.Model.from_mjcf(CONSTRAINED.format(cone="elliptic")).make_data()
    twin.forward()
    assert data.qacc.tobytes() == twin.qacc.tobytes()
