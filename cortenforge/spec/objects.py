"""Objects of a description: lists of them, by name, and new ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

from cortenforge.errors import ArgumentError
from cortenforge.spec.element import CLASS, MAIN, Element

if TYPE_CHECKING:
    from cortenforge.spec.spec import Spec


class Objects:
    """What a description has, and ways to add to it.

    Bodies, and what hangs on them, are added to `worldbody` or to another body or frame.
    """

    def find(self, kind: str, name: str) -> Element:
        """The object of a kind with a name: `spec.find("body", "torso")`; else a KeyError."""
        return cast("Spec", self).names.find(kind, name)

    def _in_tree(self, *tags: str) -> list[Element]:
        return [one for one in cast("Spec", self).worldbody.walk() if one.tag in tags]

    def _in_contacts(self, tag: str) -> list[Element]:
        return [one for one in cast("Spec", self).contacts if one.tag == tag]

    def _add(self, section: str, tag: str, attributes: dict[str, Any]) -> Element:
        from cortenforge.spec.editing import edit

        return edit.add_element(cast("Spec", self).section_for(section), tag, attributes)

    @property
    def bodies(self) -> list[Element]:
        """All bodies, the world first, in the order of their ids."""
        return self._in_tree("worldbody", "body")

    @property
    def frames(self) -> list[Element]:
        """All frames."""
        return self._in_tree("frame")

    @property
    def joints(self) -> list[Element]:
        """All joints."""
        return self._in_tree("joint", "freejoint")

    @property
    def geoms(self) -> list[Element]:
        """All geoms."""
        return self._in_tree("geom")

    @property
    def sites(self) -> list[Element]:
        """All sites."""
        return self._in_tree("site")

    @property
    def cameras(self) -> list[Element]:
        """All cameras."""
        return self._in_tree("camera")

    @property
    def lights(self) -> list[Element]:
        """All lights."""
        return self._in_tree("light")

    @property
    def pairs(self) -> list[Element]:
        """All contact pairs."""
        return self._in_contacts("pair")

    @property
    def excludes(self) -> list[Element]:
        """All excluded pairs of bodies."""
        return self._in_contacts("exclude")

    def body(self, name: str) -> Element:
        """A body by name; the world's is `world`."""
        return self.find("body", name)

    def frame(self, name: str) -> Element:
        """A frame by name."""
        return self.find("frame", name)

    def joint(self, name: str) -> Element:
        """A joint by name."""
        return self.find("joint", name)

    def geom(self, name: str) -> Element:
        """A geom by name."""
        return self.find("geom", name)

    def site(self, name: str) -> Element:
        """A site by name."""
        return self.find("site", name)

    def camera(self, name: str) -> Element:
        """A camera by name."""
        return self.find("camera", name)

    def light(self, name: str) -> Element:
        """A light by name."""
        return self.find("light", name)

    def mesh(self, name: str) -> Element:
        """A mesh by name, or by that of its file."""
        return self.find("mesh", name)

    def material(self, name: str) -> Element:
        """A material by name."""
        return self.find("material", name)

    def texture(self, name: str) -> Element:
        """A texture by name."""
        return self.find("texture", name)

    def hfield(self, name: str) -> Element:
        """A height field by name."""
        return self.find("hfield", name)

    def skin(self, name: str) -> Element:
        """A skin by name, or by that of its file."""
        return self.find("skin", name)

    def soft(self, name: str) -> Element:
        """A deformable by name."""
        return self.find("soft", name)

    def pair(self, name: str) -> Element:
        """A contact pair by name."""
        return self.find("pair", name)

    def exclude(self, name: str) -> Element:
        """An excluded pair of bodies by name."""
        return self.find("exclude", name)

    def equality(self, name: str) -> Element:
        """An equality constraint by name."""
        return self.find("equality", name)

    def tendon(self, name: str) -> Element:
        """A tendon by name."""
        return self.find("tendon", name)

    def actuator(self, name: str) -> Element:
        """An actuator by name."""
        return self.find("actuator", name)

    def sensor(self, name: str) -> Element:
        """A sensor by name."""
        return self.find("sensor", name)

    def key(self, name: str) -> Element:
        """A keyframe by name."""
        return self.find("key", name)

    def numeric(self, name: str) -> Element:
        """A custom array by name."""
        return self.find("numeric", name)

    def text(self, name: str) -> Element:
        """A custom text by name."""
        return self.find("text", name)

    def tuple(self, name: str) -> Element:
        """A custom tuple by name."""
        return self.find("tuple", name)

    def default(self, name: str = MAIN) -> Element:
        """A default class by name: `spec.default("wheel").add_geom(type="cylinder")`.

        Elements take what their class says when they are compiled, whichever came first.
        """
        from cortenforge.spec.editing import edit

        return edit.main_class(cast("Spec", self)) if name == MAIN else self.find(CLASS, name)

    def add_default(self, name: str, parent: str = MAIN) -> Element:
        """A new default class inside another.

        name:   of the new class.
        parent: the class whose values it takes over.
        """
        return self.default(parent).add(CLASS, class_=name)

    def add_mesh(self, **attributes: Any) -> Element:
        """A new mesh, from a file, from `vertex`, or `builtin`.

        attributes: as in MJCF; numbers and arrays, or text.
        """
        return self._add("meshes", "mesh", attributes)

    def add_skin(self, **attributes: Any) -> Element:
        """A new skin, from a file, or from `vertex` and `face`; its bones are added to it.

        attributes: as in MJCF; numbers and arrays, or text.
        """
        return self._add("skins", "skin", attributes)

    def add_cloth(self, **attributes: Any) -> Element:
        """A new cloth; then `add("pin", at="corners")` or `add("tie", at="left", body="hand")`.

        attributes: as in MJCF; numbers and arrays, or text.
        """
        return self._add("softs", "cloth", attributes)

    def add_softbody(self, **attributes: Any) -> Element:
        """A new soft body, a box unless `type`, `file` or `vertex` says otherwise.

        attributes: as in MJCF; numbers and arrays, or text.
        """
        return self._add("softs", "softbody", attributes)

    def add_chain(self, **attributes: Any) -> Element:
        """A new chain, from `fromto` and `segments` or from `vertex`.

        attributes: as in MJCF; numbers and arrays, or text.
        """
        return self._add("softs", "chain", attributes)

    def add_material(self, **attributes: Any) -> Element:
        """A new material.

        attributes: as in MJCF; numbers and arrays, or text.
        """
        return self._add("materials", "material", attributes)

    def add_texture(self, **attributes: Any) -> Element:
        """A new texture, from a file or `builtin`.

        attributes: as in MJCF; numbers and arrays, or text.
        """
        return self._add("textures", "texture", attributes)

    def add_hfield(self, **attributes: Any) -> Element:
        """A new height field, from a file or from `elevation`.

        attributes: as in MJCF; numbers and arrays, or text.
        """
        return self._add("hfields", "hfield", attributes)

    def add_pair(self, **attributes: Any) -> Element:
        """Two geoms that are checked for contact whatever their bits say.

        attributes: as in MJCF; numbers and arrays, or text.
        """
        return self._add("contacts", "pair", attributes)

    def add_exclude(self, **attributes: Any) -> Element:
        """Two bodies whose geoms are not checked for contact.

        attributes: as in MJCF; numbers and arrays, or text.
        """
        return self._add("contacts", "exclude", attributes)

    def add_key(self, **attributes: Any) -> Element:
        """A new keyframe.

        attributes: as in MJCF; numbers and arrays, or text.
        """
        return self._add("keys", "key", attributes)

    def add_numeric(self, **attributes: Any) -> Element:
        """A new custom array.

        attributes: as in MJCF; numbers and arrays, or text.
        """
        return self._add("numerics", "numeric", attributes)

    def add_text(self, **attributes: Any) -> Element:
        """A new custom text.

        attributes: as in MJCF; numbers and arrays, or text.
        """
        return self._add("texts", "text", attributes)

    def add_tuple(self, name: str, objects: Iterable[Sequence[Any]]) -> Element:
        """A new tuple of (type, name) or (type, name, number): `[("body", "torso", 0.5)]`.

        objects: what it lists.
        """
        from cortenforge.spec.editing import edit

        columns = ("objtype", "objname", "prm")
        if not isinstance(objects, Iterable) or not all(isinstance(o, Sequence) for o in objects):
            raise ArgumentError(f"objects: expected a list of (type, name), got {objects!r}"[:300])
        entries = [dict(zip(columns, one, strict=False)) for one in objects]
        section = cast("Spec", self).section_for("tuples")
        return edit.add_element(
            section, "tuple", {"name": name}, edit.nested_nodes("element", entries)
        )

    def add_equality(self, tag: str, **attributes: Any) -> Element:
        """A new constraint, by its tag: `connect`, `weld`, `joint`, `tendon`.

        attributes: as in MJCF; numbers and arrays, or text.
        """
        return self._add("equalities", tag, attributes)

    def add_tendon(self, tag: str, **attributes: Any) -> Element:
        """A new tendon, `spatial` or `fixed`; then add the steps of its path to it.

        tag:        `spatial` or `fixed`.
        attributes: as in MJCF.
        """
        return self._add("tendons", tag, attributes)

    def add_actuator(self, tag: str, **attributes: Any) -> Element:
        """A new actuator, by its tag: `motor`, `position`, `general`, ...

        attributes: as in MJCF; numbers and arrays, or text.
        """
        return self._add("actuators", tag, attributes)

    def add_sensor(self, tag: str, **attributes: Any) -> Element:
        """A new sensor, by its tag: `gyro`, `jointpos`, `contact`, ...

        attributes: as in MJCF; numbers and arrays, or text.
        """
        return self._add("sensors", tag, attributes)
