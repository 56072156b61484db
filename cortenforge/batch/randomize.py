"""Model fields drawn at random, world by world, with the constants that follow from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge import upward
from cortenforge.batch.memory import DIFFERING
from cortenforge.errors import ArgumentError, ModelError, ShapeError
from cortenforge.model.calls.step_count import is_integer
from cortenforge.model.internals import store_of

if TYPE_CHECKING:
    from cortenforge.batch.worlds import Worlds

#: the least and the largest number that is drawn
Range = Sequence[float]
NAMES = {field.name for field in DIFFERING}


def randomize(
    batch: Worlds,
    name: str,
    *,
    scale: Range | None,
    add: Range | None,
    seed: int,
    elements: Sequence[int] | None,
) -> None:
    """See `Worlds.randomize`."""
    if (scale is None) == (add is None):
        raise ArgumentError("randomize: give either scale or add, as (least, largest)")
    low, high = _bounds("scale" if add is None else "add", scale if add is None else add)
    if not isinstance(name, str) or name not in NAMES:
        raise ShapeError(f"{name!r} is not a real-valued field of Model that worlds can have"[:300])
    if not is_integer(seed) or seed < 0:
        raise ArgumentError(f"seed: expected a whole number from 0, got {seed!r}"[:300])
    chosen = slice(None) if elements is None else _chosen(batch, name, elements)
    batch.expand(name)
    own, model = batch.parameters[name], batch.model._store.arrays[name]
    rng = np.random.default_rng(seed)
    # one number for a world and an element: a vector is scaled as a whole
    shape = own.shape[:2] + (1,) * (own.ndim - 2)
    drawn = rng.uniform(low, high, shape)
    changed = model * drawn if add is None else model + drawn
    own[:, chosen] = changed[:, chosen]
    update_dependent_constants(batch)


def _chosen(batch: Worlds, name: str, elements: Sequence[int]) -> np.ndarray:
    """Numbers of elements, or a mask of them."""
    shape = batch.model._store.arrays[name].shape
    count = shape[0] if shape else 0
    try:
        listed = np.asarray(elements)
        # an empty list has no type
        listed = listed.astype(int) if listed.shape == (0,) else listed
        if listed.dtype.kind not in "biu":
            raise IndexError
        found: np.ndarray = np.arange(count)[listed]
    except (IndexError, ValueError):
        raise ArgumentError(
            f"elements: expected numbers from 0 to {count - 1}, or {count} booleans, got "
            f"{elements!r}"[:300]
        ) from None
    return found


def _bounds(word: str, given: Range | None) -> tuple[float, float]:
    try:
        low, high = (float(x) for x in given or ())
    except (TypeError, ValueError):
        raise ArgumentError(f"{word}: expected (least, largest), got {given!r}") from None
    if not -np.inf < low <= high < np.inf:
        raise ArgumentError(f"{word}: expected (least, largest), got {given!r}")
    return low, high


def update_dependent_constants(batch: Worlds, worlds: Sequence[int] | None = None) -> None:
    """Compute for each world, or for some, the constants that follow from its own parameters.

    Such as inverse weights. Integers among them must be the same in all worlds.
    """
    numbers = range(batch.n) if worlds is None else _checked_worlds(batch, worlds)
    plain = upward.constants_of(batch.model, {})
    derived = {name: _present(batch, name) for name in NAMES & plain.keys()}
    changed = plain.keys() & set(batch.parameters)
    sample = _changed_in_any_of(batch, numbers)
    if not _different(upward.constants_of(batch.model, sample), {**plain, **sample}):
        # nothing depends on what was changed
        return
    for world in numbers:
        own = {name: values[world] for name, values in batch.parameters.items()}
        found = upward.constants_of(batch.model, own)
        for name in _different(found, plain):
            if name not in NAMES:
                raise ModelError(
                    f"world {world}: {name} follows from its parameters, and worlds must share it"
                )
            changed.add(name)
        for name, values in derived.items():
            values[world] = found[name]
    batch.expand(*sorted(changed))
    for name in changed:
        batch.parameters[name] = derived[name]


def _checked_worlds(batch: Worlds, worlds: Sequence[int]) -> list[int]:
    """Numbers of worlds."""
    given: Any = worlds
    listed: list[Any] = list(given) if isinstance(given, Iterable) else [None]
    if not all(is_integer(world) and 0 <= world < batch.n for world in listed):
        raise ArgumentError(
            f"worlds: expected numbers from 0 to {batch.n - 1}, got {worlds!r}"[:300]
        )
    return [int(world) for world in listed]


def _present(batch: Worlds, name: str) -> np.ndarray:
    """Values of a field for all worlds, as they are now."""
    if name in batch.parameters:
        return batch.parameters[name].copy()
    shared = np.asarray(store_of(batch.model).arrays[name])
    return np.repeat(shared[None], batch.n, axis=0)


def _changed_in_any_of(batch: Worlds, worlds: Sequence[int]) -> dict[str, np.ndarray]:
    """Parameters in which each number that any world has changed is as in the first such world."""
    found: dict[str, np.ndarray] = {}
    if not worlds:
        return found
    for name, all_values in batch.parameters.items():
        values = all_values[list(worlds)]
        plain = np.asarray(store_of(batch.model).arrays[name])
        first = (values != plain).argmax(axis=0)
        found[name] = np.take_along_axis(values, first[None], axis=0)[0]
    return found


def _different(found: Mapping[str, np.ndarray], others: Mapping[str, np.ndarray]) -> list[str]:
    """Names of arrays that differ from those of the same name among others."""
    return [name for name in found if not np.array_equal(found[name], others[name])]
