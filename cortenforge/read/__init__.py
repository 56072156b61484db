"""Files to specs: XML with line numbers, the grammar as tables, default classes, includes."""

from __future__ import annotations

from cortenforge.read.document import open_model, read_mjcf
from cortenforge.read.urdf import read_urdf, speaking_urdf
from cortenforge.read.xml import root_tag

__all__ = ["open_model", "read_mjcf", "read_urdf", "root_tag", "speaking_urdf"]
