"""A description as MJCF."""

from __future__ import annotations

from cortenforge.write.document import to_xml

__all__ = ["to_xml"]
