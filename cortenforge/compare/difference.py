"""Differences of two arrays, two models or two states."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.compare.hulls import ORDER_DEPENDENT, hull_differences
from cortenforge.compare.oracle import mujoco_module
from cortenforge.enums import Disable, Enable, Gain, SdfShape, SensorType, Transmission
from cortenforge.fields import DATA_FIELDS, ENGINE, EXTENSION_FIELDS, MODEL_FIELDS, Field

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

__all__ = [
    "TOLERANCE",
    "FieldDiff",
    "compare_data",
    "compare_model",
    "forward_fields",
    "solved_fields",
    "step_fields",
]

#: largest difference of a real number: in Data relative to the field's largest entry (at least
#: 1), in Model relative to the largest number of the same object
TOLERANCE = 1e-10
#: numbers of a Model that are zero but for rounding may differ by this
MODEL_NOISE = 1e-14
#: fields made with the inverse of the inertia matrix: what is zero but for rounding is multiplied
#: by inverse inertias, which are 1e15 if the matrix is singular, as with two slides along one axis
FROM_INVERSE_INERTIA = frozenset(
    {"dof_invweight0", "body_invweight0", "tendon_invweight0", "actuator_acc0"}
)
#: fields that MuJoCo computes with single-precision functions of the system's library (`atan2f`),
#: which may be one unit off there and here, from one library to the next
SINGLE_PRECISION = frozenset({"cam_fovy"})
SINGLE_UNIT = 2.0**-23

VISUAL_GROUPS = ("global", "quality", "headlight", "map", "scale", "rgba")
#: groups of fields that MuJoCo does not have
OWN_GROUPS = ("status", "own", "noise", "soft", "soft state", "soft input")
#: fields of plugins: types of gains, distance functions and sensors here
PLUGIN_FIELDS = (
    "nplugin",
    "actuator_plugin",
    "actuator_gaintype",
    "actuator_gainprm",
    "geom_plugin",
    "sensor_plugin",
)
#: lists of variable length, compared in other ways (conformance: collision, rows)
LIST_GROUPS = ("contact", "constraint", "solver")
#: factors computed by a step; MuJoCo does not update those of sleeping trees
FACTOR_FIELDS = frozenset({"qH", "qHDiagInv", "qDeriv", "qLU"})
#: modules that run in steps, but in no forward evaluation
STEP_MODULES = ("step.integrate.", "step.derivative.", "step.metric.")
#: points of paths; MuJoCo does not clear those after the last one
PATH_FIELDS = frozenset({"wrap_obj", "wrap_xpos"})


@dataclass(frozen=True)
class FieldDiff:
    """One field of both engines: the largest scaled difference, and where it is."""

    name: str
    error: float
    tolerance: float
    where: tuple[int, ...] = ()
    ours: float = 0.0
    theirs: float = 0.0
    note: str = ""

    @property
    def ok(self) -> bool:
        return self.error <= self.tolerance

    def __str__(self) -> str:
        if self.note:
            return f"{self.name}: {self.note}"
        place = f"[{', '.join(map(str, self.where))}]" if self.where else ""
        return f"{self.name}{place}: {self.ours!r}, MuJoCo {self.theirs!r}, error {self.error:.2g}"


def difference(
    name: str, ours: Any, theirs: Any, tolerance: float = TOLERANCE, noise: float = 0.0
) -> FieldDiff:
    """Compare one field: integers exactly, reals to the tolerance, shapes always.

    noise: numbers may differ by this, which is the rounding of what they are made of.
    """
    a, b = np.asarray(ours), np.asarray(theirs)
    # MuJoCo keeps sizes of zero flat, and some bytes as booleans: compare what they hold
    if a.size == 0 and b.size == 0:
        return FieldDiff(name, 0.0, tolerance)
    if a.shape != b.shape:
        return FieldDiff(name, np.inf, tolerance, note=f"shape {a.shape}, MuJoCo {b.shape}")
    exact = not (np.issubdtype(a.dtype, np.floating) or np.issubdtype(b.dtype, np.floating))
    x, y = np.atleast_1d(a).astype(np.float64), np.atleast_1d(b).astype(np.float64)
    with np.errstate(invalid="ignore"):
        gap = np.where(x == y, 0.0, np.abs(x - y))
    # a NaN is an infinite error, even if MuJoCo has one, too
    gap = np.where(np.isfinite(gap), gap, np.inf)
    gap[gap <= noise] = 0.0
    where = np.unravel_index(int(np.argmax(gap)), gap.shape)
    scale = 1.0 if exact else max(1.0, float(np.max(np.abs(y))))
    return FieldDiff(
        name,
        float(gap[where]) / scale,
        0.0 if exact else tolerance,
        tuple(int(i) for i in where) if a.ndim else (),
        float(x[where]),
        float(y[where]),
    )


def object_difference(
    name: str, ours: Any, theirs: Any, tolerance: float, noise: float = MODEL_NOISE
) -> FieldDiff:
    """Compare a field of Model: reals relative to the largest number of their row."""
    whole = difference(name, ours, theirs, tolerance)
    shape, kind = np.shape(theirs), np.asarray(theirs).dtype.kind
    if kind != "f" or not np.size(theirs) or not np.isfinite(whole.error):
        return whole
    rows = shape[0] if shape else 1
    x, y = (np.asarray(side, np.float64).reshape(rows, -1) for side in (ours, theirs))
    size = np.abs(np.where(np.isfinite(y), y, 0.0)).max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        gap = np.where(x == y, 0.0, np.abs(x - y))
    gap[gap <= noise] = 0.0
    scaled = gap / np.maximum(size, np.finfo(np.float64).tiny)
    at = int(np.argmax(scaled))
    where = tuple(int(i) for i in np.unravel_index(at, shape)) if shape else ()
    error, mine, other = (float(side.flat[at]) for side in (scaled, x, y))
    return FieldDiff(name, error, tolerance, where, mine, other)


# ---------------------------------------------------------------------- model


def compare_model(model: Model, reference: Any, tolerance: float = TOLERANCE) -> list[FieldDiff]:
    """Every size, array, option, statistic and visual setting of a Model against an MjModel."""
    plugged = bool(np.any(model.actuator_gaintype == Gain.PIDPLUGIN))
    plugged |= bool(np.any(model.geom_sdf >= SdfShape.BOLT))
    plugged |= bool(np.any(model.sensor_type == SensorType.PLUGIN))
    left_out = PLUGIN_FIELDS if plugged else ()
    sizes = [
        difference(name, size, getattr(reference, name))
        for name, size in model.sizes.items()
        if name not in left_out and name not in EXTENSION_FIELDS
    ]
    if not all(diff.ok for diff in sizes):
        return sizes  # arrays of different lengths would only repeat it
    beside = {*ORDER_DEPENDENT, *left_out, *EXTENSION_FIELDS}
    shared = [f for f in MODEL_FIELDS if f not in ENGINE and f.name not in beside]
    arrays = [_model_field(f.name, model, reference, tolerance) for f in shared]
    visual = [
        object_difference(f"vis.{name}", ours, theirs, tolerance)
        for name, ours, theirs in _visual_pairs(model, reference)
    ]
    return [
        *sizes,
        *arrays,
        *visual,
        *_compare_names(model, reference),
        _hull_row(model, reference),
    ]


def _hull_row(model: Model, reference: Any) -> FieldDiff:
    """Convex hulls of all meshes, as one row."""
    found = hull_differences(
        lambda name: getattr(model, name), lambda name: getattr(reference, name)
    )
    return FieldDiff("mesh_graph", np.inf if found else 0.0, 0.0, note="; ".join(found))


def _model_field(name: str, model: Model, reference: Any, tolerance: float) -> FieldDiff:
    """`opt_timestep` of the table is `opt.timestep` of both engines' models."""
    for group in ("opt", "stat"):
        if name.startswith(f"{group}_"):
            inner = name.removeprefix(f"{group}_")
            ours, theirs = (getattr(getattr(side, group), inner) for side in (model, reference))
            return object_difference(f"{group}.{inner}", ours, theirs, tolerance)
    theirs = getattr(reference, name)
    if isinstance(theirs, bytes):
        theirs = np.frombuffer(theirs, np.uint8)
    noise = _noise_of_inverses(reference) if name in FROM_INVERSE_INERTIA else MODEL_NOISE
    tolerance = max(tolerance, SINGLE_UNIT) if name in SINGLE_PRECISION else tolerance
    return object_difference(name, getattr(model, name), theirs, tolerance, noise)


