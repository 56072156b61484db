"""Skins as they are given, in a file or in attributes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cortenforge.spec.asset_files import AssetFiles
from cortenforge.spec.attribute import keyword, number_list, numbers
from cortenforge.spec.element import Element
from cortenforge.spec.skin_files import RawBone, RawSkin, SkinError, decode_skn
from cortenforge.spec.spec import Spec

INLINE_ATTRIBUTES = ("vertex", "texcoord", "face")


def bone_names(spec: Spec, element: Element) -> list[str]:
    """Names of the bodies that one skin follows, in order."""
    return [bone.body for bone in raw_skin(element, AssetFiles(spec, "meshdir")).bones]


def raw_skin(element: Element, files: AssetFiles) -> RawSkin:
    """What the file or the attributes give."""
    if not element["file"]:
        bones = [_inline_bone(bone) for bone in element.children]
        vert, texcoord = (
            to_single_precision(number_list(element, name)) for name in ("vertex", "texcoord")
        )
        return RawSkin(vert, texcoord, np.array(number_list(element, "face"), np.int64), bones)
    for name in INLINE_ATTRIBUTES:
        if element.given(name):
            raise element.error("the file already has these", name)
    # an attached model's file has the names that bodies had before
    renamed = [str(bone["body"]) for bone in element.children]
    if renamed and element.origin is None:
        raise element.children[0].error("the file already has bones")
    if not keyword(element, "file").lower().endswith(".skn"):
        raise element.error("expected a file whose name ends in .skn", "file")
    try:
        raw = decode_skn(files.read(element).data)
    except SkinError as problem:
        raise element.error(f"not a skin: {problem}", "file") from None
    for bone, name in zip(raw.bones, renamed, strict=False):
        bone.body = name
    return raw


def _inline_bone(element: Element) -> RawBone:
    return RawBone(
        str(element["body"]),
        to_single_precision(numbers(element, "bindpos")),
        to_single_precision(numbers(element, "bindquat")),
        np.array(number_list(element, "vertid"), np.int64),
        to_single_precision(number_list(element, "vertweight")),
    )


def to_single_precision(values: Sequence[float] | np.ndarray) -> np.ndarray:
    """Numbers in single precision, which a skin has."""
    return np.array(values, np.float32)
