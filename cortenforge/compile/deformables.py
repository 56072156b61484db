"""Deformables from their elements, and the soft_* arrays of a model from these."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from cortenforge.compile.constants.reference_kinematics import ReferenceKinematics
from cortenforge.compile.elements.orientation import element_pose
from cortenforge.compile.mesh.files import decode, file_type
from cortenforge.compile.mesh.raw_mesh import MeshError
from cortenforge.compile.options import CompilerSettings
from cortenforge.errors import MjcfError, SoftError
from cortenforge.problems import each_valid
from cortenforge.soft import CapsuleChain, Cloth, Deformable, Rigid, SoftBody, soft_arrays
from cortenforge.spec import Element, Spec
from cortenforge.spec.asset_files import AssetFiles
from cortenforge.spec.attribute import integer, keyword, number_list, numbers, unknown_reference

Arrays = dict[str, np.ndarray]
Made = TypeVar("Made")

#: attributes that a deformable takes as they are, if they are given
COPIED_ATTRIBUTES = (
    *("material", "young", "poisson", "density", "friction", "damping", "radius", "spacing"),
    *("contype", "conaffinity", "selfcollide", "solref", "drag", "rgba", "group"),
)
#: attributes that say what shape it has, of which each kind of shape takes some
SHAPE_ATTRIBUTES = frozenset(
    [
        "count",
        "size",
        "type",
        "cell",
        "file",
        "scale",
        "vertex",
        "face",
        "element",
        "fromto",
        "segments",
    ]
)
#: what deformables call their arguments, where elements have other names
ATTRIBUTE_NAMES = {
    "vertices": "vertex",
    "faces": "face",
    "tets": "element",
    "nx": "count",
    "mesh": "file",
}


def compile_deformables(spec: Spec, settings: CompilerSettings) -> list[Deformable]:
    """All deformables of a description."""
    files = AssetFiles(spec, "meshdir")
    return each_valid(_deformable, spec.softs, settings, files)


def names_in_deformables(spec: Spec) -> set[str]:
    """Names of the bodies that hold vertices."""
    return {str(tie["body"]) for one in spec.softs for tie in one.children_of("tie") if tie["body"]}


def deformable_arrays(
    spec: Spec, bodies: Sequence[Deformable], arrays: Arrays, names: Mapping[str, list[str]]
) -> tuple[Arrays, dict[str, int]]:
    """Arrays and sizes of all deformables; bodies are in their reference position."""
    for one in spec.softs:
        for tie in one.children_of("tie"):
            for kind in ("body", "site"):
                if tie[kind] and tie[kind] not in names[kind]:
                    raise unknown_reference(tie, kind, kind, names[kind])
    tied = any(body.attachments for body in bodies)
    rigid = Rigid.of(arrays, names, ReferenceKinematics(arrays, arrays["qpos0"]) if tied else None)
    return soft_arrays(bodies, rigid, len(arrays["dof_bodyid"]))


def check_soft_finite(spec: Spec, bodies: Sequence[Deformable], arrays: Arrays) -> None:
    """No infinity or NaN leaves the compiler: name the deformable whose numbers overflowed."""
    for name, array in arrays.items():
        if array.dtype.kind != "f" or np.isfinite(array).all():
            continue
        # arrays of one number a deformable tell which; the others only that there is one
        row = int(np.argwhere(~np.isfinite(array))[0, 0]) if len(array) == len(bodies) else 0
        raise spec.softs[row].error(f"values overflow: {name} is not finite")


def _deformable(element: Element, settings: CompilerSettings, files: AssetFiles) -> Deformable:
    """A deformable as its element describes it."""
    body = _with_element_errors(
        element,
        DEFORMABLE_BUILDERS[element.tag],
        element,
        _common_settings(element, settings),
        files,
    )
    for hold in element.children:
        _with_element_errors(hold, _pin_or_tie, body, hold)
    return body


def _with_element_errors(element: Element, make: Callable[..., Made], *given: Any) -> Made:
    """Call a builder; its errors name the element."""
    try:
        return make(*given)
    except SoftError as problem:
        attribute = ATTRIBUTE_NAMES.get(problem.argument, problem.argument)
        known = element.given(attribute)
        message = problem.message
        if attribute and not known:
            message = f"{attribute}: {message}"
        got = None
        if known:
            got = _short_text(element[attribute])
        raise MjcfError(
            message,
            element.where,
            attribute=attribute if known else None,
            got=got,
            hint=problem.hint,
        ) from None


def _short_text(value: Any) -> str:
    """A value as it would be written, if it is not long."""
    if not isinstance(value, np.ndarray):
        return str(value)
    return " ".join(f"{n:g}" for n in value) if len(value) <= 12 else f"{len(value)} numbers"


def _common_settings(element: Element, settings: CompilerSettings) -> dict[str, Any]:
    """What all kinds of deformables are given."""
    pos, quat = element_pose(element, settings)
    given = {name: element[name] for name in COPIED_ATTRIBUTES if element[name] is not None}
    return given | {
        "name": element.name,
        "pos": pos,
        "quat": quat,
        "solref": numbers(element, "solref"),
    }


def _pin_or_tie(body: Deformable, element: Element) -> None:
    """Pin vertices, or tie them to a body or a site."""
    if element.given("vertex"):
        choice: Any = [int(number) for number in number_list(element, "vertex")]
    elif element.given("at"):
        choice = keyword(element, "at").split()
    else:
        choice = np.array(number_list(element, "box")).reshape(2, 3)
    if element.tag == "pin":
        body.pin(choice)
        return
    pos = number_list(element, "pos") if element.given("pos") else None
    body.attach(choice, body=keyword(element, "body"), site=keyword(element, "site"), pos=pos)


def _file_surface(element: Element, files: AssetFiles) -> tuple[np.ndarray, np.ndarray] | None:
    """Vertices and triangles of the element's file, if it has one."""
    if not element["file"]:
        return None
    try:
        kind = file_type(keyword(element, "file"), "")
        raw = decode(files.read(element).data, kind)
    except MeshError as problem:
        raise element.error(str(problem), "file", problem.hint) from None
    if not len(raw.face):
        raise element.error("there are no triangles in it", "file")
    return raw.vert.astype(float) * numbers(element, "scale"), raw.face.astype(np.int64)


