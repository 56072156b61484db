"""Assets together: references to them, paths of their files, arrays of all of them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from cortenforge.compile.assets.hfields import HField, compile_hfields, hfield_arrays
from cortenforge.compile.assets.materials import material_arrays
from cortenforge.compile.assets.textures import Texture, compile_textures, texture_arrays
from cortenforge.compile.elements.custom import names_in_tuples
from cortenforge.compile.mesh.meshes import Mesh
from cortenforge.compile.options import CompilerSettings
from cortenforge.compile.records import Body
from cortenforge.problems import raise_or_gather
from cortenforge.spec import Element, Spec
from cortenforge.spec.asset_files import AssetFiles
from cortenforge.spec.attribute import keyword, unknown_reference


@dataclass
class Assets:
    """Compiled assets, and the elements that they come from, in the order of their ids."""

    textures: list[Texture] = field(default_factory=list)
    materials: list[Element] = field(default_factory=list)
    hfields: list[HField] = field(default_factory=list)
    # names that may be referred to; with `discard` to no effect
    known: dict[str, list[str]] = field(default_factory=dict)
    discard: bool = False
    mesh_paths: list[str] = field(default_factory=list)
    skin_paths: list[str] = field(default_factory=list)

    @property
    def names(self) -> dict[str, list[str]]:
        """Names of assets by type, in the order of ids."""
        return {
            "texture": [texture.element.name for texture in self.textures],
            "material": [material.name for material in self.materials],
            "hfield": [hfield.element.name for hfield in self.hfields],
        }


def mesh_paths(spec: Spec, meshes: Iterable[Mesh]) -> list[str]:
    """Paths of the files of meshes; empty for those without a file."""
    files = AssetFiles(spec, "meshdir")
    return [files.path(mesh.element) for mesh in meshes]


def compile_assets(spec: Spec, settings: CompilerSettings) -> Assets:
    """Read the files of all assets, and make their contents."""
    textures, materials = spec.textures, spec.materials
    if settings.discardvisual:
        kept = names_in_tuples(spec.tuples, "texture")
        textures = [texture for texture in textures if texture.name in kept]
        kept = names_in_tuples(spec.tuples, "material")
        materials = [material for material in materials if material.name in kept]
    for element in (*textures, *materials, *spec.hfields):
        if not element.name and element["type"] != "skybox":
            raise_or_gather(element.error(f"a {element.tag} needs a name", "name"))
    by_reference = keyword(spec.compiler, "passthrough") == "textures"
    return Assets(
        compile_textures(textures, AssetFiles(spec, "texturedir"), by_reference=by_reference),
        materials,
        compile_hfields(spec.hfields, AssetFiles(spec, "meshdir")),
        {
            "texture": [element.name for element in spec.textures],
            "material": [element.name for element in spec.materials],
            "hfield": [element.name for element in spec.hfields],
        },
        # MuJoCo forgets all references as soon as one asset goes
        len(textures) < len(spec.textures) or len(materials) < len(spec.materials),
    )


def asset_arrays(assets: Assets) -> dict[str, np.ndarray]:
    """Arrays of all assets."""
    texture_ids = {} if assets.discard else _ids_by_name(assets.names["texture"])
    arrays = texture_arrays(assets.textures) | hfield_arrays(assets.hfields)
    arrays |= material_arrays(assets.materials, texture_ids, known=not assets.discard)
    return arrays | _file_path_arrays(assets)


def asset_sizes(arrays: dict[str, np.ndarray]) -> dict[str, int]:
    """Sizes of all assets."""
    return {
        "nhfield": len(arrays["hfield_nrow"]),
        "nhfielddata": len(arrays["hfield_data"]),
        "ntex": len(arrays["tex_type"]),
        "ntexdata": len(arrays["tex_data"]),
        "nmat": len(arrays["mat_emission"]),
        "npaths": len(arrays["paths"]),
    }


def resolve_asset_references(bodies: Iterable[Body], assets: Assets) -> None:
    """Find the materials, height fields and textures that geoms, sites and lights name."""
    ids = {kind: _ids_by_name(names) for kind, names in assets.known.items()}
    fields = {hfield.element.name: hfield for hfield in assets.hfields}
    for body in bodies:
        for part in body.shapes:
            number = _asset_id(part.element, "material", ids["material"])
            if number < 0 and part.mesh is not None:
                number = _asset_id(part.mesh.element, "material", ids["material"])
            part.matid = -1 if assets.discard else number
        for light in body.lights:
            number = _asset_id(light.element, "texture", ids["texture"])
            light.texid = -1 if assets.discard else number
        for geom in body.geoms:
            geom.dataid = _asset_id(geom.element, "hfield", ids["hfield"])
            geom.hfield = fields.get(keyword(geom.element, "hfield"))


def _ids_by_name(names: list[str]) -> dict[str, int]:
    return {name: i for i, name in enumerate(names) if name}


def _asset_id(element: Element, kind: str, ids: dict[str, int]) -> int:
    """Number of the asset that an attribute names; -1 when it names none."""
    name = keyword(element, kind)
    if name and name not in ids:
        raise_or_gather(unknown_reference(element, kind, kind, ids))
    return ids.get(name, -1)


def _file_path_arrays(assets: Assets) -> dict[str, np.ndarray]:
    """Paths of files one after the other, each with a zero at its end, and where they start."""
    characters = b""
    starts: dict[str, list[int]] = {}
    for name, texts in (
        ("hfield_pathadr", [hfield.path for hfield in assets.hfields]),
        ("mesh_pathadr", assets.mesh_paths),
        ("skin_pathadr", assets.skin_paths),
        ("tex_pathadr", [texture.path for texture in assets.textures]),
        ("tex_contenttypeadr", [texture.content_type for texture in assets.textures]),
    ):
        starts[name] = []
        for text in texts:
            starts[name].append(len(characters) if text else -1)
            characters += os.fsencode(text) + b"\0" if text else b""
    return {
        "paths": np.frombuffer(characters or b"\0", np.uint8),
        **{name: np.array(addresses, np.int32) for name, addresses in starts.items()},
    }
