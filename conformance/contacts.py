"""Contacts of public models against MuJoCo's: at rest, at every keyframe and in random states.

`python -m conformance.contacts` compares, pair of geoms by pair of geoms, how many contacts there
are and where. Analytic pairs have to agree to 1e-9, distances of convex ones to 1e-6. Where MuJoCo
has other contacts itself 1e-10 away, rounding decides, and that is counted as a tie. Four kinds of
pairs are others than MuJoCo's on purpose, and are counted apart: `excuse` says which.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy.optimize import linear_sum_assignment

import cortenforge as cf
from conformance.cases import Case, public_cases
from conformance.collision import MOVED, NUDGE, Both, contact_rows
from cortenforge.enums import Enable, GeomType
from cortenforge.model.changes.candidates import unsupported_pairs
from cortenforge.step.collision.families import CONVEX_PAIRS

ANALYTIC, CONVEX, PLACE = 1e-9, 1e-6, 1e-3
NANOMETRE = 1e-9
ENOUGH = 500
#: random states of a model, and how often a pose is moved to see whether rounding decides
STATES, NUDGES = 5, 30

Pairs = dict[tuple[int, int], np.ndarray]


@dataclass
class Outcome:
    """What came of one model.

    contacts: that MuJoCo has, in all states.
    ties:     pairs of which rounding decides.
    excused:  pairs that are others than MuJoCo's on purpose, by why.
    wrong:    what differs, by the types of both geoms.
    waiting:  why it was not compared; "" if it was.
    """

    name: str
    contacts: int = 0
    states: int = 0
    ties: int = 0
    excused: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    example: str = ""
    waiting: str = ""


def by_pair(contacts: Any) -> Pairs:
    """Rows of contacts by their two geoms."""
    rows, geoms = contact_rows(contacts), np.asarray(contacts.geom).reshape(-1, 2)
    found: dict[tuple[int, int], list[np.ndarray]] = {}
    for pair, row in zip(map(tuple, geoms.tolist()), rows, strict=True):
        found.setdefault(pair, []).append(row)
    return {pair: np.array(listed) for pair, listed in found.items()}


def tolerance_of(model: cf.Model, pair: tuple[int, int]) -> float:
    """How exactly the contacts of two geoms are known."""
    kinds = tuple(GeomType(int(model.geom_type[g])) for g in pair)
    convex = kinds in CONVEX_PAIRS or kinds[0] == GeomType.HFIELD
    return CONVEX if convex else ANALYTIC


def agree(ours: np.ndarray | None, theirs: np.ndarray | None, tolerance: float) -> bool:
    """Whether two pairs have the same contacts, in any order.

    Of convex pairs the distance counts to 1e-6. The place is as exact as the square root of
    MuJoCo's tolerance where geoms are round, and anywhere where edges or sides lie on each other:
    it has to be the same or, with the same normal, may be any.
    """
    if ours is None or theirs is None or ours.shape != theirs.shape:
        return False
    gaps = np.abs(ours[:, None, :7] - theirs[None, :, :7])
    close = np.max(gaps, axis=2) <= tolerance
    if tolerance == CONVEX:
        place = np.max(gaps[:, :, 1:4], axis=2) <= PLACE
        normal = np.max(gaps[:, :, 4:], axis=2) <= CONVEX
        close = (gaps[:, :, 0] <= CONVEX) & (place | normal)
    rows, columns = linear_sum_assignment(~close)
    return bool(np.all(close[rows, columns]))


def is_tie(both: Both, qpos: np.ndarray, pair: tuple[int, int], rng: np.random.Generator) -> bool:
    """Whether MuJoCo has other contacts of a pair itself, next to this state.

    Not where trees sleep: a move would wake them.
    """
    if Enable(both.model.opt.enableflags) & Enable.SLEEP:
        return False
    before = by_pair(both.theirs.contact).get(pair)
    tolerance = max(MOVED, tolerance_of(both.model, pair))
    for _ in range(NUDGES):
        nudge = 10 ** rng.uniform(*NUDGE, len(qpos)) * rng.choice([-1, 1], len(qpos))
        both.theirs.qpos[:] = qpos + nudge
        both.mujoco.mj_kinematics(both.reference, both.theirs)
        both.mujoco.mj_collision(both.reference, both.theirs)
        after = by_pair(both.theirs.contact).get(pair)
        if not (before is None and after is None) and not agree(before, after, tolerance):
            return True
    return False


def excuse(both: Both, pair: tuple[int, int], ours: np.ndarray | None) -> str:
    """Why a pair has contacts of its own; "" if there is no reason."""
    first, second = (GeomType(int(both.model.geom_type[g])) for g in pair)
    if second == GeomType.SDF:
        return "distance fields: held to exact distances by conformance.fields"
    if first == GeomType.HFIELD:
        if is_sunk(both, pair):
            return "sunk below the surface of a height field"
        if agree(ours, asked_otherwise(both, pair, gap=NANOMETRE), CONVEX):
            return "height fields: MuJoCo's search ends early without a gap"
    convex = (first, second) in CONVEX_PAIRS
    if convex and agree(ours, asked_otherwise(both, pair, iterations=ENOUGH), CONVEX):
        return f"convex pairs: MuJoCo's iterations run out, and with {ENOUGH} it agrees"
    return ""


def is_sunk(both: Both, pair: tuple[int, int]) -> bool:
    """Whether the centre of a geom is below the surface of a height field, above its base."""
    axes, origin = both.data.geom_xmat[pair[0]].reshape(3, 3), both.data.geom_xpos[pair[0]]
    centre = axes.T @ (both.data.geom_xpos[pair[1]] - origin)
    base = both.model.hfield_size[both.model.geom_dataid[pair[0]], 3]
    height = both.model.hfield_at(pair[0], centre).height
    return bool(-base < centre[2] < height)


def asked_otherwise(
    both: Both, pair: tuple[int, int], *, gap: float = 0.0, iterations: int = 0
) -> np.ndarray | None:
    """MuJoCo's contacts of a pair with a gap, or with more iterations."""
    reference, usual = both.reference, both.reference.opt.ccd_iterations
    reference.geom_gap[list(pair)] += gap
    reference.opt.ccd_iterations = iterations or usual
    both.mujoco.mj_collision(reference, both.theirs)
    found = by_pair(both.theirs.contact).get(pair)
    reference.geom_gap[list(pair)] -= gap
    reference.opt.ccd_iterations = usual
    both.mujoco.mj_collision(reference, both.theirs)
    return found


