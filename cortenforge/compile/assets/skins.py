"""Skins: surfaces that follow bodies, kept for pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from cortenforge.compile.pack.field_arrays import (
    arrays_of_objects,
    block_addresses,
    concatenated_field,
    field_array,
)
from cortenforge.compile.pack.tree import NumberedTree
from cortenforge.compile.scale.wiring import ScaleMap
from cortenforge.errors import MjcfError
from cortenforge.spec import Element, Spec
from cortenforge.spec.asset_files import AssetFiles
from cortenforge.spec.attribute import integer, keyword, number, number_list, numbers
from cortenforge.spec.skin_files import RawSkin
from cortenforge.spec.skins import raw_skin, to_single_precision

MIN_WEIGHT = 1e-15

Arrays = dict[str, np.ndarray]
SkinIds = dict[str, int]


@dataclass
class Skin:
    """A skin whose bones are found and whose weights add up to one at each vertex."""

    element: Element
    raw: RawSkin
    path: str = ""
    matid: int = -1
    bodyids: list[int] = field(default_factory=list)
    factor: float = 1.0


def compile_skins(
    spec: Spec, tree: NumberedTree, materials: Sequence[str], places: ScaleMap, *, discard: bool
) -> list[Skin]:
    """All skins; with `discard` they have no materials any more."""
    files = AssetFiles(spec, "meshdir")
    body_ids = {body.name: i for i, body in enumerate(tree.bodies) if body.name}
    material_ids = {name: i for i, name in enumerate(materials) if name}
    skins = [_compile_skin(one, files, body_ids, material_ids, discard) for one in spec.skins]
    for skin in skins:
        _scale_skin(skin, {places.scale("body", bone.body).s for bone in skin.raw.bones})
    return skins


def _scale_skin(skin: Skin, factors: set[float]) -> None:
    """Scale a skin by the frames around its bones."""
    if len(factors) > 1:
        raise skin.element.error("its bones are in frames with different scales")
    skin.factor = factors.pop() if factors else 1.0
    if skin.factor != 1.0:
        skin.raw.vert = to_single_precision(skin.raw.vert.astype(float) * skin.factor)
        for bone in skin.raw.bones:
            bone.pos = to_single_precision(bone.pos.astype(float) * skin.factor)


def names_in_skins(spec: Spec) -> set[str]:
    """Names of the bodies that skins follow."""
    files = AssetFiles(spec, "meshdir")
    return {bone.body for element in spec.skins for bone in raw_skin(element, files).bones}


def _compile_skin(
    element: Element, files: AssetFiles, bodies: SkinIds, materials: SkinIds, discard: bool
) -> Skin:
    skin = Skin(element, raw_skin(element, files), files.path(element))
    material = keyword(element, "material")
    if material and not discard:
        if material not in materials:
            raise element.error("there is no material of this name", "material")
        skin.matid = materials[material]
    _check_skin(element, skin.raw)
    for i, bone in enumerate(skin.raw.bones):
        if bone.body not in bodies:
            raise _skin_bone_error(element, i, f"there is no body '{bone.body}'", "body")
        skin.bodyids.append(bodies[bone.body])
    _normalize_weights(element, skin.raw)
    return skin


def _check_skin(element: Element, raw: RawSkin) -> None:
    """Sizes fit together, and indices are in range."""
    for name, values, width in (("vertex", raw.vert, 3), ("face", raw.face, 3)):
        if not len(values) or len(values) % width:
            raise _skin_error(
                element, f"expected a multiple of {width} numbers, at least one", name
            )
    count = len(raw.vert) // 3
    if len(raw.texcoord) not in (0, 2 * count):
        raise _skin_error(
            element, f"expected {2 * count} numbers, not {len(raw.texcoord)}", "texcoord"
        )
    if not (np.isfinite(raw.vert).all() and np.isfinite(raw.texcoord).all()):
        raise _skin_error(element, "a vertex is not finite", "vertex")
    wrong = raw.face[(raw.face < 0) | (raw.face >= count)]
    if len(wrong):
        raise _skin_error(element, f"there is no vertex {wrong[0]}; there are {count}", "face")
    if not raw.bones:
        raise element.error("a skin needs bones")
    for i, bone in enumerate(raw.bones):
        if len(bone.vertid) != len(bone.weight) or not len(bone.vertid):
            what = f"{len(bone.weight)} weights for {len(bone.vertid)} vertices"
            raise _skin_bone_error(element, i, what, "vertweight")
        wrong = bone.vertid[(bone.vertid < 0) | (bone.vertid >= count)]
        if len(wrong):
            what = f"there is no vertex {wrong[0]}; there are {count}"
            raise _skin_bone_error(element, i, what, "vertid")
        numbers_ = np.concatenate([bone.pos, bone.quat, bone.weight])
        if not np.isfinite(numbers_).all():
            raise _skin_bone_error(element, i, "a number is not finite", "bindpos")
        if not bone.quat.any():
            raise _skin_bone_error(element, i, "a zero quaternion is no orientation", "bindquat")


def _skin_error(element: Element, message: str, attribute: str) -> MjcfError:
    """An error in a skin's attribute, or in its file."""
    if element["file"]:
        return element.error(f"{attribute}: {message}", "file")
    got = f"{len(number_list(element, attribute))} numbers"
    return MjcfError(message, element.where, attribute=attribute, got=got)


