"""Model fields of assets: height fields, textures, materials, paths of their files."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

ASSET_SIZES: dict[str, str] = {
    "nhfield": "height fields",
    "nhfielddata": "elevations in all height fields",
    "ntex": "textures",
    "ntexdata": "bytes in all textures",
    "nmat": "materials",
    "npaths": "characters in all paths, with final zeros",
}

ASSET: tuple[Field, ...] = (
    *table(
        "hfield",
        "model",
        """
        hfield_size    | real shared | nhfield 4   | m | Half sizes along x and y, highest elevation, thickness of the base.
        hfield_nrow    | int         | nhfield     |   | Number of rows, along y.
        hfield_ncol    | int         | nhfield     |   | Number of columns, along x.
        hfield_adr     | int         | nhfield     |   | Address of its elevations.
        hfield_data    | single read | nhfielddata |   | Elevations between 0 and 1, row by row.
        hfield_pathadr | int         | nhfield     |   | Address of the path of its file, or -1.
        """,
    ),
    *table(
        "texture",
        "model",
        """
        tex_type           | int  | ntex     |  | 0 2d, 1 cube, 2 skybox.
        tex_colorspace     | int  | ntex     |  | 0 not known, 1 linear, 2 sRGB.
        tex_height         | int  | ntex     |  | Rows; the sides of a cube are below one another.
        tex_width          | int  | ntex     |  | Columns.
        tex_nchannel       | int  | ntex     |  | Bytes a pixel.
        tex_adr            | wide | ntex     |  | Address of its pixels; -1 if only the path is stored.
        tex_data           | byte editable | ntexdata |  | Pixels of all textures.
        tex_pathadr        | int  | ntex     |  | Address of the path of its file, or -1.
        tex_contenttypeadr | int  | ntex     |  | Address of its media type in paths, or -1.
        """,
    ),
    *table(
        "material",
        "model",
        """
        mat_texid       | int editable at:ntex | nmat 10 |  | Texture of each role, or -1.
        mat_texuniform  | byte editable | nmat    |  | Whether a texture has the same scale everywhere.
        mat_texrepeat   | single | nmat 2  |  | Number of repetitions of a 2d texture.
        mat_emission    | single | nmat    |  | Emission coefficient.
        mat_specular    | single | nmat    |  | Specular coefficient.
        mat_shininess   | single | nmat    |  | Shininess coefficient.
        mat_reflectance | single | nmat    |  | Reflectance.
        mat_metallic    | single | nmat    |  | Metallic coefficient, or -1.
        mat_roughness   | single | nmat    |  | Roughness coefficient, or -1.
        mat_rgba        | single read | nmat 4  |  | Colour.
        """,
    ),
    *table(
        "path",
        "model",
        """
        paths | byte | npaths |  | Paths of files, each terminated by a zero.
        """,
    ),
)

#: where files were found, which says nothing about the model
PLACES = frozenset(
    {"hfield_pathadr", "mesh_pathadr", "skin_pathadr", "tex_pathadr", "tex_contenttypeadr", "paths"}
)
