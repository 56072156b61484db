"""Methods of elements with which programs build and edit models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from cortenforge.spec.element import Element


class ElementMethods:
    """Methods that add children to an element and change its attributes.

    Values are numbers, words, True or False, or lists and arrays of them; they are checked as a
    file is.  Attributes have MJCF's names; the one that is a word of Python is called `class_`.
    """

    def add(self, tag: str, **attributes: Any) -> Element:
        """A new element of any tag at the end of this one: `tendon.add("site", site="hook")`."""
        from cortenforge.spec.editing import edit

        return edit.add_element(cast("Element", self), tag, attributes)

    def set(self, **attributes: Any) -> None:
        """Give attributes other values: `geom.set(size=0.1, euler=[0, 90, 0])`; None takes away.

        A value replaces what excludes it, as `euler` does an earlier `quat`.  With another `name`,
        everything that refers to the element follows.
        """
        from cortenforge.spec.editing import edit

        edit.change_attributes(cast("Element", self), attributes)

    def __setitem__(self, name: str, value: Any) -> None:
        self.set(**{name: value})

    def __delitem__(self, name: str) -> None:
        self.set(**{name: None})

    def add_body(self, **attributes: Any) -> Element:
        """A new body."""
        return self.add("body", **attributes)

    def add_frame(self, **attributes: Any) -> Element:
        """A new frame: a pose for what is added to it."""
        return self.add("frame", **attributes)

    def add_joint(self, **attributes: Any) -> Element:
        """A new joint, a hinge unless `type` says otherwise."""
        return self.add("joint", **attributes)

    def add_freejoint(self, **attributes: Any) -> Element:
        """A joint that leaves a body free to move."""
        return self.add("freejoint", **attributes)

    def add_geom(self, **attributes: Any) -> Element:
        """A new geom, a sphere unless `type` says otherwise."""
        return self.add("geom", **attributes)

    def add_site(self, **attributes: Any) -> Element:
        """A new site."""
        return self.add("site", **attributes)

    def add_camera(self, **attributes: Any) -> Element:
        """A new camera."""
        return self.add("camera", **attributes)

    def add_light(self, **attributes: Any) -> Element:
        """A new light."""
        return self.add("light", **attributes)

    def set_inertial(self, **attributes: Any) -> Element:
        """Mass and inertia of a body, instead of what it had."""
        body = cast("Element", self)
        for one in body.children_of("inertial"):
            one.set(**dict.fromkeys(one.attributes) | attributes)
            return one
        return self.add("inertial", **attributes)
