"""Values of attached models in a description that is written: in the units of the whole model.

An attached element keeps the compiler settings of its own model.  A file has one set of settings:
where units are mixed, all angles are written in radians, which keeps their bits; switches that
`autolimits` would decide are spelled out; what cannot be said in one file is refused.
"""

from __future__ import annotations

from dataclasses import replace

from cortenforge.compile.elements.orientation import orientation
from cortenforge.compile.options import CompilerSettings, compiler_settings
from cortenforge.errors import MjcfError
from cortenforge.spec.actuators.shortcuts import general_form
from cortenforge.spec.attribute import form_in_force, keyword, listed, number, numbers
from cortenforge.spec.element import CLASS, Element
from cortenforge.spec.references import kind_of
from cortenforge.spec.spec import Spec
from cortenforge.spec.text import text_of
from cortenforge.write.files import Changes

#: settings that decide about whole bodies, and have no attribute of a body in their place
OF_BODIES = (
    *("inertiafromgeom", "inertiagrouprange", "boundmass", "boundinertia"),
    *("balanceinertia", "alignfree"),
)
ANGLES = {"hinge": ("range", "ref", "springref"), "ball": ("range",)}
#: switches that `autolimits` decides, with the range that each is about
SWITCHES = {
    "joint": (("limited", "range"), ("actuatorfrclimited", "actuatorfrcrange")),
    "tendon": (("limited", "range"), ("actuatorfrclimited", "actuatorfrcrange")),
    "actuator": (("ctrllimited", "ctrlrange"), ("forcelimited", "forcerange")),
}


def unit_changes(spec: Spec) -> Changes:
    """Attributes of attached elements as the model's own compiler settings would have them."""
    own = compiler_settings(spec.compiler)
    sections = [section for section in spec.sections() if section.tag != CLASS]
    elements = [(one, own.of(one)) for section in sections for one in section.walk()]
    if all(theirs == own for _, theirs in elements):
        return {}
    mixed = any(theirs.degree != own.degree for _, theirs in elements)
    ours = replace(own, degree=False) if mixed else own
    changes: Changes = {id(spec.compiler): {"angle": "radian"}} if mixed else {}
    for element, theirs in elements:
        if theirs != ours:
            _check_body(element, theirs, ours)
            changes.setdefault(id(element), {}).update(
                _orientation(element, theirs, ours)
                | _angles(element, theirs, ours)
                | _switches(element, theirs, ours)
            )
    return changes


def _check_body(element: Element, theirs: CompilerSettings, ours: CompilerSettings) -> None:
    for name in OF_BODIES if element.tag == "body" else ():
        if getattr(theirs, name) != getattr(ours, name):
            raise MjcfError(
                f"this was attached from a model whose compiler has {name}="
                f"{text_of(getattr(theirs, name))}, here it is {text_of(getattr(ours, name))}: "
                "one file cannot have both",
                element.where,
                hint="give both models the same compiler settings",
            )


def _orientation(
    element: Element, theirs: CompilerSettings, ours: CompilerSettings
) -> dict[str, str | None]:
    """An orientation in angles of the model's own kind; a quaternion where the axes differ."""
    form = form_in_force(element)
    values = () if form is None else listed(element, form)
    if form == "euler" and theirs.eulerseq != ours.eulerseq:
        return {"euler": None, "quat": text_of(orientation(element, ours))}
    if form == "euler":
        return {form: text_of([_angle(value, theirs, ours) for value in values])}
    if form == "axisangle":
        return {form: text_of([*values[:3], _angle(values[3], theirs, ours)])}
    return {}


def _angles(
    element: Element, theirs: CompilerSettings, ours: CompilerSettings
) -> dict[str, str | None]:
    """Angles of a joint, its own and those of its class."""
    if kind_of(element) != "joint" or element.tag == "freejoint" or theirs.degree == ours.degree:
        return {}
    given = [one for one in ANGLES.get(keyword(element, "type"), ()) if element.given(one)]
    return {
        name: text_of([_angle(value, theirs, ours) for value in listed(element, name)])
        for name in given
    }


def _angle(value: float, theirs: CompilerSettings, ours: CompilerSettings) -> float:
    """An angle in the unit that is written: radians, where units differ."""
    return value if theirs.degree == ours.degree else theirs.radians(value)


def _switches(
    element: Element, theirs: CompilerSettings, ours: CompilerSettings
) -> dict[str, str | None]:
    """Whether ranges count, where a compiler without `autolimits` would not know."""
    if ours.autolimits or not theirs.autolimits:
        return {}
    found: dict[str, str | None] = {}
    kind = kind_of(element)
    for switch, name in SWITCHES.get(kind, ()) if element.tag != "freejoint" else ():
        limits = numbers(element, name)
        if kind == "actuator":
            limits = getattr(general_form(element), name)
            limits = (*limits, number(element, "inheritrange"))
        if switch in element.fallback and element[switch] == "auto":
            found[switch] = text_of(any(limits))
    return found
