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
    skin_group          | int editable | nskin          |   | Group for visibility.
    skin_rgba           | single | nskin 4        |   | Colour.
    skin_inflate        | single | nskin          | m | Offset of vertices along their normals.
    skin_vertadr        | int    | nskin          |   | First vertex.
    skin_vertnum        | int    | nskin          |   | Number of vertices.
    skin_texcoordadr    | int    | nskin          |   | First texture coordinate, or -1.
    skin_faceadr        | int    | nskin          |   | First triangle.
    skin_facenum        | int    | nskin          |   | Number of triangles.
    skin_boneadr        | int    | nskin          |   | First bone.
    skin_bonenum        | int    | nskin          |   | Number of bones.
    skin_vert           | single | nskinvert 3    | m | Vertices in the bind pose.
    skin_texcoord       | single | nskintexvert 2 |   | Texture coordinates.
    skin_face           | int    | nskinface 3    |   | Vertices of triangles, counted within the skin.
    skin_bonevertadr    | int    | nskinbone      |   | First vertex of a bone.
    skin_bonevertnum    | int    | nskinbone      |   | Number of vertices of a bone.
    skin_bonebindpos    | single | nskinbone 3    | m | Position of a bone in the bind pose.
    skin_bonebindquat   | single | nskinbone 4    |   | Orientation of a bone in the bind pose.
    skin_bonebodyid     | int    | nskinbone      |   | Body of a bone.
    skin_bonevertid     | int    | nskinbonevert  |   | Vertices of bones, counted within the skin.
    skin_bonevertweight | single | nskinbonevert  |   | Weights; those of a vertex add up to 1.
    skin_pathadr        | int    | nskin          |   | Address of the path of its file, or -1.
    """,
)
