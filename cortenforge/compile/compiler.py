"""The order of compilation: what each pass computes, and from what.

frames that scale -> assets -> bodies (geoms, inertia, joints) -> ids and arrays of the tree
-> contacts, equalities, tendons, actuators, sensors -> bounding volumes
-> constants of the reference position -> keyframes -> deformables -> length ranges
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cortenforge.compile.assets.assets import (
    Assets,
    asset_arrays,
    asset_sizes,
    compile_assets,
    mesh_paths,
    resolve_asset_references,
)
from cortenforge.compile.assets.skins import compile_skins, names_in_skins, skin_arrays
from cortenforge.compile.checks import (
    check_body_count,
    check_compiled_names,
    check_depth,
    check_finite,
    check_history,
    check_inertia,
    user_array,
    user_arrays,
)
from cortenforge.compile.constants.actuator_constants import link_actuators
from cortenforge.compile.constants.lengthrange import set_length_ranges
from cortenforge.compile.constants.moment_arms import (
    activation_slots,
    actuator_kind_bits,
    moment_sparsity,
)
from cortenforge.compile.constants.reference_constants import scale_total_mass, set_constants
from cortenforge.compile.constants.tendon_constants import InertiaNotPositiveError
from cortenforge.compile.deformables import (
    check_soft_finite,
    compile_deformables,
    deformable_arrays,
    names_in_deformables,
)
from cortenforge.compile.elements.bodies import align_free_body, compile_body
from cortenforge.compile.elements.body_inertia import check_moving_body
from cortenforge.compile.elements.custom import (
    names_in_tuples,
    numeric_arrays,
    text_arrays,
    tuple_arrays,
)
from cortenforge.compile.elements.frames import gather_bodies
from cortenforge.compile.elements.fuse_static import discard_visual_geoms, fuse_static_bodies
from cortenforge.compile.elements.joints import check_free_joint, resolve_spring_dampers
from cortenforge.compile.elements.keyframes import keyframe_arrays, keyframes_by_id
from cortenforge.compile.mesh.arrays import mesh_arrays
from cortenforge.compile.mesh.meshes import Mesh, compile_meshes, kept_meshes
from cortenforge.compile.options import (
    CompilerSettings,
    compiler_settings,
    physics_options,
    visual_settings,
)
from cortenforge.compile.pack import tree as trees
from cortenforge.compile.pack.bvh import all_bvh_arrays
from cortenforge.compile.pack.sparsity import sparsity_arrays
from cortenforge.compile.pack.tree import NumberedTree
from cortenforge.compile.records import Body, BodyPart, depth_first
from cortenforge.compile.scale.keyframes import KeyframeScale
from cortenforge.compile.scale.scaling_frames import scaled_spec
from cortenforge.compile.wiring.actuators import (
    CompiledActuator,
    actuator_arrays,
    compile_actuators,
)
from cortenforge.compile.wiring.contacts import names_in_contacts
from cortenforge.compile.wiring.equalities import EQUALITY_ROWS, names_in_equalities
from cortenforge.compile.wiring.plastic_springs import set_plastic_addresses
from cortenforge.compile.wiring.sensors import force_site_names, sensor_arrays
from cortenforge.compile.wiring.tendons import names_in_tendons
from cortenforge.compile.wiring.wiring import Wiring
from cortenforge.errors import MjcfError
from cortenforge.garbage import collection_deferred
from cortenforge.model.access.compiled import CompiledModel
from cortenforge.problems import each_valid, stop_if_problems
from cortenforge.spec import Element, Spec
from cortenforge.spec.attribute import integer, number, numbers
from cortenforge.spec.sensor_targets import names_in_sensors

# sizes of what cannot be in a model yet
UNSUPPORTED_SIZES = (
    "nflex",
    "nplugin",
    "npluginstate",
)


@collection_deferred()
def compile_spec(spec: Spec) -> CompiledModel:
    """Compile a description into arrays; raises MjcfError with the place of what is wrong."""
    try:
        with np.errstate(all="ignore"):
            return _compile_description(spec)
    except ArithmeticError as problem:
        raise MjcfError(
            f"values of this model overflow or underflow ({problem})", spec.worldbody.where
        ) from problem


def _compile_description(spec: Spec) -> CompiledModel:
    spec, places = scaled_spec(spec)
    settings = compiler_settings(spec.compiler)
    assets = compile_assets(spec, settings)
    world, meshes = _compile_bodies(spec, settings, assets)
    assets.mesh_paths = mesh_paths(spec, meshes)
    tree = trees.number_objects(world)
    each_valid(check_moving_body, tree.bodies[1:])
    skins = compile_skins(
        spec, tree, assets.names["material"], places, discard=settings.discardvisual
    )
    assets.skin_paths = [skin.path for skin in skins]

    model = CompiledModel(
        opt=physics_options(spec.option, spec.flag),
        vis=visual_settings(spec.visual),
        names=_object_names(spec, tree) | assets.names | {"mesh": [mesh.name for mesh in meshes]},
        shapes=[mesh.shape for mesh in meshes],
    )
    arrays = model.arrays
    wiring = Wiring(spec, tree, settings, assets)
    arrays.update(_tree_arrays(tree, wiring.bodies_with_armature()) | asset_arrays(assets))
    arrays.update(wiring.arrays(arrays))
    model.names |= wiring.names
    patterns, pattern_sizes = sparsity_arrays(arrays)
    actuators = compile_actuators(spec.actuators, model.names, arrays, settings, places)
    user, user_sizes = user_arrays(tree, spec.size, actuators)
    arrays.update(patterns | user)
    actuator_sizes = _add_actuators(actuators, arrays)
    shapes, mesh_sizes = mesh_arrays(meshes)
    surfaces, skin_sizes = skin_arrays(skins)
    arrays.update(shapes | surfaces)
    arrays.update(numeric_arrays(spec.numerics) | text_arrays(spec.texts))
    arrays.update(tuple_arrays(spec.tuples, model.names))
    sensors, sensor_sizes = sensor_arrays(spec.sensors, model.names, arrays)
    arrays.update(sensors | {"sensor_user": user_array(spec.sensors, spec.size, "nuser_sensor")})
    sensor_sizes["nuser_sensor"] = arrays["sensor_user"].shape[1]
    stop_if_problems()
    boxes, box_sizes = all_bvh_arrays(arrays, [mesh.shape.arrays for mesh in meshes])
    arrays.update(boxes)

    if settings.settotalmass > 0:
        scale_total_mass(arrays, settings.settotalmass)
    try:
        model.stat = set_constants(arrays)
    except InertiaNotPositiveError as problem:
        raise wiring.armature_error() from problem
    nplastic = set_plastic_addresses(arrays)
    scale = KeyframeScale(places, tree, settings)
    scale.add_plastic(tree, spec.tendons, arrays, nplastic)
    scale.add_signals(actuators)
    arrays.update(keyframe_arrays(spec, tree, arrays, nplastic, scale))
    stop_if_problems()
    check_inertia(arrays, tree)
    resolve_spring_dampers(tree.joints, arrays)
    _override_statistics(model.stat, spec)
    check_finite(arrays | {"stat": np.hstack(list(model.stat.values()))}, tree, spec)
    model.sizes = _model_sizes(spec, tree, arrays) | pattern_sizes | user_sizes | actuator_sizes
    check_history(spec, sensor_sizes["nhistory"])
    model.sizes |= sensor_sizes | mesh_sizes | skin_sizes | box_sizes | {"nplastic": nplastic}
    _add_deformables(model, spec, settings)
    set_length_ranges(actuators, model, spec.compiler)
    return model


def _add_deformables(model: CompiledModel, spec: Spec, settings: CompilerSettings) -> None:
    """Add deformables, some of whose vertices may be fixed to bodies in the reference position."""
    model.softs = compile_deformables(spec, settings)
    arrays, sizes = deformable_arrays(spec, model.softs, model.arrays, model.names)
    stop_if_problems()
    check_soft_finite(spec, model.softs, arrays)
    model.arrays.update(arrays)
    model.sizes |= sizes


def _add_actuators(
    actuators: list[CompiledActuator], arrays: dict[str, np.ndarray]
) -> dict[str, int]:
    """Arrays of actuators, links to them from joints and trees; returns their sizes."""
    own, sizes = actuator_arrays(actuators)
    arrays.update(own)
    link_actuators(arrays)
    pattern, room = moment_sparsity(arrays)
    arrays.update(pattern | {"actuator_slots": activation_slots(arrays)})
    arrays["actuator_kinds"] = actuator_kind_bits(arrays)
    return sizes | {"nJmom": room}


def _compile_bodies(
    spec: Spec, settings: CompilerSettings, assets: Assets
) -> tuple[Body, list[Mesh]]:
    """The world with all bodies compiled, fused as the settings say; the meshes they use."""
    world = gather_bodies(spec.worldbody, settings)
    bodies = depth_first(world)
    check_body_count(bodies)
    check_compiled_names(spec, bodies)
    meshes = compile_meshes(spec, bodies)
    resolve_asset_references(bodies, assets)
    znear = number(spec.visual["map"], "znear")
    each_valid(compile_body, bodies, settings, znear)
    if settings.discardvisual:
        named = names_in_tuples(spec.tuples, "geom") | names_in_sensors(spec.sensors, "geom")
        named |= names_in_tendons(spec.tendons) | names_in_contacts(spec.contacts, "geom")
        named |= names_in_equalities(spec.equalities, "geom")
        discard_visual_geoms(world, named, settings)
        named = names_in_tuples(spec.tuples, "mesh") | names_in_sensors(spec.sensors, "mesh")
        meshes = kept_meshes(meshes, depth_first(world), named)
    if settings.fusestatic:
        watched = {camera.target for body in bodies for camera in body.cameras}
        watched |= {light.target for body in bodies for light in body.lights}
        in_use = names_in_tuples(spec.tuples, "body", "xbody")
        in_use |= names_in_sensors(spec.sensors, "body")
        in_use |= names_in_contacts(spec.contacts, "body") | names_in_skins(spec)
        in_use |= names_in_equalities(spec.equalities, "body") | names_in_deformables(spec)
        in_use |= {str(one["body"]) for one in spec.actuators if one["body"]}
        fuse_static_bodies(
            world,
            (watched | in_use) - {""},
            settings,
            in_fluid=_in_fluid(spec),
            force_sites=force_site_names(spec.sensors),
        )
    bodies = depth_first(world)
    check_depth(bodies)
    each_valid(_finish_body, bodies, settings)
    return world, meshes


def _finish_body(body: Body, settings: CompilerSettings) -> None:
    check_free_joint(body)
    align_free_body(body, settings)
    _set_body_contact_masks(body)


def _in_fluid(spec: Spec) -> bool:
    """True when the fluid has density or viscosity."""
    return number(spec.option, "density") != 0 or number(spec.option, "viscosity") != 0


def _set_body_contact_masks(body: Body) -> None:
    """Set contact bits and margin of a body: the union, and the maximum, over its geoms."""
    for geom in body.geoms:
        body.contype |= geom.contype
        body.conaffinity |= geom.conaffinity
        body.margin = max(body.margin, geom.margin + geom.gap)


def _tree_arrays(tree: NumberedTree, coupled: list[int]) -> dict[str, np.ndarray]:
    """Arrays of everything in the kinematic tree; coupled bodies are not simple."""
    arrays = trees.body_arrays(tree) | trees.joint_arrays(tree) | trees.position_arrays(tree)
    arrays["body_simple"][coupled] = 0
    arrays |= trees.dof_arrays(tree, arrays["body_simple"])
    arrays |= trees.kinematic_tree_arrays(tree, arrays)
    arrays |= trees.geom_arrays(tree, arrays) | trees.site_arrays(tree, arrays)
    return arrays | trees.camera_arrays(tree) | trees.light_arrays(tree)


def _object_names(spec: Spec, tree: NumberedTree) -> dict[str, list[str]]:
    """Names of objects by type, in the order of ids."""
    objects: dict[str, Sequence[Body | BodyPart | Element | None]] = {
        "body": tree.bodies,
        "joint": tree.joints,
        "geom": tree.geoms,
        "site": tree.sites,
        "camera": tree.cameras,
        "light": tree.lights,
        "actuator": spec.actuators,
        "numeric": spec.numerics,
        "text": spec.texts,
        "tuple": spec.tuples,
        "skin": spec.skins,
        "soft": spec.softs,
        "key": keyframes_by_id(spec.keys, spec.size),
        "sensor": spec.sensors,
    }
    return {kind: [one.name if one else "" for one in listed] for kind, listed in objects.items()}


def _override_statistics(stat: dict[str, Any], spec: Spec) -> None:
    """Statistics that the file gives replace computed ones."""
    for name in ("meaninertia", "meanmass", "meansize", "extent"):
        if spec.statistic[name] is not None:
            stat[name] = number(spec.statistic, name)
    if spec.statistic["center"] is not None:
        stat["center"] = np.array(numbers(spec.statistic, "center"))


def _model_sizes(spec: Spec, tree: NumberedTree, arrays: dict[str, np.ndarray]) -> dict[str, int]:
    """MuJoCo's size fields."""
    sizes = dict.fromkeys(UNSUPPORTED_SIZES, 0)
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
        njmax=integer(spec.size, "njmax"),
        nconmax=integer(spec.size, "nconmax"),
        ngravcomp=int(np.sum(arrays["body_gravcomp"] > 0)),
        flg_gravcomp=int(np.any(arrays["body_gravcomp"] > 0)),
        flg_surfacevel=int(np.any(arrays["geom_surfacevel"])),
        flg_adhesion=int(np.any(arrays["geom_adhesion"]) or np.any(arrays["pair_adhesion"])),
        npair=len(arrays["pair_dim"]),
        nexclude=len(arrays["exclude_signature"]),
        neq=len(arrays["eq_type"]),
        nemax=int(EQUALITY_ROWS[arrays["eq_type"]].sum()),
        ntendon=len(arrays["tendon_type"]),
        nwrap=len(arrays["wrap_type"]),
        nJten=len(arrays["ten_J_colind"]),
        nuser_tendon=arrays["tendon_user"].shape[1],
    )
    return sizes | asset_sizes(arrays)
