"""Shading: the colour of the triangle that a sample shows, with mirror, sky, haze, fog.

A sample's ray, in the frame of the instance's shape, is start + z way; the triangle with corner
`first`, edges e1, e2 and normal n = e1 x e2 is met at

    z  = n.(first - start) / n.way,          p = start + z way
    g1 = e2 x n / n.n,  g2 = n x e1 / n.n,   b = g1.(p - first),  c = g2.(p - first)

where b and c are barycentric coordinates of the other two corners. Changes of p from one pixel to
the next, px and py, choose the mipmap level (Igehy, Tracing Ray Differentials, SIGGRAPH 1999). Fog
is linear in depth, as OpenGL's GL_LINEAR.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import cross, dot, norm, scaled_by
from cortenforge.render.layout import MIRROR_VIEW, PICTURE_VIEW, VIEW_MIRRORED, VIEW_PARALLEL
from cortenforge.render.lighting import lit_colour
from cortenforge.render.texture import mix_colours, sample_cube_map, sample_texture_2d
from cortenforge.scene.flags import MAP_CUBE, MAP_TEXCOORDS, UNLIT


@kernel
def instance_of_triangle(d, v: int, number: int):
    """Instance that a triangle of a view belongs to; the last answer is tried first."""
    first = v * d.capacity
    low = d.last_found
    last = low + 1 >= d.ninstance
    if d.first_number[first + low] <= number and (last or d.first_number[first + low + 1] > number):
        return low
    low = 0
    high = d.ninstance
    while high - low > 1:
        middle = (low + high) // 2
        if d.first_number[first + middle] <= number:
            low = middle
        else:
            high = middle
    d.last_found = low
    return low


@kernel
def triangle_corner(m, f: int, k: int):
    """Corner k of triangle f."""
    return m.vert[m.face[f, k]]


@kernel
def world_normal(d, i: int, normal):
    """Unit normal in the world of a normal of instance i's shape."""
    n = d.instance_normal_mat[i] @ normal
    square = dot(n, n)
    # normals of unscaled flat sides have length one already
    return n if abs(square - 1.0) < 1e-5 else n * (1.0 / math.sqrt(max(square, 1e-24)))


@kernel
def interpolated_normal(m, d, i: int, f: int, p, first, g1, g2):
    """Normal in the world at point p of a triangle, interpolated between its corners."""
    k = m.face_normal[f, 0]
    inside = m.normal[k]
    if m.face_normal[f, 1] != k or m.face_normal[f, 2] != k:
        b = dot(p - first, g1)
        c = dot(p - first, g2)
        inside = (
            inside * (1.0 - b - c)
            + m.normal[m.face_normal[f, 1]] * b
            + m.normal[m.face_normal[f, 2]] * c
        )
    return world_normal(d, i, inside)


@kernel
def texcoord_colour(m, d, i: int, f: int, b, c, db1, dc1, db2, dc2):
    """Texture colour by texture coordinates of the triangle's corners.

    b, c: barycentric coordinates.   db1, dc1, db2, dc2: their changes per pixel, across and down.
    """
    t = d.instance_texture[i, 0]
    i0 = m.face_texcoord[f, 0]
    i1 = m.face_texcoord[f, 1]
    i2 = m.face_texcoord[f, 2]
    u0 = m.texcoord[i0, 0]
    v0 = m.texcoord[i0, 1]
    u1 = m.texcoord[i1, 0] - u0
    v1 = m.texcoord[i1, 1] - v0
    u2 = m.texcoord[i2, 0] - u0
    v2 = m.texcoord[i2, 1] - v0
    scale = d.instance_texscale[i]
    wide = scale.x * m.tex_width[t]
    high = scale.y * m.tex_height[t]
    ux = (u1 * db1 + u2 * dc1) * wide
    vx = (v1 * db1 + v2 * dc1) * high
    uy = (u1 * db2 + u2 * dc2) * wide
    vy = (v1 * db2 + v2 * dc2) * high
    spread = max(ux * ux + vx * vx, uy * uy + vy * vy)
    u = (u0 + u1 * b + u2 * c) * scale.x + scale.z
    v = (v0 + v1 * b + v2 * c) * scale.y + scale.z
    return sample_texture_2d(m, t, u, v, spread)


@kernel
def texture_colour(m, d, i: int, f: int, p, px, py, first, g1, g2):
    """Texture colour at point p of a triangle, in the frame of the instance's shape.

    px, py: changes of p per pixel, across and down, on the triangle's plane.
    g1, g2: gradients of the barycentric coordinates.
    """
    t = d.instance_texture[i, 0]
    kind = d.instance_texture[i, 1]
    scale = d.instance_texscale[i]
    if kind == MAP_TEXCOORDS:
        b = dot(p - first, g1)
        c = dot(p - first, g2)
        return texcoord_colour(m, d, i, f, b, c, dot(px, g1), dot(px, g2), dot(py, g1), dot(py, g2))
    px = scaled_by(px, scale)
    py = scaled_by(py, scale)
    if kind == MAP_CUBE:
        spread = max(dot(px, px), dot(py, py))
        return sample_cube_map(m, t, scaled_by(p, scale), spread)
    wide = 0.5 * m.tex_width[t]
    high = 0.5 * m.tex_height[t]
    across = px.x * px.x * wide * wide + px.y * px.y * high * high
    down = py.x * py.x * wide * wide + py.y * py.y * high * high
    u = 0.5 * p.x * scale.x - 0.5
    v = -0.5 * p.y * scale.y - 0.5
    return sample_texture_2d(m, t, u, v, max(across, down))