def compare_state(both: Both, qpos: np.ndarray, rng: np.random.Generator, out: Outcome) -> None:
    """Contacts of one state."""
    both.data.qpos[:] = both.theirs.qpos[:] = qpos
    both.collide()
    ours, theirs = by_pair(both.data.contact), by_pair(both.theirs.contact)
    out.contacts += len(both.theirs.contact)
    out.states += 1
    for pair in sorted(ours.keys() | theirs.keys()):
        one, other = ours.get(pair), theirs.get(pair)
        if not agree(one, other, tolerance_of(both.model, pair)):
            reason = excuse(both, pair, one)
            if reason:
                out.excused[reason] += 1
                continue
            if is_tie(both, qpos, pair, rng):
                out.ties += 1
                continue
            kinds = "-".join(GeomType(int(both.model.geom_type[g])).name.lower() for g in pair)
            out.wrong[kinds] += 1
            counts = [0 if rows is None else len(rows) for rows in (one, other)]
            out.example = out.example or (
                f"state {out.states}, geoms {pair}: {counts[0]} contacts, MuJoCo {counts[1]}"
                + (f", {np.abs(one - other).max():.2g}" if counts[0] == counts[1] else "")
            )


def compare_model(case: Case) -> Outcome:
    """Contacts of one model, in all of its states."""
    out = Outcome(case.name)
    try:
        both = Both(case.source)
    except cf.CortenForgeError as error:
        out.waiting = f"not loaded: {error}"[:200]
        return out
    model = both.model
    if both.reference.nflex:
        out.waiting = "flex"
    elif model.strangers:
        kinds = sorted({text.split(":")[0] for text in unsupported_pairs(model)})
        out.waiting = ", ".join(kinds) or "options"
    if out.waiting:
        return out
    # to the last bit: what is moved by rounding wakes where trees sleep
    both.reference.qpos0[:] = model.qpos0
    both.mujoco.mj_resetData(both.reference, both.theirs)
    rng = np.random.default_rng(case.seed)
    places = [model.qpos0, *model.key_qpos]
    for n in range(STATES):
        velocity = rng.normal(size=model.nv) * (0.05 if n == 0 else 0.2)
        places.append(model.integrate_pos(model.qpos0, velocity, 1.0))
    for qpos in places:
        compare_state(both, qpos, rng, out)
    return out


def main(*chosen: str) -> int:
    """All public models, or those whose names have one of these words; 1 if more than 2% differ."""
    cases = [c for c in public_cases() if not chosen or any(word in c.name for word in chosen)]
    outcomes = [compare_model(case) for case in cases]
    compared = [out for out in outcomes if not out.waiting]
    differing = [out for out in compared if out.wrong]
    console = Console(width=200)
    table = Table("model that differs", "contacts", "pairs that differ", "for instance")
    for out in differing:
        kinds = ", ".join(f"{count} {kind}" for kind, count in out.wrong.items())
        table.add_row(out.name, str(out.contacts), kinds, out.example)
    console.print(table)
    for reason in {reason for out in compared for reason in out.excused}:
        counts = [out.excused[reason] for out in compared if reason in out.excused]
        console.print(f"{sum(counts)} pairs of {len(counts)} models: {reason}")
    waiting = Counter(out.waiting for out in outcomes if out.waiting)
    for reason, count in waiting.most_common():
        console.print(f"{count} models wait: {reason}")
    console.print(
        f"{len(compared)} models compared, {sum(out.states for out in compared)} states, "
        f"{sum(out.contacts for out in compared)} contacts, {sum(out.ties for out in compared)} "
        f"pairs tied, {len(differing)} models differ"
    )
    return 1 if len(differing) > 0.02 * len(compared) else 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
