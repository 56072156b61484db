"""Where a model's things are and how heavy they are for given joint positions, by its own engine.

The kernels of a step run on the arrays of a model that is being compiled: there is no second
kinematics here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from cortenforge.compile.constants.response import Row, responses
from cortenforge.compile.pack.sparsity import run_lengths
from cortenforge.fields import DATA_FIELDS, MODEL_FIELDS, Field
from cortenforge.kernel import Kernel
from cortenforge.kernel.load.run import run_on
from cortenforge.step.constants import FIXED
from cortenforge.step.engine import ENGINE
from cortenforge.step.forward import place, weigh
from cortenforge.step.position.inertia import factor_inertia
from cortenforge.step.position.tendons import tendons
from cortenforge.step.position.transmission import transmission

Arrays = dict[str, np.ndarray]

#: bodies, joints, geoms, sites and entries of M that are done as plain Python in the time that it
#: takes to load compiled code, about five milliseconds; steps of tendons count for more
SMALL = 700
PER_STEP = 5
#: the modules of the kernels below
WRITERS = [
    f"step.position.{name}"
    for name in ("kinematics", "frames", "cameras", "com", "inertia", "tendons", "transmission")
]
#: what a step gives to the kernels of its first stages, and what these work out
PLACED = [
    field
    for field in DATA_FIELDS
    if field.name in ("qpos", "mocap_pos", "mocap_quat", "status", "run_stirs", "settled")
    or any(module in WRITERS for module in field.written_by)
]
#: follows from what is worked out here, or comes later; fixed cameras and full rows do without
NOT_YET = [
    field
    for field in MODEL_FIELDS
    if field.name
    in ("opt_enableflags", "nrun", "runs", "dof_M0", "cam_pos0", "cam_poscom0", "cam_mat0")
    or field.name in ("light_pos0", "light_poscom0", "light_dir0", "static_version", "moving_geom")
]
#: for each size of a model, the first of the arrays that are as long
LENGTHS = {
    field.shape[0]: field.name
    for field in reversed(MODEL_FIELDS)
    if field.shape and isinstance(field.shape[0], str)
}


class Placed(SimpleNamespace):
    """Fields of Data that follow from positions: `xpos`, `xquat`, `geom_xpos`, ...

    Cameras and lights are where they would be if they were fixed to their bodies. M, if asked for,
    holds all rows in full, also those of simple dofs: `dof_Madr` tells where they start.
    """

    def __init__(self, arrays: Arrays, qpos: np.ndarray, *, weighed: bool = False) -> None:
        sizes = _sizes(arrays)
        super().__init__(**_zeros(PLACED, sizes))
        self.qpos[:] = qpos
        mocap = np.flatnonzero(arrays["body_mocapid"] >= 0)
        order = arrays["body_mocapid"][mocap]
        self.mocap_pos[order] = arrays["body_pos"][mocap]
        self.mocap_quat[order] = arrays["body_quat"][mocap]
        model = _zeros(NOT_YET, sizes) | _as_fixed(arrays) | _full_rows(arrays) | sizes
        self._run_on(model, (place, weigh) if weighed else (place,))

    def pull(self, arrays: Arrays) -> None:
        """Go on with lengths of tendons; if weighed, with their gradients and their share of M."""
        sizes = _sizes(arrays)
        if sizes["ntendon"] > 0:
            self._run_on(arrays | _full_rows(arrays) | sizes, (tendons,))

    def respond(self, arrays: Arrays, rows: list[Row]) -> tuple[np.ndarray, np.ndarray]:
        """For sparse rows J of forces: norm of M^-1 J, and J M^-1 J; weighed and pulled before."""
        if not rows:
            return np.zeros(0), np.zeros(0)
        sizes = _sizes(arrays)
        model = _zeros(NOT_YET, sizes) | arrays | _full_rows(arrays) | sizes
        if not self.qLDiagInv.any():
            self._run_on(model, (factor_inertia,))
        return responses(model, self.qLD, self.qLDiagInv, rows)

    def drive(self, arrays: Arrays) -> None:
        """Go on with lengths of transmissions, and with their moment arms if weighed."""
        sizes = _sizes(arrays)
        if sizes["nactuator"] > 0:
            self._run_on(arrays | sizes, (transmission,))

    def _run_on(self, model: Mapping[str, Any], kernels: tuple[Kernel, ...]) -> None:
        count = sum(model[n] for n in ("nbody", "njnt", "ngeom", "nsite", "nC"))
        small = count + PER_STEP * model["nwrap"] < SMALL
        run_on(kernels, lambda: ENGINE.linker, model, vars(self), small=small)


def _zeros(fields: Iterable[Field], sizes: dict[str, int]) -> Arrays:
    return {field.name: np.zeros(field.shape_for(sizes), field.dtype) for field in fields}


def _sizes(arrays: Arrays) -> dict[str, int]:
    """Sizes of a model, from the lengths of its arrays."""
    sizes = {name: len(arrays[array]) for name, array in LENGTHS.items() if array in arrays}
    sizes["nmocap"] = int(np.sum(arrays["body_mocapid"] >= 0))
    # no tree yet: static geoms are placed with all others
    sizes |= {"nstatic": 0, "nmoving": 0}
    # rows of M in full
    sizes["nC"] = int(arrays["D_diag"].sum()) + len(arrays["D_diag"])
    return sizes


def _as_fixed(arrays: Arrays) -> Arrays:
    """The model with cameras and lights that do not follow anything."""
    modes = {name: np.full_like(arrays[name], FIXED) for name in ("cam_mode", "light_mode")}
    return arrays | modes


def _full_rows(arrays: Arrays) -> Arrays:
    """A pattern of M in which no dof is simple: a simple row would need the number looked for."""
    start, number = arrays["dof_Madr"], arrays["D_diag"] + 1
    # the row of a dof in D begins with the dofs above it and itself
    within = np.arange(int(number.sum())) - np.repeat(start, number)
    full = number.astype(np.int32)
    return {
        "dof_simplenum": np.zeros_like(arrays["dof_simplenum"]),
        "M_rowadr": start,
        "M_rownnz": full,
        "dof_runlength": run_lengths(arrays["dof_parentid"], full),
        "M_colind": arrays["D_colind"][np.repeat(arrays["D_rowadr"], number) + within],
    }