def _noise_of_inverses(reference: Any) -> float:
    """Rounding error of zero, times the largest inverse inertia."""
    largest = float(np.max(reference.dof_invweight0, initial=0.0))
    return max(MODEL_NOISE, float(np.finfo(np.float64).eps) * largest)


def _visual_pairs(model: Model, reference: Any) -> Iterator[tuple[str, Any, Any]]:
    for group in VISUAL_GROUPS:
        ours = getattr(model.vis, group)
        # `global` is a keyword of Python: MuJoCo's module appends an underscore
        theirs = getattr(reference.vis, "global_" if group == "global" else group)
        for name in dir(theirs):
            value = getattr(theirs, name)
            # MuJoCo's module gives some colours (rgba.bv) as empty arrays
            if not name.startswith("_") and not callable(value) and np.size(value):
                yield f"{group}.{name}", getattr(ours, name), value


def _compare_names(model: Model, reference: Any) -> Iterator[FieldDiff]:
    """Names of all objects, as one row a kind."""
    mujoco = mujoco_module()
    for kind, names in model.names.items():
        if kind == "soft":
            continue
        theirs = [
            mujoco.mj_id2name(reference, mujoco.mju_str2Type(kind), number) or ""
            for number in range(len(names))
        ]
        same = list(names) == theirs
        note = "" if same else f"{names}, MuJoCo {theirs}"
        yield FieldDiff(f"names.{kind}", 0.0 if same else np.inf, 0.0, note=note)


