"""A model as a whole, between its file and its compiled arrays."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from cortenforge.errors import Location
from cortenforge.spec.element import Element

if TYPE_CHECKING:
    from cortenforge.model import Model
    from cortenforge.read.defaults import DefaultClasses
    from cortenforge.read.files import Library

PYTHON = "<python>"
#: lists of a description, with the section that each is written in
LISTS = {
    "numerics": "custom",
    "texts": "custom",
    "tuples": "custom",
    "textures": "asset",
    "materials": "asset",
    "hfields": "asset",
    "meshes": "asset",
    "contacts": "contact",
    "equalities": "equality",
    "tendons": "tendon",
    "actuators": "actuator",
    "sensors": "sensor",
    "keys": "keyframe",
}


def _section(tag: str) -> Element:
    """A section about which nothing is said."""
    from cortenforge.read.grammar import RULES

    return Element(tag, Location(PYTHON, element=tag), fallback=RULES[tag].fallback)


def _visual() -> dict[str, Element]:
    from cortenforge.read.grammar_visual import GROUPS

    return {group: _section(group) for group in GROUPS}


def _classes() -> DefaultClasses:
    from cortenforge.read.defaults import DefaultClasses

    return DefaultClasses([])


def _library() -> Library:
    from cortenforge.read.files import Library

    return Library("")


@dataclass(eq=False, repr=False)
class Spec:
    """A model as its file describes it: sections merged, includes and replicas expanded.

    `defaults` are the default sections as they were written; `classes` is what they come to.
    What an element takes from its class is in `element.defaults`, and is always what `classes`
    says of the class that the element's place and attributes name.
    """

    modelname: str = "MuJoCo Model"
    file: str = PYTHON
    compiler: Element = field(default_factory=partial(_section, "compiler"))
    option: Element = field(default_factory=partial(_section, "option"))
    flag: Element = field(default_factory=partial(_section, "flag"))
    size: Element = field(default_factory=partial(_section, "size"))
    statistic: Element = field(default_factory=partial(_section, "statistic"))
    visual: dict[str, Element] = field(default_factory=_visual)
    defaults: list[Element] = field(default_factory=list)
    classes: DefaultClasses = field(default_factory=_classes)
    worldbody: Element = field(default_factory=partial(_section, "worldbody"))
    library: Library = field(default_factory=_library)  # where files of assets come from
    numerics: list[Element] = field(default_factory=list)
    texts: list[Element] = field(default_factory=list)
    tuples: list[Element] = field(default_factory=list)
    keys: list[Element] = field(default_factory=list)
    textures: list[Element] = field(default_factory=list)
    materials: list[Element] = field(default_factory=list)
    hfields: list[Element] = field(default_factory=list)
    meshes: list[Element] = field(default_factory=list)
    sensors: list[Element] = field(default_factory=list)
    contacts: list[Element] = field(default_factory=list)
    equalities: list[Element] = field(default_factory=list)
    tendons: list[Element] = field(default_factory=list)
    actuators: list[Element] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.link()

    @classmethod
    def from_mjcf(
        cls,
        source: str | os.PathLike[str],
        assets: Mapping[str, bytes] | None = None,
        *,
        sandbox: bool = False,
    ) -> Spec:
        """Read an MJCF file, or a string of MJCF; see `Model.from_mjcf`."""
        from cortenforge.read import read_mjcf

        return read_mjcf(source, assets=assets, sandbox=sandbox)

    def compile(self) -> Model:
        """The model that this describes now; a description can be compiled many times."""
        from cortenforge.compile import compile_spec
        from cortenforge.model import Model

        return Model(compile_spec(self))

    def to_xml(self) -> str:
        """MJCF text that is read back to the same model, bit by bit.

        Includes and replicas are expanded, default classes kept.  Names of files are relative to
        the folder of the model; for another folder there is `save`.
        """
        from cortenforge.spec.write import to_xml

        return to_xml(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write MJCF to a file; names of files of assets are made to lead there from its folder.

        Assets in memory are not written: give them again when you load the file.
        """
        from cortenforge.spec.write import to_xml

        text = to_xml(self, os.path.dirname(os.path.abspath(path)))
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def sections(self) -> Iterator[Element]:
        """Every section, as an element around what is in it."""
        yield from (self.compiler, self.option, self.flag, self.size, self.statistic)
        yield from self.visual.values()
        yield from self.defaults
        yield self.worldbody
        for name, tag in LISTS.items():
            yield Element(tag, Location(self.file, element=tag), children=getattr(self, name))

    def link(self) -> None:
        """Tell every element what it is in; to be called after elements were put in by hand."""
        for section in self.sections():
            section.home = self
            for element in section.walk():
                for child in element.children:
                    child.home = element
