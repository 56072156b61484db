"""Contacts of a Data, as in MuJoCo: a list of contacts, and columns of the list as arrays."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from cortenforge.errors import ArgumentError, OutOfRange
from cortenforge.fields.data_constraint import CONSTRAINT
from cortenforge.fields.data_contact import CONTACT
from cortenforge.model.access.declared import ContactColumns, ContactFields
from cortenforge.model.access.views import object_id
from cortenforge.suggest import unknown_attribute

if TYPE_CHECKING:
    from cortenforge.model.data import Data
    from cortenforge.model.model import Model

CONTACT_PREFIX = "contact_"
#: columns by their names in mjContact
CONTACT_COLUMNS = {
    f.name.removeprefix(CONTACT_PREFIX): f
    for f in (*CONTACT, *CONSTRAINT)
    if f.name.startswith(CONTACT_PREFIX)
}
#: columns of mjContact for flexes, which do not exist here: -1
FLEX_COLUMNS = ("flex", "elem", "vert")
#: one of the two geoms by itself
GEOM_COLUMNS = {"geom1": 0, "geom2": 1}


class Contact(ContactFields):
    """One contact; numbers can be read and written in place."""

    _data: Data
    _row: int

    def __init__(self, data: Data, row: int) -> None:
        self.__dict__.update(_data=data, _row=row)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            value = _column(self.__dict__.get("_data"), name)[self._row]
            return value if np.ndim(value) else value.item()

        def __setattr__(self, name: str, value: Any) -> None:
            _check_column(name)
            _column(self._data, name)[self._row] = value

    def __dir__(self) -> list[str]:
        return _column_names()

    def __repr__(self) -> str:
        return f"<contact geom={self.geom.tolist()} dist={self.dist:.6g}>"


class Contacts(ContactColumns, Sequence[Contact]):
    """Some contacts of a Data: `len`, `contact[i]`, slices, and columns such as `contact.dist`."""

    _data: Data
    _place: slice | np.ndarray

    def __init__(self, data: Data, rows: np.ndarray | int) -> None:
        """
        rows: of the list; a number for so many from the first on.
        """
        own = self.__dict__
        own["_data"] = data
        # neighbours are seen in place
        own["_place"] = slice(0, rows) if isinstance(rows, int) else _neighbours(rows)

    @property
    def _rows(self) -> np.ndarray:
        place = self._place
        return np.arange(place.start, place.stop) if isinstance(place, slice) else place

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> np.ndarray:
            return _column(self.__dict__.get("_data"), name)[self._place]

        def __setattr__(self, name: str, value: Any) -> None:
            _check_column(name)
            _column(self._data, name)[self._place] = value

    def __len__(self) -> int:
        place = self._place
        return place.stop - place.start if isinstance(place, slice) else len(place)

    @overload
    def __getitem__(self, index: int) -> Contact: ...

    @overload
    def __getitem__(self, index: slice) -> Contacts: ...

    def __getitem__(self, index: int | slice) -> Contact | Contacts:
        if isinstance(index, slice):
            return Contacts(self._data, self._rows[index])
        return Contact(self._data, int(self._rows[operator.index(index)]))

    def __iter__(self) -> Iterator[Contact]:
        return (Contact(self._data, int(row)) for row in self._rows)

    def __dir__(self) -> list[str]:
        return _column_names()

    def __repr__(self) -> str:
        return f"<{len(self)} contacts>"


class ContactColumn:
    """A column of contacts as an attribute of their list, found sooner than by `__getattr__`."""

    def __init__(self, field: str) -> None:
        self.field = field

    def __get__(self, contacts: Contacts | None, kind: type | None = None) -> Any:
        if contacts is None:
            return self
        return contacts._data._store.arrays[self.field][contacts._place]


for _name, _field in CONTACT_COLUMNS.items():
    setattr(Contacts, _name, ContactColumn(_field.name))


def _neighbours(rows: np.ndarray) -> slice | np.ndarray:
    """Rows as a slice, if they follow one another."""
    if len(rows) and len(rows) == rows[-1] - rows[0] + 1:
        return slice(int(rows[0]), int(rows[-1]) + 1)
    return rows


def _column_names() -> list[str]:
    return [*CONTACT_COLUMNS, *GEOM_COLUMNS, *FLEX_COLUMNS]


def _column(data: Any, name: str) -> np.ndarray:
    """A column of the whole array of contacts, unused capacity included."""
    # what has an underscore is asked for before there is a Data, by whoever copies
    if name.startswith("_"):
        raise unknown_attribute("a contact", name, ())
    arrays = data._store.arrays
    if name in GEOM_COLUMNS:
        one: np.ndarray = arrays["contact_geom"][:, GEOM_COLUMNS[name]]
        return one
    if name in FLEX_COLUMNS:
        return np.full_like(arrays["contact_geom"], -1)
    if name not in CONTACT_COLUMNS:
        raise unknown_attribute("a contact", name, _column_names())
    column: np.ndarray = arrays[CONTACT_PREFIX + name]
    return column


def _check_column(name: str) -> None:
    """Raise unless a contact has a column of its own that can be assigned to."""
    if name not in CONTACT_COLUMNS:
        raise unknown_attribute("a contact", name, CONTACT_COLUMNS)


def contact_index(data: Data, contact: int | Contact) -> int:
    """The index of a contact, given by index or as one of `data.contact`."""
    if isinstance(contact, Contact):
        if contact._data is not data:
            raise ArgumentError("contact: this one belongs to another Data")
        contact = contact._row
    if not isinstance(contact, (int, np.integer)):
        raise ArgumentError(
            f"contact: expected its number, or one of data.contact, got {contact!r}"
        )
    if not 0 <= contact < data.ncon:
        raise OutOfRange(f"contact {contact}: there are {data.ncon}")
    return int(contact)


def contacts_between(
    data: Data, one: str | int, other: str | int | None, *, subtree: bool
) -> Contacts:
    """Contacts with a geom of one and a geom of the other.

    one, other: bodies or geoms, by name or number.
    """
    geoms = data.contact.geom
    first = _geom_mask(data.model, one, subtree)[geoms]
    second = np.ones_like(first) if other is None else _geom_mask(data.model, other, subtree)[geoms]
    found = (first[:, 0] & second[:, 1]) | (first[:, 1] & second[:, 0])
    return Contacts(data, np.flatnonzero(found))


def _geom_mask(model: Model, key: str | int, subtree: bool) -> np.ndarray:
    """Which geoms belong to a body or are a geom, as a mask; a number means a body."""
    if isinstance(key, str) and key not in model.names["body"] and key in model.names["geom"]:
        chosen: np.ndarray = np.arange(model.ngeom) == object_id(model, "geom", key)
        return chosen
    body = object_id(model, "body", key)
    inside = np.arange(model.nbody) == body
    if subtree:
        for b in range(body + 1, model.nbody):
            inside[b] |= inside[model.body_parentid[b]]
    found: np.ndarray = inside[model.geom_bodyid]
    return found