# ---------------------------------------------------------------------- data


def forward_fields(model: Model, *, smooth_only: bool = False) -> list[Field]:
    """Data fields that a forward evaluation of this model computes in both engines."""
    left_out = _marked("constrained") | _fields_beyond_smooth(model) if smooth_only else set()
    if not int(model.opt.enableflags) & Enable.ENERGY:
        left_out.add("energy")
    return [
        field
        for field in DATA_FIELDS
        if field.role != "scratch"
        and field.group not in (*OWN_GROUPS, *LIST_GROUPS)
        and field.name not in left_out
        and not _written_in_steps_only(field)
    ]


def solved_fields() -> set[str]:
    """Data fields that are as exact as the constraint solver."""
    return _marked("constrained") | {"sensordata", "qfrc_inverse", "solver_fwdinv"}


def _marked(mark: str) -> set[str]:
    """Data fields with a mark in the field table."""
    return {field.name for field in DATA_FIELDS if mark in field.marks}


def _fields_beyond_smooth(model: Model) -> set[str]:
    """Fields that depend on stages which a smooth evaluation leaves out."""
    found: set[str] = set()
    if model.nsensor:
        found.add("sensordata")
    if _has_adhesion(model):
        found |= {"qfrc_adhesion", "qfrc_passive", "qfrc_smooth", "qacc_smooth"}
    return found


def _has_adhesion(model: Model) -> bool:
    """Whether contacts have adhesion, which MuJoCo counts among passive forces."""
    return bool(np.any(model.geom_adhesion) or np.any(model.pair_adhesion))


def step_fields() -> list[Field]:
    """Data fields that a step advances, or that only a step computes."""
    return [
        field
        for field in DATA_FIELDS
        if (field.role == "state" and field.group not in OWN_GROUPS)
        or _written_in_steps_only(field)
    ]


def _written_in_steps_only(field: Field) -> bool:
    writers = field.written_by
    derived = field.role == "derived" and field.group not in OWN_GROUPS
    # derivatives of forces are needed by implicit integrators only
    return derived and bool(writers) and all(writer.startswith(STEP_MODULES) for writer in writers)


def compare_data(
    data: Data, reference: Any, fields: Iterable[Field], tolerance: float = TOLERANCE
) -> list[FieldDiff]:
    """Differences of some fields between a Data and an MjData."""
    noise = _noise_of_sums(data, reference)
    return [
        difference(f.name, *_field_pair(f, data, reference), tolerance, noise.get(f.name, 0.0))
        for f in fields
    ]


