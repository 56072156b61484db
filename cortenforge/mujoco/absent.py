"""Why names of `mujoco` are absent here, and what to use instead."""

from __future__ import annotations

import re

from cortenforge.mujoco.errors import AbsentError

#: patterns of fields of structs -> why they are absent
ABSENT_FIELDS: dict[str, dict[str, str]] = {
    "MjModel": {
        r"nbuffer|narena": "memory of this engine has no such buffers; pickle.dumps(model) has the "
        "size of a model in bytes",
    },
    "MjData": {
        r"nbuffer|narena|pstack|pbase|parena|maxuse_(stack|arena)": "memory of this engine has no "
        "stack and no arena: it grows when it must",
        r"maxuse_(con|efc)": "memory grows when it must; read ncon and nefc",
        r"threadpool": "threads belong to cortenforge.BatchSim, not to data",
        r"bvh_active": "collisions do not use MuJoCo's bounding volumes; "
        "contact.geom lists geoms that touch",
        r"(efc_Y|efc_AR|nY|nA|efc_b)(_\w+)?": "solvers of this engine do not form the matrix A; "
        "mj_solveM and efc_J give it",
        r"efm_(?!(c|diag|ck|sdiag)$)\w+|nefm\w+": "the metric of a step has another form here; "
        "Data.transition_derivatives gives what follows from it",
        r"solver": "iterations are not recorded; read solver_niter",
        r"iacc|iacc_smooth|ifrc_\w+|iefc_(aref|state|force)": "solvers keep no values by islands; "
        "read qacc[map_idof2dof] or efc_force[map_iefc2efc]",
        r"efc_J_rowsuper": "sparse rows are not grouped; read efc_J_rownnz",
    },
}

#: absent fields that dm_control reads without using them: they raise when they are used
READ_UNUSED = frozenset({"bvh_active"})

#: patterns of functions -> why they are absent
ABSENT_FUNCTIONS: dict[str, str] = {
    r"mjv_(select|\w*[pP]erturb\w*|moveModel|\w*[rR]oom\w*|cameraIn\w+|alignToCamera)": "the mouse "
    "belongs to the viewer; use mujoco.viewer.launch_passive",
    r"mjv_\w+|mjr_\w+": "there is no OpenGL; draw on the arrays of mujoco.Renderer, or of "
    "mjr_readPixels",
    r"mj_flex|mj_rayFlex|mju_rayFlex": "there are no flexes; cf.Cloth and cf.SoftBody are "
    "deformables",
    r"mj_\w*[pP]lugin\w*": "there are no libraries of plugins; docs/mjcf.md lists those built in",
    r"mj_\w*Cache\w*|mj_embedAssets": "assets are kept in the user's cache folder",
    r"mj_addContact": "contacts are found by the engine; set_mjcb_contactfilter leaves some out",
    r"mj_ray(Mesh|Hfield)": "cast the ray with mj_ray, whose geomid says what it hits",
    r"mj_resetDataDebug": "all memory is set by mj_resetData",
    r"mju_getXMLDependencies": "cf.Spec.from_mjcf(file) reads a file with all that it includes",
    r"mju_threadpool": "threads belong to cf.BatchSim",
    r"mj_print\w+": "print a part instead: print(model.body('name'))",
    r"[gs]et_mju_user_(malloc|free)": "memory is managed by Python",
}
#: what is said of anything else; no function may be left to it
OTHERWISE = "it is not there"


def absence(name: str) -> str:
    """Why a function is absent."""
    for pattern, reason in ABSENT_FUNCTIONS.items():
        if re.fullmatch(pattern, name):
            return reason
    return OTHERWISE


def field_absence(struct: str, name: str) -> str | None:
    """Why a field of a struct is absent; None if no row says so."""
    for pattern, reason in ABSENT_FIELDS.get(struct, {}).items():
        if re.fullmatch(pattern, name):
            return reason
    return None


#: other names of `mujoco` -> why they are absent
ABSENT_NAMES: dict[str, str] = {
    r"MjSpec|Mjs\w+|to_zip|from_zip": "edit models by cf.Spec, or write MJCF",
    r"Mjv\w+|Mjr\w+": "there is no OpenGL; use mujoco.Renderer",
    r"MjLog\w+|MjPreContact|Mj\w+Vec": "it is part of MuJoCo's C interface",
    r"MjVfs": "give contents of files as assets={'name': content}",
}


def missing_name(name: str) -> AttributeError:
    """The error for a name that the module does not have: AbsentError if `mujoco` has it."""
    for pattern, reason in ABSENT_NAMES.items():
        if re.fullmatch(pattern, name):
            return AbsentError(f"cortenforge.mujoco has no {name}: {reason}")
    return AttributeError(f"module 'mujoco' has no attribute {name!r}")
