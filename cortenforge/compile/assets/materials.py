"""Materials: colour, shine, and the textures for each role."""

from __future__ import annotations

import numpy as np

from cortenforge.compile.pack.field_arrays import arrays_of_objects, field_array
from cortenforge.grammar.tables.asset import ROLES
from cortenforge.problems import attempt
from cortenforge.spec import Element
from cortenforge.spec.attribute import flag, number, numbers

MATERIAL_COEFFICIENTS = (
    "emission",
    "specular",
    "shininess",
    "reflectance",
    "metallic",
    "roughness",
)


def material_arrays(
    materials: list[Element], textures: dict[str, int], *, known: bool
) -> dict[str, np.ndarray]:
    """Arrays of materials; textures that are not `known` are left out, not missed."""
    roles = ROLES.split()
    arrays = arrays_of_objects(
        materials,
        {
            "mat_texid": lambda one: [-1] * len(roles),
            "mat_texuniform": lambda one: flag(one, "texuniform"),
            "mat_texrepeat": lambda one: numbers(one, "texrepeat"),
            "mat_rgba": lambda one: numbers(one, "rgba"),
        },
    )
    for i, material in enumerate(materials):
        for j, role in enumerate(roles):
            name = material[f"layer/{role}"]
            if known and name:
                texture = attempt(_texture_id, material, role, str(name), textures)
                arrays["mat_texid"][i, j] = -1 if texture is None else texture
    for name in MATERIAL_COEFFICIENTS:
        arrays[f"mat_{name}"] = field_array(f"mat_{name}", (number(one, name) for one in materials))
    return arrays


def _texture_id(material: Element, role: str, name: str, textures: dict[str, int]) -> int:
    if name in textures:
        return textures[name]
    for layer in material.children:
        if layer["role"] == role:
            raise layer.error("there is no texture of this name", "texture")
    raise material.error(f"there is no texture '{name}' for the role '{role}'", "texture")
