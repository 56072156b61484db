"""Flags of instances and kinds of texture mapping, as kernels and Python both know them."""

from __future__ import annotations

#: bits of the column `flags` of an instance table
CASTS_SHADOW = 1  # drawn in shadow maps
DOUBLE_SIDED = 2  # no back-face culling
IS_PLANE = 4
CLOSED_SURFACE = 8  # a closed surface: it has an inside
UNLIT = 16  # its colour does not depend on lights
#: texture mapping: by texture coordinates, projected along z, or as a cube map around the shape
MAP_TEXCOORDS, MAP_PLANAR, MAP_CUBE = 1, 2, 3
