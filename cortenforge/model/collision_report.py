"""How many pairs of geoms came to which test of a collision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import GeomType
from cortenforge.model.touching import MISSING
from cortenforge.step.collision.convex.family import convex_convex
from cortenforge.step.collision.counts import count_tests
from cortenforge.step.collision.families import KERNELS

if TYPE_CHECKING:
    from cortenforge.model.data import Data
    from cortenforge.model.model import Model

CONVEX = KERNELS.index(convex_convex)


@dataclass(frozen=True)
class FamilyCount:
    """Pairs that one routine has contacts for.

    pairs:    that could ever touch.
    near:     whose bounding spheres meet, with margin and gap.
    contacts: that were found.
    """

    pairs: int
    near: int
    contacts: int


@dataclass(frozen=True)
class CollisionReport:
    """How many pairs of geoms came to which test, where geoms are now.

    pairs:    that could ever touch, by the filters.
    swept:    whether near pairs are found by a sweep, and not one by one.
    near:     whose bounding spheres meet, with margin and gap.
    boxes:    convex ones among them, whose boxes were held against each other.
    gjk:      whose boxes meet, so that GJK looked for their distance.
    epa:      whose cores overlap, so that EPA looked for their depth.
    contacts: that were found.
    families: the same by routine.

    A filter of the user's, and sleep, take pairs away between `near` and the tests behind it.
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
        how = "by a sweep" if self.swept else "one by one"
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


def name_of_test(model: Model, pair: np.ndarray, family: int) -> str:
    """What finds the contacts of a pair, by the types of both geoms, or "convex"."""
    if family == CONVEX:
        return "convex"
    kinds = "-".join(GeomType(kind).name.lower() for kind in model.geom_type[pair].tolist())
    return kinds if family != MISSING else f"{kinds} (not there yet)"


def pairs_by_test(model: Model) -> dict[str, int]:
    """How many pairs could touch, by what finds their contacts; the largest number first."""
    found: dict[str, int] = {}
    kinds = model.geom_type[model.candidate_geom]
    rows = np.column_stack((kinds, model.candidate_family))
    _, first, counts = np.unique(rows, axis=0, return_index=True, return_counts=True)
    for row, count in zip(first.tolist(), counts.tolist(), strict=True):
        name = name_of_test(model, model.candidate_geom[row], int(model.candidate_family[row]))
        found[name] = found.get(name, 0) + count
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def collision_report(data: Data) -> CollisionReport:
    """Collide, and count."""
    data.collide()
    model = data.model
    contacts = model.candidate_family[data.contact_candidate[: data.ncon]]
    families, convex = {}, np.zeros(3, int)
    for family in np.unique(model.candidate_family).tolist():
        data._run_unit(count_tests, family, int(family == CONVEX))
        pairs = model.candidate_geom[model.candidate_family == family]
        families[name_of_test(model, pairs[0], family)] = FamilyCount(
            len(pairs),
            int(data.test_count[0]),
            int(np.count_nonzero(contacts == family)),
        )
        if family == CONVEX:
            convex = data.test_count.copy()
    return CollisionReport(
        pairs=len(model.candidate_geom),
        swept=len(model.swept_geom) > 0,
        near=sum(one.near for one in families.values()),
        boxes=int(convex[0]),
        gjk=int(convex[1]),
        epa=int(convex[2]),
        contacts=data.ncon,
        families=families,
    )
