"""Texture sampling: mipmaps with bilinear filtering in a level, linear between two levels.

    level = log2(sqrt(spread)) = ln(spread) / (2 ln 2)

where spread is the square of the number of texels that a pixel covers (Williams, Pyramidal
Parametrics, SIGGRAPH 1983). 2D textures repeat; a cube map's sides are clamped at their edges, and
are in OpenGL's order: +x, -x, +y, -y, +z, -z.
"""

from __future__ import annotations

import math

from cortenforge.kernel import floor_real, kernel, vec3

PER_BYTE = 1.0 / 255.0
#: 1 / (2 ln 2): half of a binary logarithm
HALF_LOG2_E = 0.7213475204444817


@kernel
def texel_rgb(m, start: int, place: int):
    """Colour of a texel, from 0 to 255."""
    at = start + 3 * place
    return vec3(1.0 * m.texel[at], 1.0 * m.texel[at + 1], 1.0 * m.texel[at + 2])


@kernel
def mix_colours(a, b, share):
    """Linear interpolation from colour a to colour b."""
    return a + (b - a) * share


@kernel
def sample_level_2d(m, t: int, level: int, u, v):
    """Bilinear sample of one level of a 2D texture that repeats; from 0 to 255."""
    wide = max(1, m.tex_width[t] >> level)
    high = max(1, m.tex_height[t] >> level)
    x = (u - floor_real(u)) * wide - 0.5
    y = (v - floor_real(v)) * high - 0.5
    # a non-finite coordinate gives some texel, too
    i = min(max(math.floor(x), -1), wide - 1)
    j = min(max(math.floor(y), -1), high - 1)
    # the last column is followed by the first
    i0 = i if i >= 0 else wide - 1
    i1 = i + 1 if i + 1 < wide else 0
    j0 = (j if j >= 0 else high - 1) * wide
    j1 = (j + 1 if j + 1 < high else 0) * wide
    start = m.tex_level[t, level]
    upper = mix_colours(texel_rgb(m, start, j0 + i0), texel_rgb(m, start, j0 + i1), x - i)
    lower = mix_colours(texel_rgb(m, start, j1 + i0), texel_rgb(m, start, j1 + i1), x - i)
    return mix_colours(upper, lower, y - j)


@kernel
def sample_level_cube(m, t: int, level: int, side: int, u, v):
    """Bilinear sample of one level of a cube map's side, clamped at its edges; from 0 to 255."""
    wide = max(1, m.tex_width[t] >> level)
    x = min(max(u * wide - 0.5, 0.0), wide - 1.0)
    y = min(max(v * wide - 0.5, 0.0), wide - 1.0)
    i = min(max(math.floor(x), 0), wide - 1)
    j = min(max(math.floor(y), 0), wide - 1)
    i1 = min(i + 1, wide - 1)
    j1 = min(j + 1, wide - 1) * wide
    j0 = j * wide
    start = m.tex_level[t, level]
    if m.tex_sides[t] > 1:
        start += 3 * wide * wide * side
    upper = mix_colours(texel_rgb(m, start, j0 + i), texel_rgb(m, start, j0 + i1), x - i)
    lower = mix_colours(texel_rgb(m, start, j1 + i), texel_rgb(m, start, j1 + i1), x - i)
    return mix_colours(upper, lower, y - j)


@kernel
def mipmap_level(m, t: int, spread):
    """Mipmap level, a real, of which texels are as large as pixels; `spread` as in the header."""
    # true of nan, too
    if not spread > 1.0:
        return 0.0
    level = min(HALF_LOG2_E * math.log(spread), m.tex_levels[t] - 1.0)
    whole = floor_real(level + 0.5)
    # so near to a level the other one is invisible: a single sample will do
    return whole if abs(level - whole) < 0.1 else level


@kernel
def sample_texture_2d(m, t: int, u, v, spread):
    """Colour of a 2D texture at (u, v); `spread` is the squared number of texels a pixel covers."""
    level = mipmap_level(m, t, spread)
    i = math.floor(level)
    colour = sample_level_2d(m, t, i, u, v)
    if level > i:
        colour = mix_colours(colour, sample_level_2d(m, t, i + 1, u, v), level - i)
    return colour * PER_BYTE


@kernel
def cube_side(p):
    """Where direction p meets a cube map.  Returns (side, across, down, length along its axis)."""
    x = abs(p.x)
    y = abs(p.y)
    z = abs(p.z)
    if x >= y and x >= z:
        return (0, -p.z, -p.y, x) if p.x > 0.0 else (1, p.z, -p.y, x)
    if y >= z:
        return (2, p.x, p.z, y) if p.y > 0.0 else (3, p.x, -p.z, y)
    return (4, p.x, -p.y, z) if p.z > 0.0 else (5, -p.x, -p.y, z)


@kernel
def sample_cube_map(m, t: int, p, spread):
    """Colour of a cube map in direction p; `spread` is the squared change of p per pixel."""
    side, across, down, along = cube_side(p)
    scale = 0.5 / max(along, 1e-12)
    u = across * scale + 0.5
    v = down * scale + 0.5
    size = scale * m.tex_width[t]
    level = mipmap_level(m, t, spread * size * size)
    i = math.floor(level)
    colour = sample_level_cube(m, t, i, side, u, v)
    if level > i:
        colour = mix_colours(colour, sample_level_cube(m, t, i + 1, side, u, v), level - i)
    return colour * PER_BYTE