@kernel
def shade_surface(m, d, v: int, i: int, number: int, x, y):
    """Shade a triangle of instance i at column x, row y.

    number: of the triangle, in its instance.   Returns (colour, depth, point in the world).
    """
    at = v * d.capacity + i
    f = number + m.shape_face[d.instance_shape[i], 0]
    pixel = vec3(x, y, 1.0)
    start = d.ray_from[at] @ pixel
    way = d.ray_dir[at] @ pixel
    first = triangle_corner(m, f, 0)
    e1 = triangle_corner(m, f, 1) - first
    e2 = triangle_corner(m, f, 2) - first
    n = cross(e1, e2)
    slant = 1.0 / dot(n, way)
    z = dot(n, first - start) * slant
    p = start + way * z
    scale = 1.0 / dot(n, n)
    g1 = cross(e2, n) * scale
    g2 = cross(n, e1) * scale
    rgb = d.instance_rgb[i]
    gloss = d.instance_gloss[i]
    mirrored = d.view_kind[v] & VIEW_MIRRORED != 0
    if mirrored:
        rgb = rgb * d.reflectance
    normal = interpolated_normal(m, d, i, f, p, first, g1, g2)
    seen = d.view_dir[v] @ pixel
    point = d.view_from[v] @ pixel + seen * z
    if d.view_kind[v] & VIEW_PARALLEL != 0:
        # highlights are those seen from the camera's place: OpenGL's local viewer, as in MuJoCo
        seen = point - d.view_eye[v]
    seen = seen * (-1.0 / max(norm(seen), 1e-12))
    shadows = 1
    if mirrored or d.instance_alpha[i] < 1.0:
        shadows = 0
    out = normal
    if shadows != 0 and m.face_normal[f, 0] != m.face_normal[f, 1]:
        out = world_normal(d, i, n)
    colour = rgb
    if d.instance_flags[i] & UNLIT == 0:
        colour = lit_colour(
            d, point, normal, out, seen, rgb, gloss, d.instance_highlight_end[i], shadows
        )
    if d.instance_texture[i, 0] >= 0:
        # ray differentials, projected on the triangle's plane along the ray
        ways = d.ray_dir[at]
        froms = d.ray_from[at]
        rx = vec3(ways.xx, ways.yx, ways.zx) * z + vec3(froms.xx, froms.yx, froms.zx)
        ry = vec3(ways.xy, ways.yy, ways.zy) * z + vec3(froms.xy, froms.yy, froms.zy)
        px = rx - way * (dot(n, rx) * slant)
        py = ry - way * (dot(n, ry) * slant)
        colour = scaled_by(colour, texture_colour(m, d, i, f, p, px, py, first, g1, g2))
    return colour, z, point


@kernel
def haze_share_and_distance(d, way):
    """Haze in a direction.  Returns (share of haze in the colour, its distance).

    Haze is a conical surface from the plane up to the eye's height at the distance of the sky.
    """
    up = dot(way, d.horizon_normal)
    level = way - d.horizon_normal * up
    flat = max(norm(level), 1e-12)
    eye = dot(d.view_from[PICTURE_VIEW] @ vec3(0.0, 0.0, 1.0) - d.horizon_point, d.horizon_normal)
    steep = -up / flat * d.sky_distance / max(eye, 1e-9)
    if steep <= 0.0 or eye <= 0.0:
        return 0.0, 0.0
    r = d.haze_shape.x
    turn = d.haze_shape.y
    below = steep / (1.0 + steep * r)
    if below >= 1.0:
        return 0.0, 0.0
    height = 1.0 - below
    share = height / turn if height < turn else (1.0 - height) / (1.0 - turn)
    return share, (1.0 - r * below) * d.sky_distance / flat


@kernel
def sky_colour(m, d, way):
    """Colour of the sky in a direction."""
    # the cube map's vertical axis is y
    return sample_cube_map(m, d.sky, vec3(way.x, way.z, -way.y), 0.0)


@kernel
def is_beyond_sky(d, way, z):
    """Whether a point is outside of the cylinder on which the sky is painted."""
    x = way.x * z
    y = way.y * z
    far = d.sky_distance
    return x * x + y * y > far * far or abs(way.z * z) > far


