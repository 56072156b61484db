"""URDF to a spec: the same elements that MJCF has, so that one compiler serves both."""

from __future__ import annotations

from cortenforge.read.urdf.document import read_urdf, speaking_urdf

__all__ = ["read_urdf", "speaking_urdf"]
