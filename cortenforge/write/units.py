"""Values of attached models in a description that is written: in the units of the whole model.

An attached element keeps the compiler settings of its own model.  A file has one set of settings:
where units are mixed, all angles are written in radians, which keeps their bits; switches that
`autolimits` would decide are spelled out; what cannot be said in one file is refused.
"""

from __future__ import annotations

from dataclasses import replace

from cortenforge.compile.elements.orientation import element_orientation
from cortenforge.compile.options import CompilerSettings, compiler_settings
from cortenforge.errors import MjcfError
from cortenforge.spec.actuators.shortcuts import general_form
from cortenforge.spec.attribute import keyword, number, number_list, numbers, orientation_attribute
from cortenforge.spec.attribute_text import value_text
from cortenforge.spec.element import CLASS, Element
from cortenforge.spec.references import element_kind
from cortenforge.spec.spec import Spec
from cortenforge.write.file_names import AttributeChanges

#: settings that decide about whole bodies, and have no attribute of a body in their place
BODY_ATTRIBUTES = (
    *("inertiafromgeom", "inertiagrouprange", "boundmass", "boundinertia"),
    *("balanceinertia", "alignfree"),
)
ANGLE_ATTRIBUTES = {"hinge": ("range", "ref", "springref"), "ball": ("range",)}
#: switches that `autolimits` decides, with the range that each is about
LIMIT_SWITCHES = {
    "joint": (("limited", "range"), ("actuatorfrclimited", "actuatorfrcrange")),
    "tendon": (("limited", "range"), ("actuatorfrclimited", "actuatorfrcrange")),
    "actuator": (("ctrllimited", "ctrlrange"), ("forcelimited", "forcerange")),
}


def unit_changes(spec: Spec) -> AttributeChanges:
    """Attributes of attached elements as the model's own compiler settings would have them."""
    own = compiler_settings(spec.compiler)
    sections = [section for section in spec.sections() if section.tag != CLASS]
    elements = [(one, own.of(one)) for section in sections for one in section.walk()]
    if all(theirs == own for _, theirs in elements):
        return {}
    mixed = any(theirs.degree != own.degree for _, theirs in elements)
    ours = replace(own, degree=False) if mixed else own
    changes: AttributeChanges = {id(spec.compiler): {"angle": "radian"}} if mixed else {}
    for element, theirs in elements:
        if theirs != ours:
            _check_body_settings(element, theirs, ours)
            changes.setdefault(id(element), {}).update(
                _written_orientation(element, theirs, ours)
                | _joint_angles(element, theirs, ours)
                | _limit_switches(element, theirs, ours)
            )
    return changes


def _check_body_settings(
    element: Element, theirs: CompilerSettings, ours: CompilerSettings
) -> None:
    for name in BODY_ATTRIBUTES if element.tag == "body" else ():
        if getattr(theirs, name) != getattr(ours, name):
            raise MjcfError(
                f"this was attached from a model whose compiler has {name}="
                f"{value_text(getattr(theirs, name))}, here it is "
                f"{value_text(getattr(ours, name))}: "
                "one file cannot have both",
                element.where,
                hint="give both models the same compiler settings",
            )


def _written_orientation(
    element: Element, theirs: CompilerSettings, ours: CompilerSettings
) -> dict[str, str | None]:
    """An orientation in angles of the model's own kind; a quaternion where the axes differ."""
    form = orientation_attribute(element)
    values = () if form is None else number_list(element, form)
    if form == "euler" and theirs.eulerseq != ours.eulerseq:
        return {"euler": None, "quat": value_text(element_orientation(element, ours))}
    if form == "euler":
        return {form: value_text([_converted_angle(value, theirs, ours) for value in values])}
    if form == "axisangle":
        return {form: value_text([*values[:3], _converted_angle(values[3], theirs, ours)])}
    return {}


def _joint_angles(
    element: Element, theirs: CompilerSettings, ours: CompilerSettings
) -> dict[str, str | None]:
    """Angles of a joint, its own and those of its class."""
    if (
        element_kind(element) != "joint"
        or element.tag == "freejoint"
        or theirs.degree == ours.degree
    ):
        return {}
    given = [
        one for one in ANGLE_ATTRIBUTES.get(keyword(element, "type"), ()) if element.given(one)
    ]
    return {
        name: value_text(
            [_converted_angle(value, theirs, ours) for value in number_list(element, name)]
        )
        for name in given
    }


def _converted_angle(value: float, theirs: CompilerSettings, ours: CompilerSettings) -> float:
    """An angle in the unit that is written: radians, where units differ."""
    return value if theirs.degree == ours.degree else theirs.radians(value)


def _limit_switches(
    element: Element, theirs: CompilerSettings, ours: CompilerSettings
) -> dict[str, str | None]:
    """Whether ranges count, where a compiler without `autolimits` would not know."""
    if ours.autolimits or not theirs.autolimits:
        return {}
    found: dict[str, str | None] = {}
    kind = element_kind(element)
    for switch, name in LIMIT_SWITCHES.get(kind, ()) if element.tag != "freejoint" else ():
        limits = numbers(element, name)
        if kind == "actuator":
            limits = getattr(general_form(element), name)
            limits = (*limits, number(element, "inheritrange"))
        if switch in element.fallback and element[switch] == "auto":
            found[switch] = value_text(any(limits))
    return found
