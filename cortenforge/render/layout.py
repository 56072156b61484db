"""What a picture is made of, as kernels see it: shapes and textures, and the things of one frame.

A *thing* is a shape with a place, a scale and a colour, as mjvGeom is. A *view* is a way to look at
all things: that of the picture, that of a mirror in it, and one for each light that casts shadows.
"""

from __future__ import annotations

from cortenforge.kernel.language.layout import StructLayout

#: halvings of the largest texture: one of 32768 pixels a side
LEVELS = 16

SHAPES = StructLayout(
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
        ("tex_level", "int", (LEVELS,), False),  # first texel of each level
        ("tex_sides", "int", (), False),  # 6 where sides of a cube differ, or 1
    ],
    constant=True,
)
FRAME = StructLayout(
    "Frame",
    [
        ("nthing", "size", (), True),
        ("room", "size", (), True),  # things that there is room for: how far views are apart
        ("nlight", "size", (), True),
        ("nclear", "size", (), True),  # how many things are transparent
        ("width", "size", (), True),
        ("height", "size", (), True),
        ("samples", "size", (), True),  # rows of samples that a row of pixels has
        ("mirror", "size", (), True),  # thing that mirrors, or -1
        ("sky", "size", (), True),  # texture of the sky, or -1
        ("hazy", "size", (), True),  # whether the horizon of a plane is
        ("foggy", "size", (), True),
        ("additive", "size", (), True),  # whether transparent things add their light
        # things
        ("thing_shape", "int", (), False),
        ("thing_turn", "mat3", (), False),  # takes normals of the shape to the world
        ("thing_rgb", "vec3", (), False),
        ("thing_gloss", "vec3", (), False),  # emission, specular, exponent of highlights
        ("thing_edge", "real", (), False),  # square of the cosine at which highlights end
        ("thing_alpha", "real", (), False),
        ("thing_texture", "int", (2,), False),  # texture or -1, and how it is laid on
        ("thing_texscale", "vec3", (), False),
        ("thing_flags", "int", (), False),  # bits of FLAGS
        ("clear", "int", (), False),  # transparent things, farthest first
        # things in views: view times room plus thing
        ("to_view", "mat3", (), False),
        ("at_view", "vec3", (), False),
        ("ray_from", "mat3", (), False),
        ("ray_way", "mat3", (), False),
        ("is_seen", "int", (), False),
        ("row_span", "int", (2,), False),  # first and last rows of samples that it may show in
        ("number", "int", (), False),  # of its first triangle in a view
        # views
        ("view_from", "mat3", (), False),
        ("view_way", "mat3", (), False),
        ("view_size", "int", (2,), False),  # columns, rows of samples
        ("view_rows", "int", (2,), False),  # first and last rows of samples to draw, of this part
        ("view_samples", "int", (), False),
        ("view_start", "int", (), False),  # first row, among those of pictures or of maps
        ("view_kind", "int", (), False),  # bits of VIEWS
        ("view_range", "real", (2,), False),  # nearest and farthest that is seen
        ("view_scale", "real", (), False),  # of nearness in a map of shadows
        ("wire", "real", (), True),  # width of the edges that stand for triangles, or 0
        ("shift", "real", (), False),  # where samples of each row are between pixels
        # lights
        ("light_kind", "int", (2,), False),  # whether it shines from a point, its view or -1
        ("light_pos", "vec3", (), False),
        ("light_dir", "vec3", (), False),
        ("light_ambient", "vec3", (), False),
        ("light_diffuse", "vec3", (), False),
        ("light_specular", "vec3", (), False),
        ("light_fading", "vec3", (), False),
        ("light_cone", "vec3", (), False),  # cosine of its edge, exponent
        ("light_mat", "mat3", (), False),  # from the world to its map
        ("light_at", "vec3", (), False),
        ("light_bias", "real", (), False),  # width of a texel, in the world or at distance one
        ("ambient", "vec3", (), True),  # of no light
        # planes, mirrors and horizons, in the world
        ("plane_point", "vec3", (), True),
        ("plane_normal", "vec3", (), True),
        ("reflectance", "real", (), True),
        ("horizon_point", "vec3", (), True),
        ("horizon_normal", "vec3", (), True),
        ("sky_distance", "real", (), True),
        ("haze", "vec3", (), True),
        ("haze_shape", "vec3", (), True),  # how wide it is, and how high up it is thickest
        ("fog", "vec3", (), True),
        ("fog_range", "vec3", (), True),  # start, end
        # scratch
        ("screen_x", "real", (), False),
        ("screen_y", "real", (), False),
        ("screen_z", "real", (), False),
        ("lately", "int", (), True),  # thing that was found last
        # what is drawn
        ("near", "real", (), False),
        ("ids", "int", (), False),
        ("map", "int", (), False),  # of shadows: how near to a light the nearest surface is
        ("map_span", "int", (2,), False),  # first and last columns of its rows that were drawn in
        ("light", "vec3", (), False),  # a pixel's colour before it is rounded
        ("rgb", "byte", (), False),
        ("depth", "real", (), False),
        ("owner", "int", (), False),  # thing that each pixel shows
    ],
    constant=False,
)

#: view_kind
PARALLEL = 1  # rays are, as those of the sun
MIRRORED = 2
SHADOW = 4
#: views before those of lights: the picture, its mirror, and things that light goes through
PICTURE, MIRROR, CLEAR, FIRST_LIGHT = 0, 1, 2, 3
