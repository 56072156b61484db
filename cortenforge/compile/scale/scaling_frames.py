"""Scaling frames: attributes of everything inside, multiplied by factors of their dimension.

A frame multiplies lengths by s and masses by m.  With `scaling="similar"` forces follow; with
"geometry" they keep their values.  So each attribute is multiplied by a power of s and of m, by
its dimension; the description itself stays as it was written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from cortenforge.compile.scale.actuators import scale_actuators
from cortenforge.compile.scale.assets import scaled_assets
from cortenforge.compile.scale.units import (
    POLYNOMIAL_ORDERS,
    CoordinateUnit,
    ScaleFactor,
    ScaleFactors,
    limit_and_spring_factors,
    multiply_attributes,
    solimp_factors,
)
from cortenforge.compile.scale.wiring import (
    ROTATIONAL_TYPES,
    FrameChain,
    ScaleMap,
    scale_sensors,
    scale_wiring,
)
from cortenforge.spec import Element, Spec
from cortenforge.spec.attribute import keyword

# how many sizes a shape has, where it is not three; the others stay as they are
USED_SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2}
# MuJoCo keeps these in single precision before it scales them
SINGLE_PRECISION = {
    "camera": ("sensorsize", "focal", "principal"),
    "light": ("bulbradius", "range", "attenuation"),
}


def scaled_spec(spec: Spec) -> tuple[Spec, ScaleMap]:
    """(the description with all scales applied, the scaling frames); unchanged without any."""
    places = ScaleMap()
    if not any(_has_scale(element) for element in spec.worldbody.walk()):
        return spec, places
    world = spec.worldbody.copy()
    found = list(_scaled_elements(world, places))
    for element, scale in found:
        _scale_element(element, scale)
    spec = replace(spec, worldbody=world)
    spec = scaled_assets(spec, {id(element): scale.s for element, scale in found})
    spec = scale_actuators(scale_wiring(spec, places), places)
    return scale_sensors(spec, places), places


def _has_scale(element: Element) -> bool:
    return element.tag == "frame" and (element.given("scale") or element.given("massscale"))


def _scaled_elements(world: Element, places: ScaleMap) -> Iterator[tuple[Element, ScaleFactors]]:
    """Everything that is in a scaling frame, with its factors; notes where it is."""
    pending: list[tuple[Element, FrameChain, ScaleFactors]] = [(world, (), ScaleFactors())]
    while pending:
        element, chain, scale = pending.pop()
        places.enter(element, chain)
        if not scale.is_identity:
            yield element, scale
        if _has_scale(element):
            scale = scale.in_frame(element)
            chain = (*chain, (id(element), scale))
        pending.extend((child, chain, scale) for child in element.children)


def _scale_element(element: Element, scale: ScaleFactors) -> None:
    """Multiply an element's attributes."""
    single = SINGLE_PRECISION.get(element.tag, ())
    for attribute, factor in _element_factors(element, scale):
        multiply_attributes(element, [(attribute, factor)], single=attribute in single)


def _element_factors(element: Element, scale: ScaleFactors) -> Iterator[tuple[str, ScaleFactor]]:
    """Attributes of an element with their factors."""
    s, m = scale.s, scale.m
    yield "pos", s
    if element.tag == "inertial":
        yield from (("mass", m), ("diaginertia", m * s * s), ("fullinertia", m * s * s))
    elif element.tag == "joint":
        kind = keyword(element, "type")
        # MuJoCo leaves free joints alone: they have both lengths and angles
        if kind != "free":
            unit = CoordinateUnit(scale, kind in ROTATIONAL_TYPES)
            yield from limit_and_spring_factors(unit)
            yield from (("ref", unit.length), ("springref", unit.length))
    elif element.tag in ("geom", "site"):
        used = USED_SIZES.get(keyword(element, "type"), 3)
        yield from (("size", np.where(np.arange(3) < used, s, 1.0)), ("fromto", s))
        if element.tag == "geom":
            yield from _geom_factors(scale)
            yield from ((name, s) for name in ("sdfcell", "sdforigin", "sdfdata"))
    elif element.tag == "camera":
        yield from ((name, s) for name in ("ipd", "sensorsize", "focal", "principal"))
    elif element.tag == "light":
        yield from (("bulbradius", s), ("range", s), ("attenuation", s**-POLYNOMIAL_ORDERS))


def _geom_factors(scale: ScaleFactors) -> Iterator[tuple[str, ScaleFactor]]:
    s, m = scale.s, scale.m
    yield from (("mass", m), ("density", m / s**3), ("margin", s), ("gap", s))
    yield from (("friction", np.array([1.0, s, s])), ("solimp", solimp_factors(s)))
    yield "surfacevel", np.array([s, s, s, 1.0, 1.0, 1.0])
    yield "adhesion", scale.force_m * scale.force_s
