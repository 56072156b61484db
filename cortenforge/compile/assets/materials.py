"""Materials: colour, shine, and the textures for each role."""

from __future__ import annotations

import numpy as np

from cortenforge.grammar.tables.asset import ROLES
from cortenforge.problems import attempt
from cortenforge.spec import Element
from cortenforge.spec.attribute import flag, number, numbers

COEFFICIENTS = ("emission", "specular", "shininess", "reflectance", "metallic", "roughness")


def material_arrays(
    materials: list[Element], textures: dict[str, int], *, known: bool
) -> dict[str, np.ndarray]:
    """Arrays of materials; textures that are not `known` are left out, not missed."""
    count, roles = len(materials), ROLES.split()
    arrays = {
        "mat_texid": np.full((count, len(roles)), -1, np.int32),
        "mat_texuniform": np.array([flag(one, "texuniform") for one in materials], np.uint8),
        "mat_texrepeat": _singles(materials, "texrepeat", 2),
    }
    for i, material in enumerate(materials):
        for j, role in enumerate(roles):
            name = material[f"layer/{role}"]
            if known and name:
                texture = attempt(_texture, material, role, str(name), textures)
                arrays["mat_texid"][i, j] = -1 if texture is None else texture
    for name in COEFFICIENTS:
        values = [number(one, name, float(one.fallback[name])) for one in materials]
        arrays[f"mat_{name}"] = np.array(values, np.float32)
    arrays["mat_rgba"] = _singles(materials, "rgba", 4)
    return arrays


def _texture(material: Element, role: str, name: str, textures: dict[str, int]) -> int:
    if name in textures:
        return textures[name]
    for layer in material.children:
        if layer["role"] == role:
            raise layer.error("there is no texture of this name", "texture")
    raise material.error(f"there is no texture '{name}' for the role '{role}'", "texture")


def _singles(materials: list[Element], name: str, width: int) -> np.ndarray:
    rows = [numbers(one, name, (1.0,) * width) for one in materials]
    return np.array(rows, np.float32).reshape(len(rows), width)