def _skin_bone_error(element: Element, i: int, message: str, attribute: str) -> MjcfError:
    if element["file"]:
        return element.error(f"bone {i}: {message}", "file")
    return MjcfError(message, element.children[i].where, attribute=attribute)


def _normalize_weights(element: Element, raw: RawSkin) -> None:
    """Make weights of each vertex add up to one, in single precision like MuJoCo."""
    total = np.zeros(len(raw.vert) // 3, np.float32)
    for bone in raw.bones:
        np.add.at(total, bone.vertid, bone.weight)
    bare = np.flatnonzero(~(total > MIN_WEIGHT))
    if len(bare):
        raise _skin_error(element, f"the weights of vertex {bare[0]} are not positive", "vertex")
    for bone in raw.bones:
        bone.weight = bone.weight / total[bone.vertid]
        bone.quat = (bone.quat / np.linalg.norm(bone.quat.astype(float))).astype(np.float32)


def skin_arrays(skins: list[Skin]) -> tuple[Arrays, dict[str, int]]:
    """Arrays and sizes of skins."""
    bones = [bone for skin in skins for bone in skin.raw.bones]
    verts = [len(skin.raw.vert) // 3 for skin in skins]
    faces = [len(skin.raw.face) // 3 for skin in skins]
    texverts = [len(skin.raw.texcoord) // 2 for skin in skins]
    arrays = arrays_of_objects(
        skins,
        {
            "skin_matid": lambda skin: skin.matid,
            "skin_group": lambda skin: integer(skin.element, "group"),
            "skin_rgba": lambda skin: numbers(skin.element, "rgba"),
            "skin_inflate": lambda skin: number(skin.element, "inflate") * skin.factor,
            "skin_bonenum": lambda skin: len(skin.raw.bones),
        },
    )
    arrays |= arrays_of_objects(
        bones,
        {
            "skin_bonevertnum": lambda bone: len(bone.vertid),
            "skin_bonebindpos": lambda bone: bone.pos,
            "skin_bonebindquat": lambda bone: bone.quat,
        },
    )
    arrays |= {
        "skin_vertadr": block_addresses(verts),
        "skin_vertnum": field_array("skin_vertnum", verts),
        "skin_texcoordadr": block_addresses(texverts, optional=True),
        "skin_faceadr": block_addresses(faces),
        "skin_facenum": field_array("skin_facenum", faces),
        "skin_boneadr": block_addresses(arrays["skin_bonenum"]),
        "skin_vert": concatenated_field("skin_vert", (skin.raw.vert for skin in skins)),
        "skin_texcoord": concatenated_field("skin_texcoord", (skin.raw.texcoord for skin in skins)),
        "skin_face": concatenated_field("skin_face", (skin.raw.face for skin in skins)),
        "skin_bonevertadr": block_addresses(arrays["skin_bonevertnum"]),
        "skin_bonebodyid": concatenated_field("skin_bonebodyid", (skin.bodyids for skin in skins)),
        "skin_bonevertid": concatenated_field("skin_bonevertid", (bone.vertid for bone in bones)),
        "skin_bonevertweight": concatenated_field(
            "skin_bonevertweight", (bone.weight for bone in bones)
        ),
    }
    sizes = {
        "nskin": len(skins),
        "nskinvert": sum(verts),
        "nskintexvert": sum(texverts),
        "nskinface": sum(faces),
        "nskinbone": len(bones),
        "nskinbonevert": sum(len(bone.vertid) for bone in bones),
    }
    return arrays, sizes
