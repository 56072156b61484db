"""Lighting of a point: OpenGL's model with Blinn's half vector, and shadow maps.

With normal n, direction to the light l, direction to the eye v, h = (l + v) / |l + v|, distance r:

    colour = emission rgb + scene_ambient rgb
           + sum of lights  spot / (a0 + a1 r + a2 r^2) *
                 (ambient rgb + max(n.l, 0) diffuse rgb + specular gloss max(n.h, 0)^exponent)
    spot   = (-l.dir)^light_exponent inside the cutoff angle, else 0

Here `gloss` of an instance is (emission, specular, exponent); attenuation (a0, a1, a2) and spot are
those of spot lights only. It is evaluated for pixels, not for vertices. A point is in shadow where
the light's shadow map holds a nearer surface.

Sources: The OpenGL Graphics System, version 1.5, section "Lighting"; Blinn, Models of Light
Reflection for Computer Synthesized Pictures (SIGGRAPH 1977); Williams, Casting Curved Shadows on
Curved Surfaces (SIGGRAPH 1978).
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import dot, norm, scaled_by
from cortenforge.render.layout import VIEW_PARALLEL


@kernel
def passes_shadow_map(d, k: int, point, out):
    """Whether light k reaches a point: its shadow map holds no nearer surface there.

    out: normal of the surface, along which the point is lifted by the shadow bias, lest a surface
         shadows itself.
    """
    v = d.light_kind[k, 1]
    wide = d.view_size[v, 0]
    to_map = d.light_mat[k]
    p = to_map @ point + d.light_at[k]
    parallel = d.view_kind[v] & VIEW_PARALLEL != 0
    p = p + (to_map @ out) * (d.light_bias[k] * (1.0 if parallel else p.z))
    if p.z <= d.view_range[v, 0]:
        return True
    x = p.x
    y = p.y
    w = d.view_range[v, 1] - p.z
    if not parallel:
        w = 1.0 / p.z
        x = p.x * w
        y = p.y * w
    if not (x >= 0.0 and x < wide and y >= 0.0 and y < wide):
        return True
    i = math.floor(x)
    line = d.view_start[v] + math.floor(y)
    # reading the map is slow (cache misses), so columns without surfaces are skipped
    if i < d.shadow_map_span[line, 0] or i >= d.shadow_map_span[line, 1]:
        return True
    return d.shadow_map[line * wide + i] <= w * d.view_scale[v]


@kernel
def power_by_squaring(x, n):
    """x to the power n; by repeated squaring where n is an integer, as most exponents are."""
    k = math.floor(n)
    if k != n:
        return math.pow(x, n)
    product = 1.0
    while k > 0:
        if k & 1 != 0:
            product = product * x
        x = x * x
        k = k >> 1
    return product


@kernel
def specular_highlight(normal, way, seen, gloss, edge):
    """Specular factor gloss.y max(n.h, 0)^gloss.z; `way` and `seen` point to light and eye."""
    half = way + seen
    along = dot(normal, half)
    square = dot(half, half)
    if along <= 0.0 or along * along <= edge * square:
        return 0.0
    return gloss.y * power_by_squaring(along / math.sqrt(square), gloss.z)


@kernel
def spot_cone_factor(d, k: int, way):
    """Spot factor of light k for the unit direction `way` from the point to the light."""
    inside = -dot(way, d.light_dir[k])
    if inside < d.light_cone[k].x:
        return 0.0
    exponent = d.light_cone[k].y
    return power_by_squaring(inside, exponent) if inside > 0.0 else 1.0


@kernel
def light_contribution(d, k: int, point, normal, out, seen, rgb, gloss, edge, shadows: int):
    """Contribution of light k to the colour of a point; with `shadows`, zero in its shadow."""
    way = -d.light_dir[k]
    strength = 1.0
    if d.light_kind[k, 0] != 0:
        way = d.light_pos[k] - point
        far = max(norm(way), 1e-12)
        way = way * (1.0 / far)
        attenuation = d.light_attenuation[k]
        strength = spot_cone_factor(d, k, way)
        if attenuation.x != 1.0 or attenuation.y != 0.0 or attenuation.z != 0.0:
            strength = strength / (attenuation.x + far * (attenuation.y + far * attenuation.z))
    facing = dot(normal, way)
    if strength <= 0.0:
        return vec3(0.0, 0.0, 0.0)
    # a surface that faces away from the light shadows itself
    if shadows != 0 and (facing <= 0.0 or not passes_shadow_map(d, k, point, out)):
        return vec3(0.0, 0.0, 0.0)
    added = scaled_by(d.light_ambient[k], rgb)
    if facing > 0.0:
        added = added + scaled_by(d.light_diffuse[k], rgb) * facing
        shine = specular_highlight(normal, way, seen, gloss, edge)
        if shine > 0.0:
            added = added + d.light_specular[k] * shine
    added = added * strength
    return added if shadows == 0 else clamped_to_white(added)


@kernel
def clamped_to_white(rgb):
    """A colour with each channel at most 1."""
    return vec3(min(rgb.x, 1.0), min(rgb.y, 1.0), min(rgb.z, 1.0))


@kernel
def lit_colour(d, point, normal, out, seen, rgb, gloss, edge, shadows: int):
    """Colour of a point under all lights.

    normal, out: interpolated normal, and normal of the triangle.   seen: unit vector to the eye.
    As MuJoCo, lights with shadows are added to the clamped sum of the others, each clamped itself.
    """
    colour = rgb * gloss.x + scaled_by(d.ambient, rgb)
    for k in range(d.nlight):
        if shadows == 0 or d.light_kind[k, 1] < 0:
            colour = colour + light_contribution(
                d, k, point, normal, out, seen, rgb, gloss, edge, 0
            )
    colour = clamped_to_white(colour)
    if shadows != 0:
        for k in range(d.nlight):
            if d.light_kind[k, 1] >= 0:
                colour = colour + light_contribution(
                    d, k, point, normal, out, seen, rgb, gloss, edge, 1
                )
    return colour