@kernel
def sample_colour(m, d, at: int, x, y, twice: int):
    """Colour of a sample, with reflection (if `twice`), fog, sky and haze."""
    number = d.triangle_ids[at]
    colour = vec3(0.0, 0.0, 0.0)
    z = d.view_range[PICTURE_VIEW, 1]
    if number >= 0:
        i = instance_of_triangle(d, PICTURE_VIEW, number)
        own = number - d.first_number[PICTURE_VIEW * d.capacity + i]
        colour, z, point = shade_surface(m, d, PICTURE_VIEW, i, own, x, y)
        if twice != 0 and i == d.mirror:
            colour = colour + mirror_colour(m, d, at, x, y, point)
    if d.has_fog != 0 and number >= 0:
        share = (z - d.fog_range.x) / max(d.fog_range.y - d.fog_range.x, 1e-12)
        colour = mix_colours(colour, d.fog, min(max(share, 0.0), 1.0))
    if d.sky >= 0:
        way = d.view_dir[PICTURE_VIEW] @ vec3(x, y, 1.0)
        if number < 0 or is_beyond_sky(d, way, z):
            colour = sky_colour(m, d, way)
            z = 1e30
        nearest = (1.0 - d.haze_shape.x) * d.sky_distance
        if d.has_haze != 0 and z * z * dot(way, way) > nearest * nearest:
            share, far = haze_share_and_distance(d, way)
            if share > 0.0 and far < z:
                colour = mix_colours(colour, d.haze, share)
    return colour


@kernel
def mirror_colour(m, d, at: int, x, y, point):
    """Reflected colour at a sample; a box reflects on its upper side only."""
    lifted = dot(point - d.plane_point, d.plane_normal)
    number = d.triangle_ids[d.view_start[MIRROR_VIEW] * d.width + at]
    if number < 0 or abs(lifted) > 1e-4 * (1.0 + abs(dot(d.plane_point, d.plane_normal))):
        return vec3(0.0, 0.0, 0.0)
    kept = d.last_found
    i = instance_of_triangle(d, MIRROR_VIEW, number)
    d.last_found = kept
    own = number - d.first_number[MIRROR_VIEW * d.capacity + i]
    colour, _z, behind = shade_surface(m, d, MIRROR_VIEW, i, own, x, y)
    if dot(behind - d.plane_point, d.plane_normal) < 0.0:
        return vec3(0.0, 0.0, 0.0)
    return colour


@kernel
def shows_same_triangle(d, at: int, other: int, twice: int):
    """Whether two samples show the same triangle; with `twice`, in the mirror, too."""
    if d.triangle_ids[at] != d.triangle_ids[other]:
        return False
    if twice == 0:
        return True
    mirrored = d.view_start[MIRROR_VIEW] * d.width
    return d.triangle_ids[mirrored + at] == d.triangle_ids[mirrored + other]


@kernel
def is_uniform_pixel(d, first: int, n: int, twice: int):
    """Whether all n samples of a pixel show the same triangle, as in most pixels."""
    k = 1
    while k < n and shows_same_triangle(d, first, first + k * d.width, twice):
        k += 1
    return k == n


@kernel
def resolve_pixel(m, d, row: int, column: int):
    """Mean colour of a pixel's samples; each triangle among them is shaded once."""
    n = d.samples
    first = row * n * d.width + column
    twice = 0
    if (
        d.mirror >= 0
        and row * n >= d.view_rows[MIRROR_VIEW, 0]
        and row * n < d.view_rows[MIRROR_VIEW, 1]
    ):
        twice = 1
    if is_uniform_pixel(d, first, n, twice):
        return sample_colour(m, d, first, column + 0.5, row + 0.5, twice)
    colour = vec3(0.0, 0.0, 0.0)
    for s in range(n):
        at = first + s * d.width
        count = 0
        for k in range(n):
            if shows_same_triangle(d, at, first + k * d.width, twice):
                # shaded with an earlier one
                if k < s:
                    break
                count += 1
        if count > 0:
            y = row + (s + 0.5) / n
            one = sample_colour(m, d, at, column + d.shift[s], y, twice)
            colour = colour + one * ((1.0 * count) / n)
    return colour


@kernel
def write_pixel(d, k: int, colour):
    """Write pixel k as bytes."""
    d.rgb[3 * k] = math.floor(255.0 * min(max(colour.x, 0.0), 1.0) + 0.5)
    d.rgb[3 * k + 1] = math.floor(255.0 * min(max(colour.y, 0.0), 1.0) + 0.5)
    d.rgb[3 * k + 2] = math.floor(255.0 * min(max(colour.z, 0.0), 1.0) + 0.5)


@kernel(unit=True)
def shade_rows(m, d):
    """Shade the pixels of a part; kept as reals where transparent instances are still to come."""
    d.last_found = 0
    for row in range(
        d.view_rows[PICTURE_VIEW, 0] // d.samples, d.view_rows[PICTURE_VIEW, 1] // d.samples
    ):
        for column in range(d.width):
            k = row * d.width + column
            colour = resolve_pixel(m, d, row, column)
            if d.ntransparent > 0:
                d.colour[k] = colour
            else:
                write_pixel(d, k, colour)
