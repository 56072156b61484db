"""The description of a model between its file and its compiled arrays."""

from __future__ import annotations

from cortenforge.spec.element import Element, Value
from cortenforge.spec.spec import Spec

__all__ = ["Element", "Spec", "Value"]