def _list_rows(element: Element, name: str, width: int, kind: type) -> np.ndarray:
    """A list as rows of an array."""
    values = number_list(element, name)
    if not values or len(values) % width:
        raise SoftError(f"expected a multiple of {width} numbers, at least one", name)
    return np.array(values, kind).reshape(-1, width)


def _refuse_other_shape_attributes(element: Element, what: str, *names: str) -> None:
    """Refuse attributes that do not apply to the kind of shape."""
    for name in element.own():
        if name in SHAPE_ATTRIBUTES and name not in names:
            raise element.error(f"it has no meaning for {what}", name)


def _cloth(element: Element, common: dict[str, Any], files: AssetFiles) -> Cloth:
    common |= {name: element[name] for name in ("thickness", "bending")}
    surface = _file_surface(element, files)
    if surface is not None:
        _refuse_other_shape_attributes(element, "a cloth of a file", "file", "scale")
        return Cloth(*surface, **common)
    if element.given("vertex"):
        _refuse_other_shape_attributes(element, "a cloth of vertices", "vertex", "face", "scale")
        vertices = _list_rows(element, "vertex", 3, float) * numbers(element, "scale")
        return Cloth(vertices, _list_rows(element, "face", 3, int), **common)
    if not element.given("count"):
        raise element.error("a cloth needs a count, a file or vertices", "count")
    _refuse_other_shape_attributes(element, "a grid", "count", "size")
    nx, ny = (int(n) for n in number_list(element, "count"))
    return Cloth.grid(nx, ny, numbers(element, "size"), **common)


def _softbody(element: Element, common: dict[str, Any], files: AssetFiles) -> SoftBody:
    model, kind = keyword(element, "model"), keyword(element, "type")
    cell: Any = element["cell"]
    surface = _file_surface(element, files)
    implied = ("type",) if kind == "mesh" else ()
    if surface is not None:
        _refuse_other_shape_attributes(
            element, "a soft body of a file", "file", "scale", "cell", *implied
        )
        return SoftBody.from_mesh(surface, cell=cell, model=model, **common)
    if element.given("vertex"):
        _refuse_other_shape_attributes(
            element, "a soft body of vertices", "vertex", "element", "scale", *implied
        )
        vertices = _list_rows(element, "vertex", 3, float) * numbers(element, "scale")
        return SoftBody(vertices, _list_rows(element, "element", 4, int), model=model, **common)
    size = numbers(element, "size")
    if kind == "mesh":
        raise element.error("a mesh needs a file, or vertices and elements", "type")
    if kind == "ball":
        _refuse_other_shape_attributes(element, "a ball", "type", "size", "cell")
        # sizes are whole lengths, radii half of them
        radii = [0.5 * length for length in size]
        return SoftBody.ball(radii, cell, model=model, **common)
    _refuse_other_shape_attributes(element, "a box", "type", "size", "count")
    count = [int(n) for n in number_list(element, "count")]
    return SoftBody.box(count, size, model=model, **common)


def _chain(element: Element, common: dict[str, Any], _: AssetFiles) -> CapsuleChain:
    common["bending"] = element["bending"]
    if element.given("vertex"):
        _refuse_other_shape_attributes(element, "a chain of vertices", "vertex")
        return CapsuleChain(_list_rows(element, "vertex", 3, float), **common)
    if not element.given("fromto"):
        raise element.error("a chain needs fromto, or vertices", "fromto")
    ends = number_list(element, "fromto")
    return CapsuleChain.line(ends[:3], ends[3:], integer(element, "segments"), **common)


DEFORMABLE_BUILDERS: dict[str, Callable[..., Deformable]] = {
    "cloth": _cloth,
    "softbody": _softbody,
    "chain": _chain,
}
