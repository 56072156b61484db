"""Meshes that shapes name: one asset for each file and scale, with MuJoCo's names."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

import numpy as np

from cortenforge.errors import UrdfError
from cortenforge.grammar.node import Node
from cortenforge.read.urdf.nodes import exact_text
from cortenforge.read.urdf.packages import Packages
from cortenforge.spec.from_nodes.assets import file_stem

COLLADA = ".dae"


@dataclass
class MeshTable:
    """Meshes so far, by file as written and scale."""

    packages: Packages
    strip: bool
    nodes: list[Node] = field(default_factory=list)
    known: dict[tuple[str, tuple[float, ...]], str] = field(default_factory=dict)
    stems: dict[str, int] = field(default_factory=dict)

    def use(self, shape: Node, filename: str, scale: np.ndarray) -> str:
        """Name of the mesh of a file at a scale."""
        written = filename.replace("\\", "/")
        if self.strip:
            written = os.path.basename(written)
        key = (written, tuple(scale.tolist()))
        if key not in self.known:
            self.known[key] = self._add(shape, written, scale)
        return self.known[key]

    def _add(self, shape: Node, written: str, scale: np.ndarray) -> str:
        if os.path.splitext(written)[1].lower() == COLLADA:
            raise UrdfError(
                "Collada meshes are not read",
                shape.where,
                attribute="filename",
                got=shape.attributes["filename"],
                hint="convert the mesh to OBJ or STL (Blender, MeshLab), and name that file here",
            )
        name = self._name(file_stem(written))
        file = written if self.strip else self.packages.locate(written, shape)
        made = {"name": name, "file": file, "scale": exact_text(*scale)}
        self.nodes.append(Node("mesh", shape.where, made))
        return name

    def _name(self, stem: str) -> str:
        """The file's name without folder and ending; repeated, with a number behind it."""
        repeated = self.stems.get(stem, 0)
        self.stems[stem] = repeated + 1
        name = wanted = f"{stem}{repeated}" if repeated else stem
        taken = {node.attributes["name"] for node in self.nodes} | {""}
        number = 0
        while name in taken:
            number += 1
            name = f"{wanted}_{number}"
        return name
