"""Flags of what is drawn, and how a texture is mapped on it: numbers that kernels know as well."""

from __future__ import annotations

#: bits of `flags` of a row of a table of instances
CASTS = 1  # it casts a shadow
BOTH_SIDES = 2  # triangles are seen from behind, too
IS_PLANE = 4
CLOSED = 8  # a closed surface: it has an inside
UNLIT = 16  # it has its colour wherever lights are
#: texture mapping: by texture coordinates, projected along z, or as a cube map around the shape
BY_COORDINATES, FROM_ABOVE, AROUND = 1, 2, 3
