"""A model as a whole, between its file and its compiled arrays."""

from __future__ import annotations

import keyword
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from cortenforge import upward
from cortenforge.disk import replacing
from cortenforge.errors import ArgumentError, Location, UnknownAttribute
from cortenforge.grammar.rules import RULES
from cortenforge.grammar.tables.visual import GROUPS
from cortenforge.grids import Grid
from cortenforge.notebook import counts_text, html_table
from cortenforge.spec.attribute import grammar_default
from cortenforge.spec.element import Element, Origin
from cortenforge.spec.files import Library
from cortenforge.spec.from_nodes.classes import DefaultClasses
from cortenforge.spec.objects import Objects
from cortenforge.suggest import Declared, no_such
from cortenforge.upward import PackagePath

if TYPE_CHECKING:
    from cortenforge.model import Model
    from cortenforge.spec.names import ObjectNames

PYTHON_FILE = "<python>"
#: lists of a description, with the section that each is written in
SPEC_LISTS = {
    "numerics": "custom",
    "texts": "custom",
    "tuples": "custom",
    "textures": "asset",
    "materials": "asset",
    "hfields": "asset",
    "meshes": "asset",
    "skins": "deformable",
    "softs": "deformable",
    "contacts": "contact",
    "equalities": "equality",
    "tendons": "tendon",
    "actuators": "actuator",
    "sensors": "sensor",
    "keys": "keyframe",
}


def _default_section(tag: str) -> Element:
    """A section without attributes."""
    return Element(tag, Location(PYTHON_FILE, element=tag), fallback=RULES[tag].fallback)


class Visual(dict[str, Element]):
    """Visual settings by group, as items and as attributes: `spec.visual.map.znear = 0.01`.

    The group that is a word of Python is called `global_`.
    """

    def __getattr__(self, name: str) -> Element:
        if name.removesuffix("_") not in self:
            raise UnknownAttribute(no_such("group of visual settings", name, dir(self)))
        return self[name.removesuffix("_")]

    def __setattr__(self, name: str, value: Any) -> None:
        getattr(self, name)
        raise UnknownAttribute(f"visual.{name} is a group: assign to its attributes")

    def __dir__(self) -> list[str]:
        return [f"{name}_" if keyword.iskeyword(name) else name for name in self]


def _default_visual() -> Visual:
    return Visual({group: _default_section(group) for group in GROUPS})


#: parts of a description that can be replaced, and by what
SPEC_PARTS: dict[str, type] = {
    **dict.fromkeys(("modelname", "file"), str),
    **dict.fromkeys(("compiler", "option", "flag", "size", "statistic", "worldbody"), Element),
    **dict.fromkeys(("defaults", *SPEC_LISTS), list),
    "visual": Visual,
}


def _check_part(name: str, value: Any) -> None:
    """Raise if a part of a description is replaced by something else."""
    kind = SPEC_PARTS.get(name)
    if kind is not None and not isinstance(value, kind):
        remedy = f"\n  hint: assign to its attributes, spec.{name}.*" if kind is Element else ""
        wanted = f"{name}: expected one of type {kind.__name__}, got {value!r}"[:300]
        raise ArgumentError(wanted + remedy)


