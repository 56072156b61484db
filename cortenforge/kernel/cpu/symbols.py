"""Names by which compiled code is found, and by which it finds other code."""

from __future__ import annotations

from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.layout import StructLayout

CODE = ".code"


def function_name(unit: Kernel) -> str:
    """Name of a unit's function in its object file."""
    return unit.symbol + CODE


def slot_name(unit: Kernel, data: StructLayout) -> str:
    """Name of the word that holds a unit's address, for worlds of a data struct."""
    return f"{unit.symbol}{slot_ending(data)}"


def slot_ending(data: StructLayout) -> str:
    """How the names of all slots of a linker end: units of one world of a group have their own.

    Names of structs are left out, so that structs that share the fields of a unit share its code.
    """
    return ".world" if data.is_of_group else ".all"


def unit_of_symbol(symbol: str) -> str:
    """Name of the unit with a symbol (see `Kernel.symbol`)."""
    module, _, function = symbol.removeprefix("cortenforge.").rpartition(".")
    return f"{module}:{function}"
