"""Flags of instances and kinds of texture mapping, as kernels and Python both know them."""

from __future__ import annotations

#: bits of the column `flags` of an instance table
CASTS = 1  # drawn in shadow maps
BOTH_SIDES = 2  # no back-face culling
IS_PLANE = 4
CLOSED = 8  # a closed surface: it has an inside
UNLIT = 16  # its colour does not depend on lights
#: texture mapping: by texture coordinates, projected along z, or as a cube map around the shape
BY_COORDINATES, FROM_ABOVE, AROUND = 1, 2, 3