@dataclass(eq=False, repr=False)
class Spec(Objects, Declared):
    """A model as its file describes it, to be built and edited from Python.

    `Spec()` is an empty model, `Spec.from_mjcf` reads one: sections merged, includes and replicas
    expanded.  `compile` makes a Model of it as it is now, and `to_xml` and `save` write it.

    `defaults` are the default sections as they were written; `classes` is what they come to.
    What an element takes from its class is in `element.defaults`, and is always what `classes`
    says of the class that the element's place and attributes name.
    """

    modelname: str = grammar_default("mujoco", "model")
    file: str = PYTHON_FILE
    compiler: Element = field(default_factory=partial(_default_section, "compiler"))
    option: Element = field(default_factory=partial(_default_section, "option"))
    flag: Element = field(default_factory=partial(_default_section, "flag"))
    size: Element = field(default_factory=partial(_default_section, "size"))
    statistic: Element = field(default_factory=partial(_default_section, "statistic"))
    visual: Visual = field(default_factory=_default_visual)
    defaults: list[Element] = field(default_factory=list)
    classes: DefaultClasses = field(default_factory=partial(DefaultClasses, ()))
    worldbody: Element = field(default_factory=partial(_default_section, "worldbody"))
    library: Library = field(
        default_factory=partial(Library, "")
    )  # where files of assets come from
    numerics: list[Element] = field(default_factory=list)
    texts: list[Element] = field(default_factory=list)
    tuples: list[Element] = field(default_factory=list)
    keys: list[Element] = field(default_factory=list)
    textures: list[Element] = field(default_factory=list)
    materials: list[Element] = field(default_factory=list)
    hfields: list[Element] = field(default_factory=list)
    meshes: list[Element] = field(default_factory=list)
    skins: list[Element] = field(default_factory=list)
    softs: list[Element] = field(default_factory=list)
    sensors: list[Element] = field(default_factory=list)
    contacts: list[Element] = field(default_factory=list)
    equalities: list[Element] = field(default_factory=list)
    tendons: list[Element] = field(default_factory=list)
    actuators: list[Element] = field(default_factory=list)
    names: ObjectNames = field(init=False)

    def __post_init__(self) -> None:
        from cortenforge.spec.names import ObjectNames  # who looks at references needs descriptions

        self.names = ObjectNames(self)
        self.link()

    if not TYPE_CHECKING:

        def __setattr__(self, name: str, value: Any) -> None:
            _check_part(name, value)
            super().__setattr__(name, value)

    @classmethod
    def from_mjcf(
        cls,
        source: str | os.PathLike[str],
        assets: Mapping[str, bytes] | None = None,
        *,
        sandbox: bool = False,
    ) -> Spec:
        """Read an MJCF file, or a string of MJCF; see `Model.from_mjcf`.

        source, assets, sandbox: as for `Model.from_mjcf`.
        """
        return upward.read_mjcf(source, assets=assets, sandbox=sandbox)

    @classmethod
    def from_urdf(
        cls,
        source: str | os.PathLike[str],
        assets: Mapping[str, bytes] | None = None,
        *,
        sandbox: bool = False,
        package_path: str | os.PathLike[str] | PackagePath | None = None,
        mimic: bool = True,
    ) -> Spec:
        """Read a URDF file, or a string of URDF; see `Model.from_urdf`.

        source, assets, sandbox, package_path, mimic: as for `Model.from_urdf`.
        """
        return upward.read_urdf(
            source, assets=assets, sandbox=sandbox, package_path=package_path, mimic=mimic
        )

    def compile(self) -> Model:
        """The model that this describes now; a description can be compiled many times."""
        return upward.compile_spec(self)

    def set_sdf(self, name: str, grid: Grid) -> None:
        """Make a geom a grid of signed distances, written with the description.

        name: of the geom.
        """
        geom = self.find("geom", name)
        for attribute in ("mesh", "sdfparams"):
            if attribute in geom.attributes:
                del geom[attribute]
        geom.set(
            type="sdf",
            sdf="grid",
            sdfsize=grid.size,
            sdfcell=grid.cell,
            sdforigin=grid.origin,
            sdfdata=grid.distance.ravel(),
        )

    def to_xml(self) -> str:
        """MJCF text that is read back to the same model, bit by bit.

        Includes and replicas are expanded, default classes kept.  Names of files are relative to
        the folder of the model; for another folder there is `save`.
        """
        return upward.write_mjcf(self, None)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write MJCF to a file; names of files of assets are made to lead there from its folder.

        path: an XML file; one that is there is replaced.

        Assets in memory are not written: give them again when you load the file.
        """
        text = upward.write_mjcf(self, os.path.dirname(os.path.abspath(path)))
        with replacing(path) as beside:
            beside.write_text(text, encoding="utf-8")

    def origin_of(self, element: Element) -> Origin:
        """The settings and files of the model that an element was written in."""
        return element.origin or Origin(self.compiler, self.library)

    def sections(self) -> Iterator[Element]:
        """Every section, as an element around what is in it."""
        yield from (self.compiler, self.option, self.flag, self.size, self.statistic)
        yield from self.visual.values()
        yield from self.defaults
        yield self.worldbody
        for name in SPEC_LISTS:
            yield self.section_for(name)

    def section_for(self, name: str) -> Element:
        """The section that a list is written in, with the list as its children.

        name: of the list, such as "actuators".
        """
        tag = SPEC_LISTS[name]
        where = Location(self.file, element=tag)
        return Element(tag, where, children=getattr(self, name), home=self)

    @property
    def assets(self) -> dict[str, bytes]:
        """Contents of files by name, looked up before the disk; add your own."""
        return cast("dict[str, bytes]", self.library.assets)

    def copy(self) -> Spec:
        """The whole description once more; changes to one leave the other alone."""
        values: dict[str, Any] = {}
        for name, value in ((f.name, getattr(self, f.name)) for f in fields(self) if f.init):
            if isinstance(value, Element):
                value = value.copy()
            elif isinstance(value, list):
                value = [element.copy() for element in value]
            elif isinstance(value, dict):
                value = Visual({key: element.copy() for key, element in value.items()})
            values[name] = value
        values["library"] = replace(self.library, assets=dict(self.library.assets))
        return Spec(**values)

    def __copy__(self) -> Spec:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Spec:
        from cortenforge.spec.pickling import deep_copy

        return deep_copy(self, memo)

    def __getstate__(self) -> dict[str, Any]:
        from cortenforge.spec.pickling import spec_state

        return spec_state(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        from cortenforge.spec.pickling import restore_spec

        restore_spec(self, state)

    def attach(
        self,
        child: Spec,
        to: Element | None = None,
        *,
        part: Element | None = None,
        prefix: str = "",
        suffix: str = "",
    ) -> Element:
        """Put a copy of another model, or of a part of it, into this one; returns the copy.

        child:  the other model, which stays as it is; its units and files stay its own.
        to:     a body, frame or site of this model; the world by default.
        part:   a body or frame of the other model; all of it, in a frame, by default.
        prefix, suffix: around every name that comes along.

        What comes along besides the part: all assets and default classes, keyframes, and whatever
        refers only to the part: contact pairs, equalities, tendons, actuators, sensors, tuples.
        """
        from cortenforge.spec.editing import edit

        return edit.attach_model(self, child, to, part, prefix, suffix)

    def delete(self, element: Element) -> None:
        """Take an element out, with everything inside it.

        As in MuJoCo, a body or frame takes along the contact pairs, equalities, tendons,
        actuators, sensors and tuples that refer to anything inside it, and its numbers in
        keyframes; anything else leaves references to it behind, which the compiler reports.
        """
        from cortenforge.spec.editing import edit

        edit.delete_element(self, element)

    def link(self) -> None:
        """Tell every element what it is in; to be called after elements were put in by hand."""
        self.names.forget()
        for section in self.sections():
            section.home = self
            for element in section.walk():
                for child in element.children:
                    child.home = element

    def _counts(self) -> dict[str, int]:
        counts = {"bodies": len(self.bodies), "joints": len(self.joints), "geoms": len(self.geoms)}
        return counts | {name: len(getattr(self, name)) for name in SPEC_LISTS}

    def __repr__(self) -> str:
        return f"<cortenforge.Spec {self.modelname!r}: {counts_text(self._counts())}>"

    def _repr_html_(self) -> str:
        rows = {name: count for name, count in self._counts().items() if count}
        return html_table(f"Spec {self.modelname!r}", rows)
