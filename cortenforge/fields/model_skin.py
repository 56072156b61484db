"""Model fields of skins."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

SKIN_SIZES: dict[str, str] = {
    "nskin": "skins",
    "nskinvert": "vertices of all skins",
    "nskintexvert": "vertices of skins with texture coordinates",
    "nskinface": "triangles of all skins",
    "nskinbone": "bones of all skins",
    "nskinbonevert": "vertices of all bones",
}

SKIN: tuple[Field, ...] = table(
    "skin",
    "model",
    """
    skin_matid          | int editable at:nmat | nskin          |   | Material, or -1.
    skin_group          | int editable | nskin          |   | Group, for showing and hiding.
    skin_rgba           | single | nskin 4        |   | Colour.
    skin_inflate        | single | nskin          | m | How far vertices are moved along their normals.
    skin_vertadr        | int    | nskin          |   | First vertex.
    skin_vertnum        | int    | nskin          |   | How many vertices.
    skin_texcoordadr    | int    | nskin          |   | First texture coordinate, or -1.
    skin_faceadr        | int    | nskin          |   | First triangle.
    skin_facenum        | int    | nskin          |   | How many triangles.
    skin_boneadr        | int    | nskin          |   | First bone.
    skin_bonenum        | int    | nskin          |   | How many bones.
    skin_vert           | single | nskinvert 3    | m | Vertices in the world when the skin was bound.
    skin_texcoord       | single | nskintexvert 2 |   | Texture coordinates.
    skin_face           | int    | nskinface 3    |   | Vertices of triangles, counted within the skin.
    skin_bonevertadr    | int    | nskinbone      |   | First vertex of a bone.
    skin_bonevertnum    | int    | nskinbone      |   | How many vertices a bone moves.
    skin_bonebindpos    | single | nskinbone 3    | m | Where a bone was bound.
    skin_bonebindquat   | single | nskinbone 4    |   | How a bone was turned when bound.
    skin_bonebodyid     | int    | nskinbone      |   | Body that a bone is.
    skin_bonevertid     | int    | nskinbonevert  |   | Vertices of bones, counted within the skin.
    skin_bonevertweight | single | nskinbonevert  |   | Weights; those of a vertex add up to 1.
    skin_pathadr        | int    | nskin          |   | Where the path of its file starts, or -1.
    """,
)
