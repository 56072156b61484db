"""URDF to a spec: the same elements that MJCF has, so that one compiler serves both."""

from __future__ import annotations

from cortenforge.read.urdf.document import in_urdf, raising_urdf_errors, read_urdf

__all__ = ["in_urdf", "raising_urdf_errors", "read_urdf"]
