"""Why a world is unstable or slow: findings in its last evaluation, in words.

A spring of stiffness k on inertia m is too stiff for explicit steps if dt sqrt(k / m) > 1, and a
contact with solref (timeconst, dampratio) if timeconst < 2 dt, or, with negative solref
(-stiffness, -damping), if dt sqrt(stiffness) > 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import Disable
from cortenforge.notebook import TextLines

if TYPE_CHECKING:
    from cortenforge.model.data import Data

#: a contact deeper than this share of the bounding radius of its smaller geom is reported
DEEP_PENETRATION = 0.2
#: larger ratios of masses of bodies in contact are reported
MASS_RATIO = 1e3
#: largest phase of an oscillation in a time step, dt sqrt(k / m), of explicit steps
STIFF_PHASE = 1.0
#: islands of more dofs are reported: they take milliseconds
LARGE_ISLAND = 300
#: dofs faster than this are reported [m/s or rad/s]
FAST_VELOCITY = 1e3
#: how many findings of a kind are listed
MAX_LISTED = 3
NO_FINDINGS = "nothing stands out"


def explain(data: Data) -> TextLines:
    """Findings in the last evaluation of a world, a line each."""
    lines = [line for find in WORLD_CHECKS for line in find(data)]
    return TextLines("\n".join(lines) if lines else NO_FINDINGS)


def _quoted_name(data: Data, kind: str, number: int) -> str:
    return repr(data.model.name_of(kind, number) or f"#{number}")


def _deep_contacts(data: Data) -> Iterator[str]:
    """Deep penetrations."""
    model = data.model
    found = []
    for contact in data.contact:
        sizes = [model.geom_rbound[g] for g in contact.geom if model.geom_rbound[g] > 0]
        if sizes and contact.dist < -DEEP_PENETRATION * min(sizes):
            found.append((float(contact.dist), float(min(sizes)), contact.geom))
    for dist, size, (one, other) in sorted(found, key=lambda row: row[0] / row[1])[:MAX_LISTED]:
        yield (
            f"geoms {_quoted_name(data, 'geom', one)} and {_quoted_name(data, 'geom', other)} "
            f"penetrate by {-dist:.3g} m, and the smaller one has a bounding radius of {size:.3g} "
            "m: start them apart, or lower opt.timestep"
        )


def _stiff_contacts(data: Data) -> Iterator[str]:
    """Contacts too stiff for the time step."""
    model = data.model
    step = float(model.opt.timestep)
    safe = not model.opt.disableflags & Disable.REFSAFE
    seen: set[tuple[float, float]] = set()
    for contact in data.contact:
        timeconst, dampratio = (float(x) for x in contact.solref)
        if (timeconst, dampratio) in seen or len(seen) == MAX_LISTED:
            continue
        names = " and ".join(_quoted_name(data, "geom", int(g)) for g in contact.geom)
        if 0 < timeconst < 2 * step:
            seen.add((timeconst, dampratio))
            what = "raised to two steps" if safe else "and refsafe is off"
            yield (
                f"solref of the contact of geoms {names} has a time constant of {timeconst:.3g} s, "
                f"below two time steps of {step:.3g} s ({what}): raise it, or lower opt.timestep"
            )
        # negative: -stiffness
        elif timeconst < 0 and step * np.sqrt(-timeconst) > STIFF_PHASE:
            seen.add((timeconst, dampratio))
            yield (
                f"solref of the contact of geoms {names} has a stiffness of {-timeconst:.3g} /s^2, "
                f"too stiff for a time step of {step:.3g} s: keep it below {1 / step**2:.3g}"
            )


def _stiff_springs(data: Data) -> Iterator[str]:
    """Joint springs that oscillate too fast for the time step."""
    model = data.model
    step = float(model.opt.timestep)
    inertia = data.M[model.M_rowadr + model.M_rownnz - 1]
    stiffness = np.zeros(model.nv)
    for j in range(model.njnt):
        if model.jnt_type[j] >= 2:
            stiffness[model.jnt_dofadr[j]] = model.jnt_stiffness[j]
    with np.errstate(all="ignore"):
        phase = step * np.sqrt(stiffness / inertia)
    worst = np.argsort(-phase)[:MAX_LISTED]
    for i in worst[phase[worst] > STIFF_PHASE]:
        joint = _quoted_name(data, "joint", int(model.dof_jntid[i]))
        yield (
            f"the spring of joint {joint} is too stiff for a time step of {step:.3g} s: with an "
            f"inertia of {inertia[i]:.3g} its stiffness must be below {inertia[i] / step**2:.3g}, "
            f"and is {stiffness[i]:.3g}"
        )


def _mass_ratios(data: Data) -> Iterator[str]:
    """Bodies in contact, one much heavier than the other."""
    model = data.model
    mass = model.body_subtreemass
    pairs = {
        (int(model.body_weldid[a]), int(model.body_weldid[b]))
        for a, b in (model.geom_bodyid[contact.geom] for contact in data.contact)
    }
    found = []
    for one, other in pairs:
        if 0 in (one, other):
            continue
        roots = [int(model.body_rootid[body]) for body in (one, other)]
        low, high = sorted(float(mass[root]) for root in roots)
        if roots[0] != roots[1] and low > 0 and high > MASS_RATIO * low:
            found.append((high / low, one, other))
    for ratio, one, other in sorted(found, reverse=True)[:MAX_LISTED]:
        yield (
            f"bodies {_quoted_name(data, 'body', one)} and {_quoted_name(data, 'body', other)} "
            f"touch, and one weighs {ratio:.2g} times as much as the other: the solver needs more "
            "iterations, and contacts become soft"
        )


def _unconverged_solver(data: Data) -> Iterator[str]:
    """A solver that did not converge."""
    if data.nefc and not data.solver_converged:
        yield (
            f"the solver did not converge in opt.iterations = {data.model.opt.iterations} (scaled "
            f"gradient {data.solver_residual:.2g}): raise it, or use the Newton solver"
        )


def _large_islands(data: Data) -> Iterator[str]:
    """Islands of many dofs."""
    if data.nefc == 0:
        return
    sizes = np.bincount(data.dof_island[data.dof_island >= 0], minlength=1)
    if sizes.max() > LARGE_ISLAND:
        yield (
            f"{sizes.max()} degrees of freedom form one island, and its time grows with their "
            "cube at worst: contacts that couple everything (a shared movable ground, a pile) "
            "cause it; separate islands are solved one by one"
        )


def _fast_dofs(data: Data) -> Iterator[str]:
    """Dofs of large velocity."""
    for i in np.argsort(-np.abs(data.qvel))[:MAX_LISTED]:
        if abs(data.qvel[i]) > FAST_VELOCITY:
            joint = _quoted_name(data, "joint", int(data.model.dof_jntid[i]))
            yield f"joint {joint} moves at {data.qvel[i]:.3g} (m/s or rad/s)"


def _large_forces(data: Data) -> Iterator[str]:
    """Applied forces and controls that are not finite, or very large."""
    for name in ("qfrc_applied", "xfrc_applied", "ctrl"):
        values = getattr(data, name)
        bad = np.argwhere(~(np.abs(values) < 1e10))
        if len(bad):
            at = ", ".join(map(str, bad[0]))
            yield f"{name}[{at}] is {values[tuple(bad[0])]!r}"


WORLD_CHECKS = (
    _large_forces,
    _deep_contacts,
    _stiff_contacts,
    _stiff_springs,
    _mass_ratios,
    _unconverged_solver,
    _large_islands,
    _fast_dofs,
)