def _noise_of_sums(data: Data, reference: Any) -> dict[str, float]:
    """Rounding errors, by field, of sums whose terms may cancel.

    They do in free fall, between bodies that are pressed together, and with singular inertia.
    """
    model = data.model
    fastest = float(np.max(np.abs(reference.qacc), initial=0.0))
    fall = float(np.linalg.norm(model.opt.gravity)) + fastest
    noise = 16 * float(np.finfo(np.float64).eps)
    pushes = fall * float(model.body_mass.sum()) + float(np.sum(np.abs(reference.efc_force)))
    # the solver's residual is relative to its forces
    left = 1e-8 * float(np.max(np.abs(reference.qfrc_constraint), initial=0.0))
    inverse = {"qfrc_inverse": left, "solver_fwdinv": left * np.sqrt(max(1, model.nv))}
    # forces between bodies are differences of external and inertial ones, as exact as
    # accelerations, which are compared as well
    between = 1e-12 * float(np.max(np.abs(reference.cfrc_ext), initial=0.0))
    between += float(model.body_mass.sum() * np.max(np.abs(data.cacc - reference.cacc)))
    return {"cacc": noise * fall, "cfrc_int": noise * pushes + between} | inverse


def _field_pair(field: Field, data: Data, reference: Any) -> tuple[Any, Any]:
    """Values of a field in both engines."""
    ours, theirs = getattr(data, field.name), _reference_field(field, reference)
    if field.name == "actuator_moment":
        # MuJoCo's sparsity pattern depends on the position
        return _dense_moments(data, ours, data.model), _dense_moments(data, theirs, reference)
    if field.name == "actuator_length":
        return _half_turn_signs(data.model, ours, theirs), theirs
    if field.name == "history" and int(data.model.opt.disableflags) & Disable.SENSOR:
        # MuJoCo stores readings, after the controls, even of disabled sensors
        controls = slice(0, _first_of_sensors(data.model))
        return ours[controls], theirs[controls]
    if field.name in FACTOR_FIELDS and data.ntree_awake < data.model.ntree:
        awake = _awake_entries(field.name, data)
        return ours[awake], theirs[awake]
    return ours, theirs


def _half_turn_signs(model: Model, ours: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """Our lengths, with the sign of the reference where a rotation by pi has two."""
    found = ours.copy()
    for a in np.flatnonzero(model.actuator_trntype == Transmission.SO3):
        outputs = slice(model.actuator_outadr[a], model.actuator_outadr[a] + 3)
        half = np.isclose(
            np.linalg.norm(theirs[outputs]), np.pi * _so3_gear(model, int(a)), rtol=1e-9
        )
        if half and np.allclose(ours[outputs], -theirs[outputs], rtol=1e-9):
            found[outputs] = -ours[outputs]
    return found


def _so3_gear(model: Model, a: int) -> float:
    """Length of an actuator over the rotation of its joint."""
    return float(np.abs(model.actuator_gear[model.actuator_outadr[a], 0]))


def _awake_entries(name: str, data: Data) -> np.ndarray:
    """Mask of the entries of a factor that belong to awake trees."""
    model = data.model
    awake: np.ndarray = data.tree_awake[model.dof_treeid] == 1
    if name == "qHDiagInv":
        return awake
    return np.repeat(awake, model.M_rownnz if name == "qH" else model.D_rownnz)


def _first_of_sensors(model: Model) -> int:
    """Index at which the histories of sensors start."""
    starts = model.sensor_historyadr[model.sensor_historyadr >= 0]
    return int(starts.min()) if len(starts) else int(model.nhistory)


def _reference_field(field: Field, reference: Any) -> Any:
    """A field of an MjData, with unused points of paths set to zero."""
    value = getattr(reference, field.name)
    if field.name not in PATH_FIELDS or not value.size:
        return value
    points = int(reference.ten_wrapnum.sum())
    used = np.array(value).reshape(2 * len(value), -1)
    used[points:] = 0
    return used.reshape(value.shape)


def _dense_moments(data: Data, values: np.ndarray, pattern: Any) -> np.ndarray:
    """Moment arms as a matrix, (nout, nv); rows as a Model or an MjData has them."""
    full = np.zeros((data.model.nout, data.model.nv))
    for out, (start, count) in enumerate(
        zip(pattern.moment_rowadr.tolist(), pattern.moment_rownnz.tolist(), strict=True)
    ):
        full[out, pattern.moment_colind[start : start + count]] = values[start : start + count]
    return full
