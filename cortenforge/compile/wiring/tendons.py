"""Tendons: their paths, limits, springs, and which dofs and trees they act on.

    fixed      length = sum coef_i q_i over joints
    spatial    length = sum over branches of (lengths of segments between sites) / divisor

A row of ten_J has the dofs above the bodies of the path, or those of the joints.
See MuJoCo: Computation, "Tendons".
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from cortenforge.compile.lookup import Lookup
from cortenforge.compile.options import CompilerSettings
from cortenforge.compile.pack.field_arrays import (
    arrays_of_objects,
    block_addresses,
    concatenated_field,
    field_array,
    no_references,
)
from cortenforge.enums import GeomType, JointType, TendonType, WrapType
from cortenforge.errors import MjcfError
from cortenforge.problems import all_or_none, each_valid
from cortenforge.spec import Element
from cortenforge.spec.attribute import integer, keyword, number, number_list, numbers

PATH_JOINT_TYPES = (JointType.SLIDE, JointType.HINGE)
WRAP_TYPES = {GeomType.SPHERE: WrapType.SPHERE, GeomType.CYLINDER: WrapType.CYLINDER}
SLEEP_AUTO_NEVER, SLEEP_AUTO_ALLOWED, SLEEP_NEVER = 1, 2, 3
MAX_USER_NUMBERS = 10_000_000

Arrays = dict[str, np.ndarray]
ElementsByTendon = dict[str, list[Element]]


@dataclass(frozen=True)
class PathStep:
    """One step of a path: what it is, its object's id, its number, its body (-1 for none)."""

    type: WrapType
    objid: int
    prm: float
    bodyid: int
    element: Element


@dataclass
class CompiledTendon:
    """One tendon with its path."""

    element: Element
    path: list[PathStep] = field(default_factory=list)
    limited: bool = False
    actfrclimited: bool = False
    matid: int = -1
    #: actuators that add armature, and those that add damping
    armature_actuators: list[Element] = field(default_factory=list)
    damping_actuators: list[Element] = field(default_factory=list)

    @property
    def spatial(self) -> bool:
        return self.element.tag == "spatial"

    @property
    def armature(self) -> float:
        return number(self.element, "armature")

    @property
    def armature_element(self) -> Element | None:
        """The element that gives the tendon armature, if any: its own or an actuator's."""
        return self.element if self.armature else next(iter(self.armature_actuators), None)


def compile_tendons(
    elements: list[Element],
    lookup: Lookup,
    settings: CompilerSettings,
    actuators: list[Element],
) -> list[CompiledTendon]:
    """Read and check all tendons, with the actuators that add armature or damping to them."""
    return each_valid(_compile_tendon, elements, lookup, settings, _added_by_actuators(actuators))


def _compile_tendon(
    element: Element,
    lookup: Lookup,
    settings: CompilerSettings,
    added: tuple[ElementsByTendon, ElementsByTendon],
) -> CompiledTendon:
    tendon = CompiledTendon(element, all_or_none(_compile_step, element.children, lookup))
    tendon.limited = _tendon_is_limited(element, "limited", "range", settings)
    tendon.actfrclimited = _tendon_is_limited(
        element, "actuatorfrclimited", "actuatorfrcrange", settings
    )
    tendon.armature_actuators, tendon.damping_actuators = (
        listed.get(element.name, []) for listed in added
    )
    _check_tendon_numbers(tendon)
    if tendon.spatial:
        _check_spatial_path(tendon)
    else:
        _check_fixed_tendon(tendon)
    if element["material"]:
        tendon.matid = lookup.find(element, "material", "material")
    return tendon


def _added_by_actuators(actuators: list[Element]) -> tuple[ElementsByTendon, ElementsByTendon]:
    """Actuators that add armature, and that add damping, by the name of their tendon."""
    with_armature: ElementsByTendon = {}
    with_damping: ElementsByTendon = {}
    for one in actuators:
        if one["tendon"]:
            if number(one, "armature"):
                with_armature.setdefault(str(one["tendon"]), []).append(one)
            if any(numbers(one, "damping")):
                with_damping.setdefault(str(one["tendon"]), []).append(one)
    return with_armature, with_damping


