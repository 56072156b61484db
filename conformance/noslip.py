"""The noslip pass against MuJoCo's, on scenes whose friction blocks are singular or nearly so.

Bodies that can slide one way only, bodies that hang on one hinge, geoms and floors twice in the
same place, friction that is nearly none: blocks of J M^-1 J' lose rank, and what friction is best
is not unique. Both engines have to choose the same, or ours has to cost no more. Where solvers
before the pass do not converge, both start from other forces: the pass may not drive them apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

import cortenforge as cf
from conformance.findings import Finding
from cortenforge.compare import load_reference, mujoco_module
from cortenforge.compare.oracle import muted_warnings
from cortenforge.compare.shared_contacts import dense_jacobian

__all__ = ["compare_noslip", "noslip_scene"]

#: forces are equal to this part of the largest
EQUAL = 1e-8
#: those that the pass starts from, which a method without end finds
SOLVED = 1e-9
#: forces that differ before the pass may do so by this much more after it
GROWTH = 2.0
#: what a cost may be more than MuJoCo's by rounding, as a part of its size
ROUNDING = 1e-9
#: states of a scene: how many steps are taken before each
WAITS = (0, 3, 20)


def _friction(rng: np.random.Generator) -> str:
    """Usual coefficients, or any."""
    if rng.random() < 0.4:
        return "1 .005 .0001"
    return " ".join(f"{10**x:.3g}" for x in rng.uniform((-1, -3, -4.5), (0.3, -0.5, -1)))


def _geom(rng: np.random.Generator, common: str) -> str:
    """A geom, at times twice in the same place."""
    kind = rng.choice(["sphere", "capsule", "box"])
    size = {"sphere": ".08", "capsule": ".05 .08", "box": ".08 .06 .05"}[kind]
    geom = f'<geom type="{kind}" size="{size}" condim="{rng.choice([3, 4, 6])}" {common}/>'
    return geom * int(rng.choice([1, 1, 2]))


def noslip_scene(seed: int) -> str:
    """A scene with elliptic cones, and one to ten iterations of the pass."""
    rng = np.random.default_rng(seed)
    bodies = []
    for number in range(int(rng.integers(2, 6))):
        common = f'friction="{_friction(rng)}" mass="{10 ** rng.uniform(-2, 1):.3g}"'
        x, y, z = rng.uniform((-0.15, -0.15, 0.03), (0.15, 0.15, 0.25))
        axis = " ".join(f"{v:.3g}" for v in rng.choice([np.eye(3)[2], rng.normal(size=3)]))
        loss = f'frictionloss="{rng.choice([0, 0.1])}"'
        joint = rng.choice(
            [
                "<freejoint/>",
                *(f'<joint type="{t}" axis="{axis}" {loss}/>' for t in ("slide", "hinge")),
            ]
        )
        turn = "" if rng.random() < 0.5 else f'euler="{rng.integers(360)} {rng.integers(360)} 0"'
        place = f'pos="{x:.3g} {y:.3g} {z:.3g}" {turn}'
        bodies.append(f'<body name="{number}" {place}>{joint}{_geom(rng, common)}</body>')
    floor = f'<geom type="plane" size="2 2 .1" condim="{rng.choice([3, 4, 6])}"/>'
    option = (
        f'<option cone="elliptic" noslip_iterations="{rng.integers(1, 11)}" tolerance="1e-15" '
        f'iterations="200" impratio="{rng.choice([1, 1, 10])}" '
        f'noslip_tolerance="{rng.choice([1e-6, 1e-14])}"/>'
    )
    world = floor * int(rng.choice([1, 1, 2])) + "".join(bodies)
    return f"<mujoco>{option}<worldbody>{world}</worldbody></mujoco>"


class Both:
    """One scene in both engines."""

    def __init__(self, text: str) -> None:
        self.model, self.reference = cf.Model.from_mjcf(text), load_reference(text)
        self.data, self.theirs = self.model.make_data(), mujoco_module().MjData(self.reference)
        self.iterations = int(self.reference.opt.noslip_iterations)

    def states(self, seed: int) -> Iterator[int]:
        """The same states of MuJoCo's simulation, one after another."""
        self.theirs.qvel[:] = 0.5 * np.random.default_rng(seed).normal(size=self.reference.nv)
        for wait in WAITS:
            for _ in range(wait):
                mujoco_module().mj_step(self.reference, self.theirs)
            for name in ("qpos", "qvel", "qacc_warmstart"):
                getattr(self.data, name)[:] = getattr(self.theirs, name)
            yield wait

    def forces(self, iterations: int) -> tuple[np.ndarray, np.ndarray]:
        """Forces of both after so many iterations of the pass."""
        self.model.opt.noslip_iterations = self.reference.opt.noslip_iterations = iterations
        self.data.forward()
        mujoco_module().mj_forward(self.reference, self.theirs)
        return np.array(self.data.efc_force[: self.data.nefc]), np.array(self.theirs.efc_force)

    def cost(self, force: np.ndarray) -> float:
        """What forces cost without regularisation, worked out from MuJoCo's rows."""
        reference, theirs = self.reference, self.theirs
        J = dense_jacobian(reference, theirs)
        answer = np.zeros(J.shape)
        mujoco_module().mj_solveM(reference, theirs, answer, J)
        off = J @ theirs.qacc_smooth - theirs.efc_aref
        return float(0.5 * (force @ J) @ (force @ answer) + force @ off)


def _apart(ours: np.ndarray, theirs: np.ndarray) -> float:
    """Largest difference, relative to the largest number or 1; infinite if one is no number."""
    if ours.shape != theirs.shape:
        return float("inf")
    size = max(1.0, float(np.abs(theirs).max(initial=0.0)))
    error = float(np.abs(ours - theirs).max(initial=0.0)) / size
    return error if np.isfinite(error) else float("inf")


def _compare(both: Both, place: str, finding: Finding) -> None:
    """One state."""
    finding.states += 1
    ours, theirs = both.forces(0)
    if not len(theirs):
        finding.notes["states without rows"] += 1
        return
    before = _apart(ours, theirs)
    ours, theirs = both.forces(both.iterations)
    if not np.isfinite(ours).all():
        finding.fail(f"{place}: forces are not finite")
        return
    if len(ours) != len(theirs):
        finding.notes["states with other contacts"] += 1
        return
    error = _apart(ours, theirs)
    if before > SOLVED:
        finding.notes["states with solvers that do not converge"] += 1
        if not error <= GROWTH * before:
            finding.fail(
                f"{place}: forces {before:.1e} apart before the pass, {error:.1e} after it"
            )
        return
    if error <= EQUAL:
        finding.hold(place, error, EQUAL)
        return
    least = both.cost(theirs)
    more = (both.cost(ours) - least) / max(1.0, abs(least))
    finding.notes["states with other forces that cost no more"] += more <= ROUNDING
    finding.hold(f"{place}: forces {error:.1e} apart, costs more", more, ROUNDING)


def compare_noslip(title: str, seeds: Iterable[int]) -> Finding:
    """Forces of many scenes, each in some states."""
    finding = Finding(title, "states")
    for seed in seeds:
        both = Both(noslip_scene(seed))
        finding.models += 1
        with muted_warnings():
            for wait in both.states(seed):
                _compare(both, f"seed {seed}, after {wait} steps", finding)
    return finding
