"""Files to specs: XML with line numbers, the grammar as tables, default classes, includes."""

from __future__ import annotations

from cortenforge.read.document import is_urdf, read_mjcf
from cortenforge.read.urdf import in_urdf, raising_urdf_errors, read_urdf

__all__ = ["in_urdf", "is_urdf", "raising_urdf_errors", "read_mjcf", "read_urdf"]