def _compile_step(element: Element, lookup: Lookup) -> PathStep:
    """One step of a path."""
    if element.tag == "pulley":
        divisor = number(element, "divisor")
        if divisor <= 0:
            raise element.error("expected a positive number", "divisor")
        return PathStep(WrapType.PULLEY, -1, divisor, -1, element)
    objid = lookup.find(element, element.tag, element.tag)
    bodyid = lookup.bodyid(element.tag, objid)
    if element.tag == "site":
        return PathStep(WrapType.SITE, objid, 0.0, bodyid, element)
    if element.tag == "joint":
        if lookup.tree.joints[objid].type not in PATH_JOINT_TYPES:
            raise element.error("expected a slide or hinge joint", "joint")
        return PathStep(WrapType.JOINT, objid, number(element, "coef"), bodyid, element)
    kind = lookup.tree.geoms[objid].type
    if kind not in WRAP_TYPES:
        raise element.error("a tendon wraps around spheres and cylinders only", "geom")
    side = lookup.find(element, "sidesite", "site") if element["sidesite"] else -1
    return PathStep(WRAP_TYPES[kind], objid, float(side), bodyid, element)


def _tendon_is_limited(
    element: Element, switch: str, name: str, settings: CompilerSettings
) -> bool:
    """True when a range counts: it is given, and its switch does not say no."""
    low, high = numbers(element, name)
    word = keyword(element, switch)
    given = bool(low or high)
    if word == "auto" and given and not settings.of(element).autolimits:
        raise element.error(
            f"a range without {switch}, while the compiler's autolimits is false",
            name,
            hint=f'write {switch}="true" or "false", or use <compiler autolimits="true"/>',
        )
    limited = word == "true" or (word == "auto" and given)
    # MuJoCo takes a reversed range without a switch for none; it is more likely a mistake
    if limited and low >= high:
        raise element.error("the lower limit must be below the upper one", name)
    return limited


def _check_tendon_numbers(tendon: CompiledTendon) -> None:
    element = tendon.element
    low, high = numbers(element, "actuatorfrcrange")
    if tendon.actfrclimited and (low > 0 or high < 0):
        raise element.error("the range of forces must contain 0", "actuatorfrcrange")
    rest = numbers(element, "springlength")
    if rest[0] > rest[1]:
        raise element.error("the first length must not be above the second", "springlength")
    if tendon.armature < 0:
        raise element.error("cannot be negative", "armature")
    if tendon.spatial and number(element, "width") <= 0:
        raise element.error("expected a positive number", "width")


def _check_fixed_tendon(tendon: CompiledTendon) -> None:
    """A fixed tendon adds up at least one joint, and none twice."""
    if not tendon.path:
        raise tendon.element.error("a fixed tendon needs at least one joint")
    seen: set[int] = set()
    for step in tendon.path:
        if step.objid in seen:
            raise step.element.error("this joint is already part of the tendon", "joint")
        seen.add(step.objid)


def _check_spatial_path(tendon: CompiledTendon) -> None:
    """Every branch goes from site to site, and geoms stand between sites."""
    path = tendon.path
    if len(path) < 2:
        raise tendon.element.error("a spatial tendon needs at least two sites")
    site, pulley = WrapType.SITE, WrapType.PULLEY
    kinds = [pulley, *(step.type for step in path), pulley]
    for i, step in enumerate(path, 1):
        before, after = kinds[i - 1], kinds[i + 1]
        if step.type == pulley:
            if i > 1 and before == pulley:
                raise step.element.error("a pulley cannot follow a pulley")
            if i == len(path):
                raise step.element.error("a path cannot end with a pulley")
        elif step.type == site:
            if before == pulley and after == pulley:
                raise step.element.error("a branch of the path needs at least two sites", "site")
            if after == site and path[i].objid == step.objid:
                raise path[i].element.error("this site follows itself", "site")
        elif before != site or after != site:
            raise step.element.error("a geom of a path must be between two sites", "geom")
        elif tendon.armature > 0:
            raise step.element.error("a tendon with armature cannot wrap around geoms", "geom")
        elif tendon.armature_actuators:
            raise tendon.armature_actuators[0].error(
                "armature on a tendon that wraps around geoms is not supported", "armature"
            )


# ---------------------------------------------------------------------- arrays


