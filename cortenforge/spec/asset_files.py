"""Files of assets, where the settings of a description say that they are."""

from __future__ import annotations

from dataclasses import dataclass

from cortenforge.spec.attribute import flag, keyword
from cortenforge.spec.element import Element
from cortenforge.spec.files import Library, Source
from cortenforge.spec.spec import Spec


@dataclass(frozen=True)
class AssetFiles:
    """Files of a model's assets, found by the rules of <compiler>."""

    spec: Spec
    attribute: str  # of <compiler>, for the folder: `texturedir` or `meshdir`

    def name(self, element: Element, attribute: str) -> str:
        """Where the file of an attribute is, below the model's folder."""
        file = self.written(element, attribute)
        return self.library(element).locate(self.folder(element), file, element.where)

    def written(self, element: Element, attribute: str) -> str:
        """The file of an attribute, as far as it counts."""
        file = keyword(element, attribute).replace("\\", "/")
        return file.rpartition("/")[2] if flag(self.spec.compiler, "strippath") else file

    def folder(self, element: Element) -> str:
        """The folder of the compiler in which an element's files are."""
        folder = keyword(self.spec.origin_of(element).compiler, self.attribute)
        return folder.replace("\\", "/")

    def library(self, element: Element) -> Library:
        """Where files of an element come from."""
        return self.spec.origin_of(element).library

    def read(self, element: Element, attribute: str = "file") -> Source:
        """Contents of the file of an attribute."""
        name = self.name(element, attribute)
        return self.library(element).asset(name, element.where, attribute)

    def path(self, element: Element) -> str:
        """Path of an asset's file, for Model.paths; empty if it has none."""
        if not keyword(element, "file"):
            return ""
        return self.library(element).resolved(self.name(element, "file"))

    def in_memory(self, element: Element) -> bool:
        """True when the file comes from the dictionary of assets."""
        return self.library(element).in_memory(self.name(element, "file"))
