"""Numbers of geom pairs that reached each stage of collision detection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import GeomType
from cortenforge.model.changes.candidates import (
    FAMILY_NONE,
    FAMILY_UNSUPPORTED,
    pair_families,
    unlisted_pairs,
)
from cortenforge.notebook import Printed
from cortenforge.step.collision.convex.convex_pairs import convex_convex
from cortenforge.step.collision.families import FAMILY_KERNELS
from cortenforge.step.collision.pair_counts import count_pair_tests

if TYPE_CHECKING:
    from cortenforge.model.data import Data
    from cortenforge.model.model import Model

CONVEX_FAMILY = FAMILY_KERNELS.index(convex_convex)


@dataclass(frozen=True)
class FamilyCount:
    """Counts for one collision function.

    pairs:    candidate pairs, by the filters.
    near:     pairs whose bounding spheres overlap, with margin and gap.
    contacts: contacts found.
    """

    pairs: int
    near: int
    contacts: int


@dataclass(frozen=True)
class CollisionReport(Printed):
    """Numbers of geom pairs that reached each stage of collision detection, in the present pose.

    pairs:    candidate pairs, by the filters.
    swept:    whether near pairs are found by sweep and prune, and not one by one.
    near:     pairs whose bounding spheres overlap, with margin and gap.
    boxes:    convex pairs among them, whose oriented boxes were tested.
    gjk:      pairs whose boxes overlap: GJK computed their distance.
    epa:      pairs whose cores overlap: EPA computed their penetration.
    contacts: contacts found.
    families: the same by collision function.

    A contact filter and sleep remove pairs between `near` and the later stages.
    """

    pairs: int
    swept: bool
    near: int
    boxes: int
    gjk: int
    epa: int
    contacts: int
    families: dict[str, FamilyCount]

    def __str__(self) -> str:
        """A table for people."""
        how = "by sweep and prune" if self.swept else "one by one"
        lines = [
            f"{self.pairs:9,} pairs could touch",
            f"{self.near:9,} are near, by spheres, {how}",
            f"{self.boxes:9,} are convex: boxes; {self.gjk:,} by GJK, {self.epa:,} by EPA",
            f"{self.contacts:9,} contacts",
        ]
        width = max([len(name) for name in self.families], default=0)
        for name, one in self.families.items():
            lines.append(
                f"  {name:{width}}  {one.pairs:,} pairs, {one.near:,} near, "
                f"{one.contacts:,} contacts"
            )
        return "\n".join(lines)


def collision_function_name(model: Model, pair: np.ndarray, family: int) -> str:
    """Name of the collision function of a pair: the types of both geoms, or "convex"."""
    if family == CONVEX_FAMILY:
        return "convex"
    kinds = "-".join(GeomType(kind).name.lower() for kind in model.geom_type[pair].tolist())
    return kinds if family != FAMILY_UNSUPPORTED else f"{kinds} (not supported yet)"


@dataclass
class PairKind:
    """Candidate pairs of one family and two types: their number, and one of them."""

    family: int
    count: int
    pair: np.ndarray


def pair_kinds(model: Model) -> list[PairKind]:
    """Candidate pairs by family and types of geoms."""
    rows = np.column_stack((model.geom_type[model.candidate_geom], model.candidate_family))
    _, first, counts = np.unique(rows, axis=0, return_index=True, return_counts=True)
    found = [
        PairKind(int(model.candidate_family[row]), count, model.candidate_geom[row])
        for row, count in zip(first.tolist(), counts.tolist(), strict=True)
    ]
    if model.unlisted_shift or len(model.static_geom):
        found += _unlisted_pair_kinds(model)
    return found


def _unlisted_pair_kinds(model: Model) -> list[PairKind]:
    """The same for candidate pairs that are not listed, counted geom by geom."""
    found: dict[tuple[int, int], PairKind] = {}
    for pairs in unlisted_pairs(model):
        kinds = model.geom_type[pairs]
        for one, other in np.unique(kinds, axis=0).tolist():
            same = pairs[np.all(kinds == (one, other), axis=1)]
            family = int(model.type_family[one, other])
            known = found.setdefault((one, other), PairKind(family, 0, same[0]))
            known.count += len(same)
    return [kind for kind in found.values() if kind.family != FAMILY_NONE]


def pair_counts_by_function(model: Model) -> dict[str, int]:
    """Numbers of candidate pairs by collision function, the largest first."""
    found: dict[str, int] = {}
    for kind in pair_kinds(model):
        name = collision_function_name(model, kind.pair, kind.family)
        found[name] = found.get(name, 0) + kind.count
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def collision_report(data: Data) -> CollisionReport:
    """Run collision detection, and count pairs at each stage."""
    data.collide()
    model = data.model
    contacts = pair_families(model, data.contact_candidate[: data.ncon])
    kinds = pair_kinds(model)
    families, convex = {}, np.zeros(3, int)
    for family in sorted({kind.family for kind in kinds}):
        data._run_unit(count_pair_tests, family, int(family == CONVEX_FAMILY))
        same = [kind for kind in kinds if kind.family == family]
        families[collision_function_name(model, same[0].pair, family)] = FamilyCount(
            sum(kind.count for kind in same),
            int(data.test_count[0]),
            int(np.count_nonzero(contacts == family)),
        )
        if family == CONVEX_FAMILY:
            convex = data.test_count.copy()
    return CollisionReport(
        pairs=sum(kind.count for kind in kinds),
        swept=len(model.swept_geom) > 0,
        near=sum(one.near for one in families.values()),
        boxes=int(convex[0]),
        gjk=int(convex[1]),
        epa=int(convex[2]),
        contacts=data.ncon,
        families=families,
    )
