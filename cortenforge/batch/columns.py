"""Columns of a table: `cinert[1:]`, `ncon`, `in_contact[floor, foot]`, `contact_force[foot]`."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cortenforge.batch.counts import COUNTED
from cortenforge.batch.facts import ANY_GEOM, FIRST_COUNT, FORCE_X, IN_CONTACT
from cortenforge.errors import ShapeError
from cortenforge.model import Data, Model
from cortenforge.model.access.views import object_id
from cortenforge.suggest import did_you_mean

#: name, and what stands in brackets
COLUMN = re.compile(r"\s*(\w+)\s*(?:\[(.*)\])?\s*\Z")
#: names of facts of contacts: how many geoms they take, and their kinds
CONTACT_FACTS = {
    "in_contact": ((2,), (IN_CONTACT,)),
    "contact_force": ((1, 2), (FORCE_X, FORCE_X + 1, FORCE_X + 2)),
}

#: kind, first and second geom of a fact (`facts.world_fact`)
Fact = tuple[int, int, int]


@dataclass(frozen=True)
class Column:
    """Some numbers of a table.

    numbers: which numbers of a field, of one world.
    facts:   or the facts that they are.
    """

    name: str
    numbers: np.ndarray
    facts: tuple[Fact, ...] = ()

    @property
    def width(self) -> int:
        """How many numbers of a row it takes."""
        return len(self.facts) or len(self.numbers)


def column_named(text: Any, model: Model, shapes: Mapping[str, tuple[int, ...]]) -> Column:
    """A column from its text; shapes: of the fields that there are, of one world."""
    match = COLUMN.match(text) if isinstance(text, str) else None
    name, inside = match.groups() if match else ("", None)
    if name in CONTACT_FACTS:
        return Column(name, np.zeros(0, int), _contact_facts(text, name, inside, model))
    if name in COUNTED and inside is None:
        kind = FIRST_COUNT + COUNTED.index(name)
        return Column(name, np.zeros(0, int), ((kind, ANY_GEOM, ANY_GEOM),))
    if name not in shapes:
        hint = did_you_mean(name, {**shapes, **CONTACT_FACTS}) if name else None
        what = f"column {text!r}: expected a field of Data, a count or a fact of contacts"
        raise ShapeError(what[:300] + (f"; {hint}" if hint else ""))
    places = np.arange(math.prod(shapes[name])).reshape(shapes[name])
    if inside is not None:
        try:
            places = places[tuple(_index(part) for part in inside.split(","))]
        except (ValueError, IndexError):
            raise ShapeError(
                f"column {text!r}: {name} of one world has the shape {shapes[name]}, and indices "
                "are integers and slices"
            ) from None
    return Column(name, np.ravel(places))


def _index(text: str) -> int | slice:
    """An integer or a slice from its text."""
    if ":" not in text:
        return int(text)
    parts = [int(part) if part.strip() else None for part in text.split(":")]
    if len(parts) > 3:
        raise ValueError
    return slice(*parts)


def _contact_facts(text: str, name: str, inside: str | None, model: Model) -> tuple[Fact, ...]:
    """Facts of the contacts of geoms that are named, or given by number."""
    counts, kinds = CONTACT_FACTS[name]
    keys = [key.strip() for key in (inside or "").split(",")]
    if inside is None or len(keys) not in counts:
        wanted = " or ".join(f"{name}[{', '.join(['geom', 'other'][:n])}]" for n in counts)
        raise ShapeError(f"column {text!r}: expected {wanted}")
    geoms = [object_id(model, "geom", int(key) if key.isdigit() else key) for key in keys]
    first, second = (*geoms, ANY_GEOM)[:2]
    return tuple((kind, first, second) for kind in kinds)


def fact_of(data: Data, fact: Fact) -> float:
    """A fact of one world."""
    kind, first, second = fact
    if kind >= FIRST_COUNT:
        return float(getattr(data, COUNTED[kind - FIRST_COUNT]))
    total = 0.0
    for c, (one, other) in enumerate(data.contact_geom[: data.ncon].tolist()):
        on_second = other == first and second in (ANY_GEOM, one)
        on_first = one == first and second in (ANY_GEOM, other)
        if (on_first or on_second) and data.contact_exclude[c] == 0:
            if kind == IN_CONTACT:
                return 1.0
            force = data.contact_frame[c].reshape(3, 3).T @ data.contact_force(c)[:3]
            total += float(force[kind - FORCE_X]) * (1.0 if on_second else -1.0)
    return total
