"""Names by which compiled code is found, and by which it finds other code."""

from __future__ import annotations

from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.layout import StructLayout

CODE = ".code"


def function_name(unit: Kernel) -> str:
    """Name of a unit's function in its object file."""
    return unit.symbol + CODE


def slot_name(unit: Kernel, model: StructLayout, data: StructLayout) -> str:
    """Name of the word that holds a unit's address; each target has its own."""
    return f"{unit.symbol}{slot_ending(model, data)}"


def slot_ending(model: StructLayout, data: StructLayout) -> str:
    """How the names of all slots of two structs end."""
    return f".{model.name}.{data.name}"


def unit_of_symbol(symbol: str) -> str:
    """Name of the unit with a symbol (see `Kernel.symbol`)."""
    module, _, function = symbol.removeprefix("cortenforge.").rpartition(".")
    return f"{module}:{function}"
