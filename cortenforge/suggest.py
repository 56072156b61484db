"""Unknown names: suggestions, and classes that refuse unknown attributes.

Python lets a program assign any attribute to most objects, so that a misspelt name is stored
without effect. Subclasses of `Declared` have the attributes that they declare and no others. For
MuJoCo's names, the error says what to write instead (`hints.py`).

Type checkers take a class with `__getattr__` or `__setattr__` to have every attribute. So these are
hidden from them, here and wherever else attributes are declared.
"""

from __future__ import annotations

import difflib
import functools
import inspect
import sys
from collections.abc import Iterable
from types import ModuleType
from typing import TYPE_CHECKING, Any

from cortenforge import hints
from cortenforge.errors import UnknownAttribute

#: as much of a word is compared
LONGEST = 60
#: looking for the closest of more words than this takes too long
MOST_CANDIDATES = 1000
#: so many known words are listed in a message
LISTED = 12


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """A hint with the known word closest to a misspelt one."""
    by_fold = {candidate.casefold(): candidate for candidate in known}
    if len(by_fold) > MOST_CANDIDATES:
        return None
    close = difflib.get_close_matches(word[:LONGEST].casefold(), by_fold, n=1, cutoff=0.6)
    return f"did you mean '{by_fold[close[0]]}'?" if close else None


def no_such(what: str, name: str, known: Iterable[str]) -> str:
    """Message for an unknown name, with a suggestion and some of the known names."""
    names = list(known)
    hint = did_you_mean(name, names)
    listed = ", ".join(names[:LISTED]) + (", ..." if len(names) > LISTED else "")
    return f"no {what} {name!r}{f'; {hint}' if hint else ''} (there are: {listed or 'none'})"


def declared_names(kind: type) -> frozenset[str]:
    """Public attributes of a class and its bases."""
    return _declared_names(kind)


@functools.cache
def _declared_names(kind: type) -> frozenset[str]:
    annotated = (inspect.get_annotations(base) for base in kind.__mro__)
    names = {*dir(kind), *(name for one in annotated for name in one)}
    return frozenset(name for name in names if not name.startswith("_"))


class Hinting(type):
    """Metaclass whose classes give hints for unknown attributes: `Model.from_xml_path`."""

    if not TYPE_CHECKING:

        def __getattr__(cls, name: str) -> Any:
            known = () if name.startswith("_") else declared_names(cls)
            raise unknown_attribute(cls.__name__, name, known)


class Declared(metaclass=Hinting):
    """Base of classes that have the attributes they declare, by a value or by an annotation."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name in declared_names(type(self)):
                # it is there: what went wrong in it is to be raised, and not that it is missing
                return object.__getattribute__(self, name)
            known = () if name.startswith("_") else self._known_names()
            raise unknown_attribute(type(self).__name__, name, known)

        def __setattr__(self, name: str, value: Any) -> None:
            if not name.startswith("_") and name not in declared_names(type(self)):
                raise unknown_attribute(type(self).__name__, name, self._known_names())
            object.__setattr__(self, name, value)

    def _known_names(self) -> Iterable[str]:
        """Names to compare a misspelt one with."""
        return declared_names(type(self))


def unknown_attribute(owner: str, name: str, known: Iterable[str]) -> UnknownAttribute:
    """The error for an attribute that an object, a class or a module does not have."""
    found = hints.hint_for(owner, name)
    hint = found.text if found else did_you_mean(name, known)
    return UnknownAttribute(f"{owner} has no attribute {name!r}{f'; {hint}' if hint else ''}")


class ClosedModule(ModuleType):
    """Module type that refuses new attributes from outside."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_") and name not in self.__dict__:
            raise unknown_attribute(self.__name__, name, self.__dict__)
        super().__setattr__(name, value)


def close_module(name: str) -> None:
    """Make a module refuse unknown names; the module calls this with its `__name__`."""
    sys.modules[name].__class__ = ClosedModule
