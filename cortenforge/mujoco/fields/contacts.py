"""The live list of contacts of data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from cortenforge.enums import ConstraintState
from cortenforge.model import Data
from cortenforge.model.internals import constraint_residual, store_of
from cortenforge.mujoco.structs import MjContact, RowList
from cortenforge.mujoco.tables import STRUCTS

FIELDS = tuple(STRUCTS["MjContact"])
#: one of the two geoms by itself
GEOM_COLUMNS = {"geom1": 0, "geom2": 1}
#: of flexes, which do not exist here: -1
FLEX_COLUMNS = ("flex", "elem", "vert")
#: numbers of a Hessian, for contacts of up to six dimensions
HESSIAN = 36


class ContactColumns(Mapping[str, np.ndarray]):
    """Columns of all contacts that there is room for, where they are now."""

    def __init__(self, native: Data) -> None:
        self._native, self._arrays = native, store_of(native).arrays

    def __getitem__(self, name: str) -> np.ndarray:
        arrays = self._arrays
        if name in GEOM_COLUMNS:
            found: np.ndarray = arrays["contact_geom"][:, GEOM_COLUMNS[name]]
            return found
        if name == "frame":
            return arrays["contact_frame"].reshape(-1, 9)
        if name not in FLEX_COLUMNS and name != "H":
            return arrays[f"contact_{name}"]
        made = (
            cone_hessians(self._native) if name == "H" else np.full_like(arrays["contact_geom"], -1)
        )
        made.flags.writeable = False
        return made

    def __iter__(self) -> Iterator[str]:
        return iter(FIELDS)

    def __len__(self) -> int:
        return len(FIELDS)


def cone_hessians(data: Data) -> np.ndarray:
    """Hessians of elliptic cones, (ncon, 36), zeros for contacts that are not in their cone.

    The cost of a contact in its cone is D (N - mu T)^2 / (2 mu^2 (1 + mu^2)), with
    scaled normal N and tangent T of J qacc - aref (MuJoCo: Computation, "Friction cones").
    """
    found = np.zeros((data.ncon, HESSIAN))
    rows = data.contact.efc_address
    cones = [i for i in range(data.ncon) if rows[i] >= 0 and data.contact.dim[i] > 1]
    cones = [i for i in cones if data.efc_state[rows[i]] == ConstraintState.CONE]
    if cones:
        residual = constraint_residual(data)
        for i in cones:
            dim, mu = int(data.contact.dim[i]), float(data.contact.mu[i])
            scale = np.concatenate([[mu], data.contact.friction[i][: dim - 1]])
            part = residual[rows[i] : rows[i] + dim] * scale
            hessian = _cone_hessian(part, mu) * np.outer(scale, scale)
            weight = data.efc_D[rows[i]] / (mu**2 * (1 + mu**2))
            found[i, : dim * dim] = (weight * hessian).reshape(-1)
    return found


def _cone_hessian(scaled: np.ndarray, mu: float) -> np.ndarray:
    """Second derivatives of (N - mu T)^2 / 2 by the scaled residual."""
    normal, tangent = scaled[0], scaled[1:]
    length = float(np.linalg.norm(tangent))
    hessian = np.empty((len(scaled), len(scaled)))
    hessian[0, 0] = 1.0
    hessian[0, 1:] = hessian[1:, 0] = -mu * tangent / length
    hessian[1:, 1:] = mu * normal / length**3 * np.outer(tangent, tangent)
    hessian[1:, 1:] += (mu**2 - mu * normal / length) * np.eye(len(tangent))
    return hessian


class ContactList(RowList):
    """The contacts of data as they are now: as many as `ncon` says."""

    _count: np.ndarray

    def __init__(self, native: Data) -> None:
        super().__init__(MjContact, ContactColumns(native))
        self.__dict__["_count"] = store_of(native).arrays["ncon"]

    def __len__(self) -> int:
        return int(self._count.item())

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            columns = {name: getattr(self, name)[index] for name in FIELDS}
            return RowList(MjContact, columns)
        return MjContact.row(self._columns, range(self._count.item())[index])

    def __getattr__(self, name: str) -> np.ndarray:
        if name not in FIELDS:
            raise AttributeError(f"a list of contacts has no attribute {name!r}")
        return self._columns[name][: self._count.item()]