def tendon_arrays(tendons: list[CompiledTendon], arrays: Arrays) -> Arrays:
    """Arrays of tendons and of their paths, except those that need lengths."""
    steps = [step for tendon in tendons for step in tendon.path]
    count = [len(tendon.path) for tendon in tendons]
    result = {
        **arrays_of_objects(
            tendons,
            {
                "tendon_type": lambda t: TendonType.SPATIAL if t.spatial else TendonType.FIXED,
                "tendon_matid": lambda t: t.matid,
                "tendon_limited": lambda t: t.limited,
                "tendon_actfrclimited": lambda t: t.actfrclimited,
            },
        ),
        **arrays_of_objects(
            steps,
            {
                "wrap_type": lambda s: s.type,
                "wrap_objid": lambda s: s.objid,
                "wrap_prm": lambda s: s.prm,
                "wrap_sideid": _side_site_id,
            },
        ),
        "tendon_adr": block_addresses(count),
        "tendon_num": field_array("tendon_num", count),
        "tendon_actuatorid": no_references("tendon_actuatorid", len(tendons)),
    }
    return (
        result
        | _tendon_parameters(tendons)
        | path_segments(tendons)
        | _tendon_trees(tendons, arrays)
        | _jacobian_sparsity(tendons, arrays)
    )


def path_segments(tendons: list[CompiledTendon]) -> Arrays:
    """Straight segments along which paths may run, in order.

    From site to site there is one. Over a geom there are three: onto it, off it, and past it where
    the path does not touch it.
    """
    ends: list[tuple[int, int]] = []
    bodies: list[tuple[int, int]] = []
    pulleys: list[int] = []
    count, first = [], 0
    for tendon in tendons:
        before, pulley = len(ends), -1
        for k in range(len(tendon.path) - 1 if tendon.spatial else 0):
            here, after = tendon.path[k], tendon.path[k + 1]
            starts = [k]
            if here.type == WrapType.PULLEY:
                pulley, starts = first + k, []
            elif after.type == WrapType.PULLEY:
                starts = []
            elif here.type != WrapType.SITE:
                starts = [k, k - 1]
            for start in starts:
                ends.append((first + start, first + k + 1))
                bodies.append((tendon.path[start].bodyid, after.bodyid))
                pulleys.append(pulley)
        first += len(tendon.path)
        count.append(len(ends) - before)
    return {
        "tenseg_adr": block_addresses(count),
        "tenseg_num": np.array(count, np.int32),
        "tenseg_step": np.array(ends, np.int32).reshape(-1, 2),
        "tenseg_bodyid": np.array(bodies, np.int32).reshape(-1, 2),
        "tenseg_pulley": np.array(pulleys, np.int32),
    }


def _side_site_id(step: PathStep) -> int:
    """Side site of a step around a geom, as an index for kernels; -1 without one."""
    return round(step.prm) if step.type in (WrapType.SPHERE, WrapType.CYLINDER) else -1


def _tendon_parameters(tendons: list[CompiledTendon]) -> Arrays:
    """Arrays of parameters that are copied from the file."""
    elements = [tendon.element for tendon in tendons]

    return arrays_of_objects(
        elements,
        {
            "tendon_group": lambda e: integer(e, "group"),
            "tendon_width": lambda e: number(e, "width"),
            "tendon_solref_lim": lambda e: numbers(e, "solreflimit"),
            "tendon_solimp_lim": lambda e: numbers(e, "solimplimit"),
            "tendon_solref_fri": lambda e: numbers(e, "solreffriction"),
            "tendon_solimp_fri": lambda e: numbers(e, "solimpfriction"),
            "tendon_range": lambda e: numbers(e, "range"),
            "tendon_actfrcrange": lambda e: numbers(e, "actuatorfrcrange"),
            "tendon_margin": lambda e: number(e, "margin"),
            "tendon_stiffness": lambda e: numbers(e, "stiffness")[0],
            "tendon_stiffnesspoly": lambda e: numbers(e, "stiffness")[1:],
            "tendon_damping": lambda e: numbers(e, "damping")[0],
            "tendon_dampingpoly": lambda e: numbers(e, "damping")[1:],
            "tendon_armature": lambda e: number(e, "armature"),
            "tendon_springyield": lambda e: number(e, "springyield"),
            "tendon_frictionloss": lambda e: number(e, "frictionloss"),
            "tendon_lengthspring": lambda e: numbers(e, "springlength"),
            "tendon_rgba": lambda e: numbers(e, "rgba"),
        },
    )


def tendon_user_array(tendons: list[CompiledTendon], size: Element) -> np.ndarray:
    """User numbers, padded to the longest or to the width that the file gives."""
    rows = [number_list(tendon.element, "user") for tendon in tendons]
    width = integer(size, "nuser_tendon")
    if width == -1:
        width = max((len(row) for row in rows), default=0)
    if width < 0 or width * max(1, len(rows)) > MAX_USER_NUMBERS:
        raise size.error(
            f"got {width}: expected -1, or a size of at most {MAX_USER_NUMBERS} numbers in all",
            "nuser_tendon",
        )
    array = np.zeros((len(rows), width))
    for i, row in enumerate(rows):
        if len(row) > width:
            raise tendons[i].element.error(
                f"has {len(row)} numbers, nuser_tendon={width} allows fewer", "user"
            )
        array[i, : len(row)] = row
    return array


