"""Structs of the rasteriser's kernels: shapes and textures (`m`), and the frame (`d`).

An *instance* is a shape with a pose, a scale and a colour, as mjvGeom is. A *view* is a projection
of all instances: the picture's, that of a mirror in it, and one for each light with a shadow map.
"""

from __future__ import annotations

from cortenforge.kernel.language.layout import StructLayout

#: mipmap levels of the largest texture: 32768 texels a side
MIP_LEVELS = 16

SHAPES_LAYOUT = StructLayout(
    "Shapes",
    [
        ("vert", "vec3", (), False),
        ("normal", "vec3", (), False),
        ("texcoord", "real", (2,), False),
        ("face", "int", (3,), False),  # vertices of triangles, among all
        ("face_normal", "int", (3,), False),
        ("face_texcoord", "int", (3,), False),
        ("shape_face", "int", (2,), False),  # first triangle, how many
        ("shape_vert", "int", (2,), False),
        ("texel", "byte", (), False),  # red, green and blue of all levels of all textures
        ("tex_width", "int", (), False),
        ("tex_height", "int", (), False),
        ("tex_levels", "int", (), False),
        ("tex_level", "int", (MIP_LEVELS,), False),  # first texel of each level
        ("tex_sides", "int", (), False),  # 6 where sides of a cube differ, or 1
    ],
    constant=True,
)
FRAME_LAYOUT = StructLayout(
    "Frame",
    [
        ("ninstance", "size", (), True),
        ("capacity", "size", (), True),  # capacity of instances: stride between views
        ("nlight", "size", (), True),
        ("ntransparent", "size", (), True),  # transparent instances
        ("width", "size", (), True),
        ("height", "size", (), True),
        ("samples", "size", (), True),  # rows of samples in a row of pixels
        ("mirror", "size", (), True),  # instance that is a mirror, or -1
        ("sky", "size", (), True),  # texture of the sky, or -1
        ("has_haze", "size", (), True),  # whether the horizon of an infinite plane has haze
        ("has_fog", "size", (), True),
        ("additive", "size", (), True),  # whether transparent instances add their light
        # instances
        ("instance_shape", "int", (), False),
        ("instance_normal_mat", "mat3", (), False),  # takes normals of the shape to the world
        ("instance_rgb", "vec3", (), False),
        ("instance_gloss", "vec3", (), False),  # emission, specular, exponent of highlights
        (
            "instance_highlight_end",
            "real",
            (),
            False,
        ),  # squared cosine below which highlights are invisible
        ("instance_alpha", "real", (), False),
        ("instance_texture", "int", (2,), False),  # texture or -1, and its mapping
        ("instance_texscale", "vec3", (), False),
        ("instance_flags", "int", (), False),  # bits of FLAGS
        ("transparent", "int", (), False),  # transparent instances, farthest first
        # instances in views, at index view * capacity + instance
        # to_view, at_view: from the shape to (column * z, row * z, z), or (column, row, z) where
        # rays are parallel
        # ray_from, ray_way: from (column, row, 1) to a ray's origin and direction, in the shape's
        # frame
        ("to_view", "mat3", (), False),
        ("at_view", "vec3", (), False),
        ("ray_from", "mat3", (), False),
        ("ray_dir", "mat3", (), False),
        ("is_seen", "int", (), False),
        ("row_span", "int", (2,), False),  # first and last rows of samples that it may cover
        ("first_number", "int", (), False),  # index of its first triangle in a view
        # views
        ("view_from", "mat3", (), False),
        ("view_dir", "mat3", (), False),
        ("view_eye", "vec3", (), False),
        ("view_size", "int", (2,), False),  # columns, rows of samples
        ("view_rows", "int", (2,), False),  # first and last rows of samples that this part draws
        ("view_samples", "int", (), False),
        ("view_start", "int", (), False),  # first row in the buffer of pictures or of shadow maps
        ("view_kind", "int", (), False),  # bits of VIEWS
        ("view_range", "real", (2,), False),  # near and far clipping distances
        ("view_scale", "real", (), False),  # integers of a shadow map over depth values
        ("wire", "real", (), True),  # width of wireframe edges in pixels, or 0
        ("shift", "real", (), False),  # horizontal offset of each row of samples in its pixel
        # lights
        ("light_kind", "int", (2,), False),  # whether it is a spot light; its view or -1
        ("light_pos", "vec3", (), False),
        ("light_dir", "vec3", (), False),
        ("light_ambient", "vec3", (), False),
        ("light_diffuse", "vec3", (), False),
        ("light_specular", "vec3", (), False),
        ("light_attenuation", "vec3", (), False),
        ("light_cone", "vec3", (), False),  # cosine of the cutoff angle, exponent
        ("light_mat", "mat3", (), False),  # from the world to its shadow map
        ("light_at", "vec3", (), False),
        ("light_bias", "real", (), False),  # width of a texel, in the world or at distance one
        ("ambient", "vec3", (), True),  # ambient light of the scene
        # planes, mirrors and horizons, in the world
        ("plane_point", "vec3", (), True),
        ("plane_normal", "vec3", (), True),
        ("reflectance", "real", (), True),
        ("horizon_point", "vec3", (), True),
        ("horizon_normal", "vec3", (), True),
        ("sky_distance", "real", (), True),
        ("haze", "vec3", (), True),
        ("haze_shape", "vec3", (), True),  # slope; height of the thickest haze
        ("fog", "vec3", (), True),
        ("fog_range", "vec3", (), True),  # start, end
        # scratch
        ("screen_x", "real", (), False),
        ("screen_y", "real", (), False),
        ("screen_z", "real", (), False),
        ("last_found", "int", (), True),  # instance found by the last search
        # what is drawn
        ("depth_buffer", "real", (), False),
        ("triangle_ids", "int", (), False),
        (
            "shadow_map",
            "int",
            (),
            False,
        ),  # shadow maps: scaled depth of the surface nearest to the light
        (
            "shadow_map_span",
            "int",
            (2,),
            False,
        ),  # columns of each row of a shadow map that were drawn in
        ("colour", "vec3", (), False),  # colour of each pixel before it is rounded to bytes
        ("rgb", "byte", (), False),
        ("depth", "real", (), False),
        ("pixel_instance", "int", (), False),  # instance that each pixel shows, or -1
    ],
    constant=False,
)

#: view_kind
VIEW_PARALLEL = 1  # rays are parallel: orthographic camera, directional light
VIEW_MIRRORED = 2
VIEW_SHADOW = 4
#: views before those of lights: the picture, its mirror, and transparent instances one at a time
PICTURE_VIEW, MIRROR_VIEW, TRANSPARENT_VIEW, FIRST_LIGHT_VIEW = 0, 1, 2, 3
