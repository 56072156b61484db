"""The index of compiled units (`unit_index`) as a file of the cache."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.language.reach import Reach
from cortenforge.kernel.load.cache import INDEX, read_cached, toolchain, write_cached
from cortenforge.kernel.load.unit_index import ModelReading, UnitIndex, structs_digest


class KeptIndex:
    """The index of a linker, stored in the cache; a damaged or missing file is replaced."""

    def __init__(self, structs: tuple[StructLayout, ...], home: str) -> None:
        digest = hashlib.sha256(toolchain() + f"{home} {structs_digest(structs)}".encode())
        self._name = digest.hexdigest() + INDEX
        self._index = UnitIndex(structs)
        try:
            kept = read_cached(self._name)
            if kept is not None:
                self._index = UnitIndex(structs, json.loads(kept))
        except (ValueError, TypeError, KeyError):
            pass

    def digest(self, unit: Kernel) -> str:
        """Digest of a unit, from which its key in the cache follows."""
        return self._index.digest(unit)

    def reached(
        self, unit: Kernel, model: Any, follow: Callable[[list[Kernel], Any], Reach]
    ) -> tuple[list[Kernel], list[Kernel]]:
        """Units that a unit reaches with a model: (for all worlds, for one world among others).

        follow: finds them in the sources, where the index has no valid entry.
        """
        known = self._index.reached(unit, model)
        if known is not None:
            return known
        reading = None if model is None else ModelReading(model)
        reach = follow([unit], reading)
        found = reach.found(alone=False), reach.found(alone=True)
        self._index.add_reach(unit, model, reading.asked if reading else set(), *found)
        return found

    def keep(self) -> None:
        """Write the file if entries were added.

        Entries that another process wrote in the meantime are lost, and computed again when needed.
        """
        if self._index.changed:
            self._index.changed = False
            # a folder that cannot be written is reported where compiled code is written
            write_cached(self._name, json.dumps(self._index.content()).encode())
