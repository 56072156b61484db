"""The order of compilation."""

from __future__ import annotations

from typing import Any

import numpy as np

from cortenforge.compile import tree as trees
from cortenforge.compile.attribute import integer, number, numbers
from cortenforge.compile.bodies import align_free_body, compile_body
from cortenforge.compile.check import (
    check_body_count,
    check_finite,
    check_inertia,
    check_names,
    user_arrays,
)
from cortenforge.compile.constants import scale_total_mass, set_constants
from cortenforge.compile.custom import names_in_tuples, numeric_arrays, text_arrays, tuple_arrays
from cortenforge.compile.frames import gather_bodies
from cortenforge.compile.fusestatic import discard_visual_geoms, fuse_static_bodies
from cortenforge.compile.inertia import check_moving_body
from cortenforge.compile.joints import check_free_joint, set_spring_dampers
from cortenforge.compile.keyframes import keyframe_arrays
from cortenforge.compile.meshes import Mesh, compile_meshes, kept_meshes, mesh_arrays
from cortenforge.compile.options import (
    CompilerSettings,
    compiler_settings,
    physics_options,
    visual_settings,
)
from cortenforge.compile.records import Body, depth_first
from cortenforge.compile.result import CompiledModel
from cortenforge.compile.sparsity import sparsity_arrays
from cortenforge.compile.tree import Tree
from cortenforge.errors import MjcfError
from cortenforge.spec import Spec

# sizes of what later issues bring: nothing of it is in a model yet
ABSENT = (
    "nu",
    "nactuator",
    "nout",
    "na",
    "nflex",
    "nskin",
    "nhfield",
    "ntex",
    "nmat",
    "npair",
    "nexclude",
    "neq",
    "ntendon",
    "nwrap",
    "nsensor",
    "nsensordata",
    "nplugin",
    "npluginstate",
    "nhistory",
    "nplastic",
    "nemax",
    "nJmom",
    "nJten",
)


def compile_spec(spec: Spec) -> CompiledModel:
    """Compile a description into arrays; raises MjcfError with the place of what is wrong."""
    try:
        with np.errstate(all="ignore"):
            return _compile(spec)
    except ArithmeticError as problem:
        raise MjcfError(
            f"numbers of this model are too large or too small ({problem})", spec.worldbody.where
        ) from problem


def _compile(spec: Spec) -> CompiledModel:
    settings = compiler_settings(spec.compiler)
    world, meshes = _compile_bodies(spec, settings)
    tree = trees.number_objects(world)
    for body in tree.bodies[1:]:
        check_moving_body(body)

    model = CompiledModel(
        opt=physics_options(spec.option, spec.flag),
        vis=visual_settings(spec.visual),
        names=_names(spec, tree) | {"mesh": [mesh.name for mesh in meshes]},
    )
    arrays = model.arrays
    arrays.update(_tree_arrays(tree))
    patterns, pattern_sizes = sparsity_arrays(arrays)
    user, user_sizes = user_arrays(tree, spec.size)
    arrays.update(patterns | user)
    shapes, mesh_sizes = mesh_arrays(meshes)
    arrays.update(shapes)
    arrays.update(numeric_arrays(spec.numerics) | text_arrays(spec.texts))
    arrays.update(tuple_arrays(spec.tuples, model.names))
    arrays.update(keyframe_arrays(spec.keys, spec.size, tree, arrays))
    _extend_names(model.names["key"], len(arrays["key_time"]))

    if settings.settotalmass > 0:
        scale_total_mass(arrays, settings.settotalmass)
    model.stat = set_constants(arrays)
    check_inertia(arrays, tree)
    set_spring_dampers(tree.joints, arrays)
    _override_statistics(model.stat, spec)
    check_finite(arrays | {"stat": np.hstack(list(model.stat.values()))}, tree, spec)
    model.sizes = _sizes(spec, tree, arrays) | pattern_sizes | user_sizes | mesh_sizes
    return model


