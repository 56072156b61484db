"""The description of a model between its file and its compiled arrays."""

from __future__ import annotations

from cortenforge.grammar.rule import Value
from cortenforge.spec.element import Element
from cortenforge.spec.spec import Spec

__all__ = ["Element", "Spec", "Value"]
