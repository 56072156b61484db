"""Kinematics, M, tendons and transmissions of a model that is being compiled, at a given qpos.

The kernels of a step run on the arrays of the half-made model: there is no second kinematics here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from cortenforge.compile.constants.inverse_inertia import SparseRow, inverse_inertia_products
from cortenforge.compile.pack.sparsity import factor_run_lengths
from cortenforge.fields import DATA_FIELDS, MODEL_FIELDS, Field
from cortenforge.kernel import Kernel
from cortenforge.kernel.load.run import run_on
from cortenforge.step.constants import FIXED
from cortenforge.step.engine import ENGINE
from cortenforge.step.forward import forward_inertia, forward_kinematics
from cortenforge.step.position.mass_matrix import factor_inertia
from cortenforge.step.position.tendons import tendon_lengths
from cortenforge.step.position.transmission import transmission

Arrays = dict[str, np.ndarray]

#: bodies, joints, geoms, sites and entries of M that are done as plain Python in the time that it
#: takes to load compiled code, about five milliseconds; steps of tendons count for more
MAX_PLAIN_OBJECTS = 700
WRAP_COST = 5
#: the modules of the kernels below
KINEMATICS_MODULES = [
    f"step.position.{name}"
    for name in (
        "kinematics",
        "frames",
        "cameras_and_lights",
        "com",
        "mass_matrix",
        "tendons",
        "transmission",
    )
]
#: inputs of the kernels of the first stages of a step, and the fields that these compute
KINEMATICS_FIELDS = [
    field
    for field in DATA_FIELDS
    if field.name in ("qpos", "mocap_pos", "mocap_quat", "status", "run_stirs", "settled")
    or any(module in KINEMATICS_MODULES for module in field.written_by)
]
#: model fields that are computed from these, or later: zeros do, with fixed cameras and full rows
UNSET_MODEL_FIELDS = [
    field
    for field in MODEL_FIELDS
    if field.name
    in ("opt_enableflags", "nrun", "runs", "dof_M0", "cam_pos0", "cam_poscom0", "cam_mat0")
    or field.name in ("light_pos0", "light_poscom0", "light_dir0", "static_version", "moving_geom")
]
#: for each size of a model, the first of the arrays that are as long
SIZE_ARRAYS = {
    field.shape[0]: field.name
    for field in reversed(MODEL_FIELDS)
    if field.shape and isinstance(field.shape[0], str)
}


class ReferenceKinematics(SimpleNamespace):
    """Fields of Data that follow from positions: `xpos`, `xquat`, `geom_xpos`, ...

    Cameras and lights are placed as if they were fixed to their bodies. With `weighed`, cinert,
    cdof and M are computed as well. M holds all rows in full, also those of simple dofs, which
    start at `dof_Madr`.
    """

    def __init__(self, arrays: Arrays, qpos: np.ndarray, *, weighed: bool = False) -> None:
        sizes = _array_sizes(arrays)
        super().__init__(**_zero_arrays(KINEMATICS_FIELDS, sizes))
        self.qpos[:] = qpos
        mocap = np.flatnonzero(arrays["body_mocapid"] >= 0)
        order = arrays["body_mocapid"][mocap]
        self.mocap_pos[order] = arrays["body_pos"][mocap]
        self.mocap_quat[order] = arrays["body_quat"][mocap]
        model = (
            _zero_arrays(UNSET_MODEL_FIELDS, sizes)
            | _with_fixed_cameras(arrays)
            | _full_inertia_pattern(arrays)
            | sizes
        )
        self._run_on(
            model, (forward_kinematics, forward_inertia) if weighed else (forward_kinematics,)
        )

    def add_tendons(self, arrays: Arrays) -> None:
        """Compute ten_length; if weighed, ten_J and the armature of tendons in M, too."""
        sizes = _array_sizes(arrays)
        if sizes["ntendon"] > 0:
            self._run_on(arrays | _full_inertia_pattern(arrays) | sizes, (tendon_lengths,))

    def inverse_products(
        self, arrays: Arrays, rows: list[SparseRow]
    ) -> tuple[np.ndarray, np.ndarray]:
        """|M^-1 J'| and J M^-1 J' of sparse rows J; needs M with tendons."""
        if not rows:
            return np.zeros(0), np.zeros(0)
        sizes = _array_sizes(arrays)
        model = (
            _zero_arrays(UNSET_MODEL_FIELDS, sizes) | arrays | _full_inertia_pattern(arrays) | sizes
        )
        if not self.qLDiagInv.any():
            self._run_on(model, (factor_inertia,))
        return inverse_inertia_products(model, self.qLD, self.qLDiagInv, rows)

    def add_transmissions(self, arrays: Arrays) -> None:
        """Compute actuator_length; if weighed, actuator_moment, too."""
        sizes = _array_sizes(arrays)
        if sizes["nactuator"] > 0:
            self._run_on(arrays | sizes, (transmission,))

    def _run_on(self, model: Mapping[str, Any], kernels: tuple[Kernel, ...]) -> None:
        count = sum(model[n] for n in ("nbody", "njnt", "ngeom", "nsite", "nC"))
        small = count + WRAP_COST * model["nwrap"] < MAX_PLAIN_OBJECTS
        run_on(kernels, lambda: ENGINE.linker, model, vars(self), small=small)


def _zero_arrays(fields: Iterable[Field], sizes: dict[str, int]) -> Arrays:
    return {field.name: np.zeros(field.shape_for(sizes), field.dtype) for field in fields}


def _array_sizes(arrays: Arrays) -> dict[str, int]:
    """Sizes of a model, from the lengths of its arrays."""
    sizes = {name: len(arrays[array]) for name, array in SIZE_ARRAYS.items() if array in arrays}
    sizes["nmocap"] = int(np.sum(arrays["body_mocapid"] >= 0))
    # no tree yet: static geoms are placed with all others
    sizes |= {"nstatic": 0, "nmoving": 0}
    # rows of M in full
    sizes["nC"] = int(arrays["D_diag"].sum()) + len(arrays["D_diag"])
    return sizes


def _with_fixed_cameras(arrays: Arrays) -> Arrays:
    """The model with all cameras and lights in mode fixed."""
    modes = {name: np.full_like(arrays[name], FIXED) for name in ("cam_mode", "light_mode")}
    return arrays | modes


def _full_inertia_pattern(arrays: Arrays) -> Arrays:
    """The pattern of M with all rows in full: a simple row would need dof_M0, not known yet."""
    start, number = arrays["dof_Madr"], arrays["D_diag"] + 1
    # the row of a dof in D begins with the dofs above it and itself
    within = np.arange(int(number.sum())) - np.repeat(start, number)
    full = number.astype(np.int32)
    return {
        "dof_simplenum": np.zeros_like(arrays["dof_simplenum"]),
        "M_rowadr": start,
        "M_rownnz": full,
        "dof_runlength": factor_run_lengths(arrays["dof_parentid"], full),
        "M_colind": arrays["D_colind"][np.repeat(arrays["D_rowadr"], number) + within],
    }