def _compile_bodies(spec: Spec, settings: CompilerSettings) -> tuple[Body, list[Mesh]]:
    """The world with all bodies compiled, and simplified if asked; the meshes they use."""
    world = gather_bodies(spec.worldbody, settings)
    bodies = depth_first(world)
    check_body_count(bodies)
    check_names(spec, bodies)
    meshes = compile_meshes(spec, bodies)
    znear = number(spec.visual["map"], "znear", 0.01) if "map" in spec.visual else 0.01
    for body in bodies:
        compile_body(body, settings, znear)
    if settings.discardvisual:
        discard_visual_geoms(world, names_in_tuples(spec.tuples, "geom"), settings)
        meshes = kept_meshes(meshes, depth_first(world))
    if settings.fusestatic:
        watched = {part.target for body in bodies for part in (*body.cameras, *body.lights)}
        in_use = names_in_tuples(spec.tuples, "body", "xbody")
        fuse_static_bodies(world, (watched | in_use) - {""}, settings, in_fluid=_in_fluid(spec))
    for body in depth_first(world):
        check_free_joint(body)
        align_free_body(body, settings)
        _collect_contact_bits(body)
    return world, meshes


def _in_fluid(spec: Spec) -> bool:
    """True when the medium acts on bodies."""
    return number(spec.option, "density") != 0 or number(spec.option, "viscosity") != 0


def _collect_contact_bits(body: Body) -> None:
    """What a body's geoms can collide with, and from how far."""
    for geom in body.geoms:
        body.contype |= geom.contype
        body.conaffinity |= geom.conaffinity
        body.margin = max(body.margin, geom.margin + geom.gap)


def _tree_arrays(tree: Tree) -> dict[str, np.ndarray]:
    """Arrays of everything in the kinematic tree."""
    arrays = trees.body_arrays(tree) | trees.joint_arrays(tree) | trees.position_arrays(tree)
    arrays |= trees.dof_arrays(tree, arrays["body_simple"])
    arrays |= trees.tree_arrays(tree, arrays)
    arrays |= trees.geom_arrays(tree, arrays) | trees.site_arrays(tree, arrays)
    return arrays | trees.camera_arrays(tree) | trees.light_arrays(tree)


def _names(spec: Spec, tree: Tree) -> dict[str, list[str]]:
    """Names of objects by type, in the order of ids."""
    objects = {
        "body": tree.bodies,
        "joint": tree.joints,
        "geom": tree.geoms,
        "site": tree.sites,
        "camera": tree.cameras,
        "light": tree.lights,
        "numeric": spec.numerics,
        "text": spec.texts,
        "tuple": spec.tuples,
        "key": spec.keys,
    }
    return {kind: [one.name for one in listed] for kind, listed in objects.items()}


def _extend_names(names: list[str], count: int) -> None:
    """Unnamed objects at the end of the list."""
    names.extend([""] * (count - len(names)))


def _override_statistics(stat: dict[str, Any], spec: Spec) -> None:
    """Statistics that the file gives replace computed ones."""
    for name in ("meaninertia", "meanmass", "meansize", "extent"):
        if spec.statistic[name] is not None:
            stat[name] = number(spec.statistic, name)
    if spec.statistic["center"] is not None:
        stat["center"] = np.array(numbers(spec.statistic, "center", (0.0, 0.0, 0.0)))


def _sizes(spec: Spec, tree: Tree, arrays: dict[str, np.ndarray]) -> dict[str, int]:
    """MuJoCo's size fields."""
    sizes = dict.fromkeys(ABSENT, 0)
    sizes.update(
        nq=tree.nq,
        nv=tree.nv,
        nbody=len(tree.bodies),
        njnt=len(tree.joints),
        ntree=len(arrays["tree_bodyadr"]),
        ngeom=len(tree.geoms),
        nsite=len(tree.sites),
        ncam=len(tree.cameras),
        nlight=len(tree.lights),
        nnumeric=len(arrays["numeric_adr"]),
        nnumericdata=len(arrays["numeric_data"]),
        ntext=len(arrays["text_adr"]),
        ntextdata=len(arrays["text_data"]),
        ntuple=len(arrays["tuple_adr"]),
        ntupledata=len(arrays["tuple_objid"]),
        nkey=len(arrays["key_time"]),
        nmocap=int(np.sum(arrays["body_mocapid"] >= 0)),
        nuserdata=max(0, integer(spec.size, "nuserdata")),
        njmax=integer(spec.size, "njmax", -1),
        nconmax=integer(spec.size, "nconmax", -1),
        ngravcomp=int(np.sum(arrays["body_gravcomp"] > 0)),
        flg_gravcomp=int(np.any(arrays["body_gravcomp"] > 0)),
        flg_surfacevel=int(np.any(arrays["geom_surfacevel"])),
        flg_adhesion=int(np.any(arrays["geom_adhesion"])),
    )
    return sizes
