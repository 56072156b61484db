"""Files to specs: XML with line numbers, the grammar as tables, default classes, includes."""

from __future__ import annotations

from cortenforge.read.document import read_mjcf

__all__ = ["read_mjcf"]
