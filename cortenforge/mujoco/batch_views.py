"""Named views of a batch: what fields of all simulations have for one object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.mujoco.batch_models import FIXED_FIELDS, MODEL_FIELDS

if TYPE_CHECKING:
    from cortenforge.mujoco.batch import Batch


class NamedView:
    """One object's part of fields `(nsim, ...)`, by the attributes of MjData's and MjModel's views.

    Fields of the data are bound. Fields of the model are those that were expanded, or the model's
    for all simulations; setting one expands it.
    """

    _batch: Batch
    _kind: str
    _views: tuple[tuple[Any, Any, bool], ...]
    id: int
    name: str

    def __init__(self, batch: Batch, kind: str, key: int | str) -> None:
        of_model = getattr(batch._model, kind)(key)
        find = getattr(batch._data, kind, None)
        views = [(of_model, batch._model, True)]
        if find is not None:
            views.insert(0, (find(key), batch._data, False))
        self.__dict__.update(
            _batch=batch, _kind=kind, _views=tuple(views), id=of_model.id, name=of_model.name
        )

    def __getattr__(self, name: str) -> np.ndarray:
        return self._part(name, write=False)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("id", "name"):
            raise AttributeError(f"{name} is read-only")
        self._part(name, write=True)[...] = value

    def _part(self, name: str, *, write: bool) -> np.ndarray:
        """The slices of all simulations."""
        from cortenforge.mujoco.batch import (
            DATA_FIELDS,
            STATE_FIELDS,
            close,
            output_error,
        )

        for view, owner, is_model in self._views:
            part = getattr(view, name, None)
            if not isinstance(part, np.ndarray):
                continue
            field = owner_of(owner, MODEL_FIELDS if is_model else DATA_FIELDS, part)
            if field is None:
                if is_model and not write:
                    return np.broadcast_to(part, (self._batch.nsim, *part.shape))
                if is_model:
                    raise shared_error(name)
                continue
            if is_model and write and self._batch.models is not None:
                raise ValueError(f"{name}: the models are those of set_models(): edit them")
            if is_model and write and field in FIXED_FIELDS - self._batch._expanded:
                raise shared_error(name)
            if not is_model and write and field not in STATE_FIELDS:
                raise output_error(field)
            if not is_model:
                rows = self._batch.bind(field)
            elif write or field in self._batch._expanded:
                rows = self._batch.expand(field)
            elif (derived := self._batch.expanded(field)) is not None:
                rows = derived
            else:
                return np.broadcast_to(part, (self._batch.nsim, *part.shape))
            whole = getattr(owner, field)
            start = (part.ctypes.data - whole.ctypes.data) // whole.itemsize
            flat = rows.reshape(self._batch.nsim, -1)[:, start : start + part.size]
            return flat.reshape(self._batch.nsim, *part.shape)
        if any(hasattr(view, name) for view, _, _ in self._views):
            raise AttributeError(
                f"{name} is not a slice of a field that the batch binds or expands"
            )
        raise AttributeError(
            f"{name} is not a field of a {self._kind}{close(name, dir(self._views[-1][0]))}"
        )


def shared_error(name: str) -> ValueError:
    """The error for a field of the model that is the same in all simulations."""
    return ValueError(f"{name} is structural or shared: simulations cannot differ in it")


def owner_of(owner: Any, names: Any, part: np.ndarray) -> str | None:
    """The field of a model or of data whose memory a part is in."""
    for name in names:
        whole = getattr(owner, name, None)
        if not isinstance(whole, np.ndarray) or not part.size or whole.dtype != part.dtype:
            continue
        offset = part.ctypes.data - whole.ctypes.data
        if offset >= 0 and offset + part.nbytes <= whole.nbytes:
            return str(name)
    return None
