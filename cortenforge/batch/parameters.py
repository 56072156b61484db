"""Model fields that differ between the worlds of a batch."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any

import numpy as np

from cortenforge.batch.assign import copy_into
from cortenforge.errors import ShapeError, UnknownName
from cortenforge.fields import Field
from cortenforge.model.model import Model
from cortenforge.model.states.world_parameters import WorldModelBlock


class Parameters(MutableMapping[str, np.ndarray]):
    """`(n, ...)` arrays by field name; assignment copies into them, and nothing is taken away.

    Each has memory of its own: an array that was taken is the batch's for as long as that lives.
    """

    def __init__(self, model: Model, n: int) -> None:
        self.model, self.n = model, n
        self.fields: list[Field] = []
        self._views: dict[str, np.ndarray] = {}

    def add(self, names: tuple[str, ...], differing: dict[str, Field]) -> None:
        """Give every world its own copy of some fields; they start with the model's values."""
        for name in names:
            if not isinstance(name, str) or name not in differing:
                raise ShapeError(
                    f"{name!r} is not a real-valued field of Model that worlds can have"[:300]
                )
        new = [differing[name] for name in dict.fromkeys(names) if name not in self._views]
        self.fields += new
        for field in new:
            values = np.empty((self.n, *field.shape_for(self.model._store.sizes)))
            values[...] = self.model._store.arrays[field.name]
            self._views[field.name] = values

    def block(self, i: int) -> WorldModelBlock | None:
        """The model of one world."""
        if not self.fields:
            return None
        own = {name: view[i : i + 1].reshape(view.shape[1:]) for name, view in self._views.items()}
        return WorldModelBlock(self.model, own)

    def __getitem__(self, name: str) -> np.ndarray:
        if not isinstance(name, str) or name not in self._views:
            raise UnknownName(
                f"worlds have no {name!r} of their own: batch.expand(...) gives it to them"[:300]
            )
        return self._views[name]

    def __setitem__(self, name: str, value: Any) -> None:
        copy_into(self[name], name, value)

    def __delitem__(self, name: str) -> None:
        raise ShapeError(
            f"{name}: per-world parameters cannot be taken back; make a new batch instead"
        )

    def __reduce__(self) -> Any:
        """The values alone, without the batch."""
        return dict, ({name: view.copy() for name, view in self._views.items()},)

    def __iter__(self) -> Iterator[str]:
        return iter(self._views)

    def __len__(self) -> int:
        return len(self._views)