def _tendon_trees(tendons: list[CompiledTendon], arrays: Arrays) -> Arrays:
    """How many kinematic trees a tendon touches, and the first two of them."""
    number_of = np.zeros(len(tendons), np.int32)
    first = np.full((len(tendons), 2), -1, np.int32)
    for i, tendon in enumerate(tendons):
        trees = trees_on_path(tendon, arrays)
        number_of[i] = len(trees)
        first[i, : len(trees)] = trees[:2]
    return {"tendon_treenum": number_of, "tendon_treeid": first}


def trees_on_path(tendon: CompiledTendon, arrays: Arrays) -> list[int]:
    """Kinematic trees along a path, each once, in the order of the path."""
    trees = [int(arrays["body_treeid"][s.bodyid]) for s in tendon.path if s.bodyid >= 0]
    return [tree for tree in dict.fromkeys(trees) if tree >= 0]


def _jacobian_sparsity(tendons: list[CompiledTendon], arrays: Arrays) -> Arrays:
    """Dofs that can change each tendon's length, in rising order."""
    tree = [arrays[f"body_{name}"].tolist() for name in ("parentid", "dofadr", "dofnum")]
    rows = [
        _dofs_above_path(tendon, *tree)
        if tendon.spatial
        else np.sort(arrays["jnt_dofadr"][[step.objid for step in tendon.path]])
        for tendon in tendons
    ]
    count = [len(row) for row in rows]
    return {
        "ten_J_rownnz": field_array("ten_J_rownnz", count),
        "ten_J_rowadr": block_addresses(count),
        "ten_J_colind": concatenated_field("ten_J_colind", rows),
    }


def _dofs_above_path(
    tendon: CompiledTendon, parentid: list[int], dofadr: list[int], dofnum: list[int]
) -> np.ndarray:
    """Dofs on the way from the bodies of a path to the root."""
    found: list[int] = []
    seen: set[int] = set()
    for body in {step.bodyid for step in tendon.path}:
        while body > 0 and body not in seen:
            seen.add(body)
            found += range(dofadr[body], dofadr[body] + dofnum[body])
            body = parentid[body]
    return np.array(sorted(found), np.int32)


# ---------------------------------------------------------------------- effects on the tree


def bodies_with_armature(tendons: list[CompiledTendon]) -> list[int]:
    """Bodies on the paths of tendons with armature: their rows of M are full, not diagonal."""
    with_armature = (tendon for tendon in tendons if tendon.armature_element)
    return sorted({step.bodyid for t in with_armature for step in t.path if step.bodyid >= 0})


def set_tendon_sleep_policy(tendons: list[CompiledTendon], arrays: Arrays) -> None:
    """Set the sleep policy of trees coupled by a tendon with force, or of more than two trees."""
    policy = arrays["tree_sleep_policy"]
    for i, tendon in enumerate(tendons):
        trees = trees_on_path(tendon, arrays)
        passive = any(
            np.any(arrays[f"tendon_{name}"][i])
            for name in ("stiffness", "stiffnesspoly", "damping", "dampingpoly")
        )
        driven = next(iter(tendon.armature_actuators + tendon.damping_actuators), None)
        if len(trees) < 2 or (len(trees) == 2 and not passive and driven is None):
            continue
        for tree in trees:
            if policy[tree] == SLEEP_AUTO_ALLOWED:
                policy[tree] = SLEEP_AUTO_NEVER
            elif policy[tree] > SLEEP_NEVER:
                raise _awake_error(tendon, len(trees), None if passive else driven)


def _awake_error(tendon: CompiledTendon, trees: int, driven: Element | None) -> MjcfError:
    """The error for trees that ask for sleep, and are coupled by a tendon with force."""
    if trees == 2 and driven is not None:
        attribute = "damping" if driven in tendon.damping_actuators else "armature"
        return driven.error(
            "bodies coupled by the tendon of this actuator may not sleep", attribute
        )
    why = "spans more than two trees" if trees > 2 else "has stiffness or damping"
    return tendon.element.error(f"this tendon {why}: the bodies that it couples may not sleep")


def names_in_tendons(elements: list[Element]) -> set[str]:
    """Names of the geoms that tendons wrap around."""
    return {str(step["geom"]) for one in elements for step in one.children if step.tag == "geom"}
