"""Derived constants of a model that was edited in place, computed again.  Mirrors mj_setConst.

What is read and written is what MuJoCo 4.0 reads and writes. The structure of a model (parents,
addresses, sparsity, topology of bounding volume trees) stays. Rest lengths of tendon springs,
damping ratios of servos and statistics are computed by the compiler only. The equations are those
of the compiler's passes: `compile.constants.reference_constants` and its neighbours.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.compile.assets.hfields import HFieldExtent
from cortenforge.compile.constants.actuator_constants import link_actuators
from cortenforge.compile.constants.reference_constants import derive_constants
from cortenforge.compile.constants.tendon_constants import InertiaNotPositiveError
from cortenforge.compile.elements.primitive_shapes import fluid_coefficients, shape_aabb
from cortenforge.compile.pack.bvh import geom_boxes_in_inertial_frames
from cortenforge.compile.pack.tree import frame_relative_to_body, part_sameframes
from cortenforge.enums import GeomType, SameFrame
from cortenforge.errors import ModelError
from cortenforge.fields import MODEL_LAYOUT
from cortenforge.model.changes.bounding_radius import bounding_radius
from cortenforge.model.internals import store_of

if TYPE_CHECKING:
    from cortenforge.model import Model

Arrays = dict[str, np.ndarray]

#: the arrays that are computed
DERIVED_FIELDS = (
    "actuator_acc0", "actuator_length0", "body_conaffinity", "body_contype", "body_invweight0",
    "body_margin", "body_sameframe", "body_subtreemass", "bvh_aabb", "cam_mat0", "cam_pos0",
    "cam_poscom0", "dof_M0", "dof_invweight0", "dof_length", "eq_data", "geom_aabb", "geom_fluid",
    "geom_rbound", "geom_sameframe", "geom_size", "jnt_actuatorid", "light_dir0", "light_pos0",
    "light_poscom0", "site_sameframe", "tendon_actuatorid", "tendon_invweight0", "tendon_length0",
    "tree_sleep_policy",
)  # fmt: skip
PRIMITIVE_TYPES = (
    GeomType.PLANE,
    GeomType.SPHERE,
    GeomType.CAPSULE,
    GeomType.ELLIPSOID,
    GeomType.CYLINDER,
    GeomType.BOX,
)
#: body_simple of bodies whose inertia matrix is their mass
SIMPLE_AND_SLIDING = 2
SLEEP_AUTO_ALLOWED, SLEEP_AUTO_NEVER = 2, 1


def set_const(model: Model) -> None:
    """Compute derived constants of a model again; nothing is changed if it raises."""
    arrays = _derived_arrays(model, {})
    for name in DERIVED_FIELDS:
        store_of(model).assign(name, arrays[name])
    for name, value in _usage_sizes(arrays).items():
        _set_model_size(model, name, value)


def derived_constants(model: Model, own: Mapping[str, np.ndarray]) -> Arrays:
    """Derived constants of a model with some fields replaced; the model itself stays.

    own: the other values, by name of the field.
    """
    arrays = _derived_arrays(model, own)
    return {name: arrays[name] for name in DERIVED_FIELDS}


def _derived_arrays(model: Model, own: Mapping[str, np.ndarray]) -> Arrays:
    """All fields of a model, some replaced by `own`, with the constants computed from them."""
    arrays = {**store_of(model).arrays, **own}
    arrays |= {name: arrays[name].copy() for name in DERIVED_FIELDS}
    with np.errstate(all="ignore"):
        try:
            _check_sliding_masses(arrays, model)
            _set_sameframes(arrays, model)
            _set_geom_bounds(arrays)
            _set_contact_masks(arrays)
            _set_bvh_boxes(arrays)
            link_actuators(arrays)
            _update_sleep_policy(arrays)
            derive_constants(arrays)
        except InertiaNotPositiveError as problem:
            raise ModelError(
                "the inertia matrix with the armature of tendons is not positive definite: raise "
                "dof_armature of the joints that these tendons connect, or lower tendon_armature"
            ) from problem
        except ArithmeticError as problem:
            raise ModelError(f"values of this model overflow or underflow: {problem}") from problem
    return arrays


def _check_sliding_masses(arrays: Arrays, model: Model) -> None:
    """Refuse bodies that only slide, and whose inertia is their mass, if that is zero."""
    massless = np.flatnonzero(
        (arrays["body_simple"] == SIMPLE_AND_SLIDING) & (arrays["body_mass"] == 0)
    )
    if len(massless):
        body = int(massless[0])
        raise ModelError(
            f"body {model.name_of('body', body) or body} slides and its mass is zero: set "
            f"body_mass[{body}]"
        )


def _set_sameframes(arrays: Arrays, model: Model) -> None:
    """Set body_sameframe, geom_sameframe, site_sameframe; refuse simple bodies that moved."""
    same = frame_relative_to_body(arrays["body_ipos"], arrays["body_iquat"])
    same[0] = SameFrame.BODY
    moved = np.flatnonzero((arrays["body_simple"] > 0) & (same != SameFrame.BODY))
    if len(moved):
        body = int(moved[0])
        raise ModelError(
            f"body {model.name_of('body', body) or body} was compiled as simple (inertial frame "
            "equal to the body frame), and body_ipos or body_iquat no longer are: load it with "
            '<body simple="false">'
        )
    arrays["body_sameframe"] = same
    for kind in ("geom", "site"):
        arrays[f"{kind}_sameframe"] = part_sameframes(arrays, kind, arrays)


def _set_geom_bounds(arrays: Arrays) -> None:
    """Set bounding spheres, AABBs and fluid coefficients of geoms by their sizes.

    Meshes and geoms of type sdf keep their bounds.
    """
    for i, kind in enumerate(arrays["geom_type"].tolist()):
        size = tuple(arrays["geom_size"][i].tolist())
        if kind == GeomType.HFIELD:
            field = HFieldExtent(tuple(arrays["hfield_size"][arrays["geom_dataid"][i]].tolist()))
            arrays["geom_size"][i] = size = field.geom_size
            arrays["geom_aabb"][i], arrays["geom_rbound"][i] = field.box, field.radius
        elif kind in PRIMITIVE_TYPES:
            arrays["geom_aabb"][i] = shape_aabb(GeomType(kind), size)
            arrays["geom_rbound"][i] = bounding_radius(GeomType(kind), size)
        if arrays["geom_fluid"][i, 0]:
            given = tuple(arrays["geom_fluid"][i, 1:6].tolist())
            arrays["geom_fluid"][i] = fluid_coefficients(GeomType(kind), size, given)


def _set_contact_masks(arrays: Arrays) -> None:
    """Set contact bits and margins of bodies: the union, and the maximum, over their geoms."""
    body = arrays["geom_bodyid"]
    for name in ("contype", "conaffinity"):
        arrays[f"body_{name}"][:] = 0
        np.bitwise_or.at(arrays[f"body_{name}"], body, arrays[f"geom_{name}"])
    arrays["body_margin"][:] = 0
    np.maximum.at(arrays["body_margin"], body, arrays["geom_margin"] + arrays["geom_gap"])


def _set_bvh_boxes(arrays: Arrays) -> None:
    """Set the boxes of bounding volume trees, whose topology stays, from the leaves up."""
    low, high = geom_boxes_in_inertial_frames(arrays)
    first, number = arrays["body_bvhadr"], arrays["body_bvhnum"]
    for start, count in zip(first[number > 0].tolist(), number[number > 0].tolist(), strict=True):
        corners: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        # children come after their parents
        for node in range(count - 1, -1, -1):
            geom = int(arrays["bvh_nodeid"][start + node])
            if geom >= 0:
                found = low[geom], high[geom]
            else:
                (a, b), (c, d) = (corners[int(n)] for n in arrays["bvh_child"][start + node])
                found = np.minimum(a, c), np.maximum(b, d)
            corners[node] = found
            arrays["bvh_aabb"][start + node] = (
                *((found[0] + found[1]) / 2),
                *((found[1] - found[0]) / 2),
            )


def _update_sleep_policy(arrays: Arrays) -> None:
    """Set the policy of trees coupled by a tendon with force: they never sleep.

    That is a tendon between two trees with a spring, a damper, or an actuator that adds damping
    or armature.
    """
    policy = arrays["tree_sleep_policy"]
    pulls = arrays["tendon_actuatorid"] != -1
    for name in ("stiffness", "stiffnesspoly", "damping", "dampingpoly"):
        values = arrays[f"tendon_{name}"]
        pulls |= values.any(axis=tuple(range(1, values.ndim)))
    joined = arrays["tendon_treeid"][pulls & (arrays["tendon_treenum"] == 2)]
    policy[joined] = np.where(
        policy[joined] == SLEEP_AUTO_ALLOWED, SLEEP_AUTO_NEVER, policy[joined]
    )


def _usage_sizes(arrays: Arrays) -> dict[str, int]:
    """Sizes and flags that say which optional forces are in use."""
    lifted = arrays["body_gravcomp"] > 0
    sticky = np.any(arrays["geom_adhesion"]) or np.any(arrays["pair_adhesion"])
    return {
        "ngravcomp": int(np.sum(lifted)),
        "flg_gravcomp": int(np.any(lifted)),
        "flg_surfacevel": int(np.any(arrays["geom_surfacevel"])),
        "flg_adhesion": int(sticky),
    }


def _set_model_size(model: Any, name: str, value: int) -> None:
    """A size is kept in three places: for Python twice, for kernels in the block."""
    model.sizes[name] = value
    model.__dict__[name] = value
    entry = MODEL_LAYOUT.entries.get(name)
    if entry is not None:
        store_of(model).block[entry.word] = value
