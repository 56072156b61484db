"""Which fields of Data are `(n, ...)` arrays of a batch, and errors for those that are not."""

from __future__ import annotations

from typing import Any

from cortenforge.errors import ShapeError, UnknownAttribute
from cortenforge.fields import Field, bindable
from cortenforge.step.engine import Engine
from cortenforge.suggest import did_you_mean


def bindable_fields(engine: Engine) -> dict[str, Field]:
    """Fields that become arrays once they are bound."""
    return {field.name: field for field in bindable(engine.fields)}


def unbound(engine: Engine, name: str) -> UnknownAttribute:
    """The error for a field of Data that is no array of the batch."""
    if name in bindable_fields(engine):
        return UnknownAttribute(f"{name} is not bound: call batch.bind({name!r}) first")
    return UnknownAttribute(_of_one_world(name))


def not_bindable(engine: Engine, name: Any) -> ShapeError:
    """The error for what cannot become an array of the batch."""
    if isinstance(name, str) and name in engine.by_name:
        return ShapeError(_of_one_world(name))
    hint = did_you_mean(name, bindable_fields(engine)) if isinstance(name, str) else None
    return ShapeError(f"{name!r} is not a field of Data"[:300] + (f"; {hint}" if hint else ""))


def _of_one_world(name: str) -> str:
    one = f"env = batch.env(i); env.forward(); env.{name}"
    return f"{name} is available for one world at a time: {one}"
