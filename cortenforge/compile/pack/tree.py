"""Ids in tree order, and the arrays of bodies, joints, dofs, trees, geoms, sites and lenses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from cortenforge.compile.mesh.fit import data_id, geom_box, geom_radius
from cortenforge.compile.mesh.sdf_shapes import MOST_PARAMETERS
from cortenforge.compile.pack.field_arrays import arrays_of_objects, field_array, no_references
from cortenforge.compile.records import Body, Camera, Geom, Joint, Light, Site, depth_first
from cortenforge.enums import JointType, SameFrame
from cortenforge.problems import raise_or_gather
from cortenforge.spec.attribute import keyword, number, unknown_reference

SAMEFRAME_EPS = 1e-6
AXIS_EPS = 1e-14
SLEEP_POLICIES = {"auto": 0, "never": 3, "allowed": 4, "init": 5}
SLEEP_AUTO_ALLOWED = 2
#: numbers of lights that only pictures need
DRAWN_GROUP = (
    *("bulbradius", "intensity", "range", "cutoff", "softness", "exponent"),
    *("attenuation", "ambient", "diffuse", "specular"),
)


@dataclass
class NumberedTree:
    """All objects of the kinematic tree, in the order of their ids."""

    bodies: list[Body]
    joints: list[Joint] = field(default_factory=list)
    geoms: list[Geom] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    cameras: list[Camera] = field(default_factory=list)
    lights: list[Light] = field(default_factory=list)

    @property
    def nq(self) -> int:
        return sum(joint.nq for joint in self.joints)

    @property
    def nv(self) -> int:
        return sum(joint.nv for joint in self.joints)


def number_objects(world: Body) -> NumberedTree:
    """Give every object its id, every joint its addresses, every body what it is welded to."""
    tree = NumberedTree(depth_first(world))
    for i, body in enumerate(tree.bodies):
        body.id = i
        fixed = body.parent is None or not (body.joints or body.mocap)
        body.weldid = (0 if body.parent is None else body.parent.weldid) if fixed else i
        for kind in ("joints", "geoms", "sites", "cameras", "lights"):
            parts = getattr(tree, kind)
            for part in getattr(body, kind):
                part.id, part.bodyid = len(parts), i
                parts.append(part)
    qposadr = dofadr = 0
    for joint in tree.joints:
        joint.qposadr, joint.dofadr = qposadr, dofadr
        qposadr += joint.nq
        dofadr += joint.nv
    return tree


def body_arrays(tree: NumberedTree) -> dict[str, np.ndarray]:
    """Arrays of bodies, except those that need dynamics."""
    bodies = tree.bodies
    arrays = {
        **arrays_of_objects(
            bodies,
            {
                "body_parentid": lambda b: b.parent.id if b.parent else 0,
                "body_weldid": lambda b: b.weldid,
                "body_jntnum": lambda b: len(b.joints),
                "body_jntadr": lambda b: b.joints[0].id if b.joints else -1,
                "body_dofnum": lambda b: b.dofnum,
                "body_dofadr": lambda b: b.joints[0].dofadr if b.joints else -1,
                "body_geomnum": lambda b: len(b.geoms),
                "body_geomadr": lambda b: b.geoms[0].id if b.geoms else -1,
                "body_pos": lambda b: b.pose[0],
                "body_quat": lambda b: b.pose[1],
                "body_ipos": lambda b: b.inertial_pose[0],
                "body_iquat": lambda b: b.inertial_pose[1],
                "body_mass": lambda b: b.mass,
                "body_inertia": lambda b: b.inertia,
                "body_gravcomp": lambda b: number(b.element, "gravcomp") if b.parent else 0.0,
                "body_margin": lambda b: b.margin,
                "body_contype": lambda b: b.contype,
                "body_conaffinity": lambda b: b.conaffinity,
            },
        ),
        "body_rootid": _rootid(bodies),
        "body_mocapid": _mocapid(bodies),
        "body_plugin": no_references("body_plugin", len(bodies)),
    }
    arrays["body_sameframe"] = frame_relative_to_body(arrays["body_ipos"], arrays["body_iquat"])
    arrays["body_simple"] = _simple_bodies(tree, arrays["body_sameframe"])
    # MuJoCo says so of the world even when a URDF gives it inertia elsewhere
    arrays["body_sameframe"][0] = SameFrame.BODY
    return arrays


def _rootid(bodies: list[Body]) -> np.ndarray:
    """Child of the world that each body descends from."""
    rootid = np.arange(len(bodies), dtype=np.int32)
    for body in bodies:
        if body.parent is not None and body.parent.id > 0:
            rootid[body.id] = rootid[body.parent.id]
    return rootid


def _mocapid(bodies: list[Body]) -> np.ndarray:
    mocap = np.array([body.mocap for body in bodies])
    return np.where(mocap, np.cumsum(mocap) - 1, -1).astype(np.int32)


def _rows_near(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Row by row: all numbers within MuJoCo's tolerance for equal frames."""
    result: np.ndarray = (np.abs(a - b) < SAMEFRAME_EPS).all(axis=1)
    return result


def _quats_near(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    result: np.ndarray = _rows_near(a, b) | _rows_near(a, -b)
    return result


def frame_relative_to_body(pos: np.ndarray, quat: np.ndarray) -> np.ndarray:
    """Whether a frame is its body's frame, shares its axes, or neither."""
    at = _rows_near(pos, np.zeros(3))
    along = _quats_near(quat, np.array([1.0, 0, 0, 0]))
    result = np.where(along, np.where(at, SameFrame.BODY, SameFrame.BODYROT), SameFrame.NONE)
    return result.astype(np.uint8)


def part_frame_relation(
    pos: np.ndarray, quat: np.ndarray, ipos: np.ndarray, iquat: np.ndarray
) -> np.ndarray:
    """Which frame of its body a geom or site shares: body's, inertial, their axes, or none."""
    result = frame_relative_to_body(pos, quat)
    along = _quats_near(quat, iquat)
    inertial = np.where(
        along,
        np.where(_rows_near(pos, ipos), SameFrame.INERTIA, SameFrame.INERTIAROT),
        SameFrame.NONE,
    )
    return np.where(result == SameFrame.NONE, inertial, result).astype(np.uint8)


def _simple_bodies(tree: NumberedTree, sameframe: np.ndarray) -> np.ndarray:
    """1 for bodies whose inertia matrix is diagonal, 2 if they also only slide."""
    simple = np.zeros(len(tree.bodies), np.uint8)
    for body in tree.bodies:
        if sameframe[body.id] != SameFrame.BODY or (body.parent and body.bodies):
            continue
        if keyword(body.element, "simple") == "false":
            continue
        # a root, or child of a body fixed to the world
        parent = body.parent
        if parent and parent.parent and (parent.parent.parent or parent.joints):
            continue
        if _simple_joints(body.joints):
            slides = bool(body.joints) and all(
                joint.type == JointType.SLIDE for joint in body.joints
            )
            simple[body.id] = 2 if slides else 1
    return simple


def _simple_joints(joints: list[Joint]) -> bool:
    """Joints at the origin along coordinate axes, with a rotation only as the last one."""
    rotated = False
    for joint in joints:
        aligned = sum(abs(value) > AXIS_EPS for value in joint.axis) == 1
        centred = all(abs(value) < SAMEFRAME_EPS for value in joint.pos)
        if rotated or not centred:
            return False
        if joint.type in (JointType.HINGE, JointType.SLIDE) and not aligned:
            return False
        rotated = joint.type in (JointType.BALL, JointType.HINGE)
    return True


def joint_arrays(tree: NumberedTree) -> dict[str, np.ndarray]:
    """Arrays of joints."""
    joints = tree.joints
    return {
        **arrays_of_objects(
            joints,
            {
                "jnt_type": lambda j: j.type,
                "jnt_qposadr": lambda j: j.qposadr,
                "jnt_dofadr": lambda j: j.dofadr,
                "jnt_bodyid": lambda j: j.bodyid,
                "jnt_group": lambda j: j.group,
                "jnt_limited": lambda j: j.limited,
                "jnt_actfrclimited": lambda j: j.actfrclimited,
                "jnt_actgravcomp": lambda j: j.actgravcomp,
                "jnt_solref": lambda j: j.solref_limit,
                "jnt_solimp": lambda j: j.solimp_limit,
                "jnt_pos": lambda j: j.pos,
                "jnt_axis": lambda j: j.axis,
                "jnt_stiffness": lambda j: j.stiffness[0],
                "jnt_stiffnesspoly": lambda j: j.stiffness[1:],
                "jnt_springyield": lambda j: j.springyield,
                "jnt_range": lambda j: j.range,
                "jnt_actfrcrange": lambda j: j.actfrcrange,
                "jnt_margin": lambda j: j.margin,
            },
        ),
        "jnt_actuatorid": no_references("jnt_actuatorid", len(joints)),
    }


def position_arrays(tree: NumberedTree) -> dict[str, np.ndarray]:
    """Reference positions, and positions at which springs are at rest."""
    qpos0, qpos_spring = np.zeros(tree.nq), np.zeros(tree.nq)
    for body in tree.bodies:
        for joint in body.joints:
            adr = joint.qposadr
            if joint.type == JointType.FREE:
                qpos0[adr : adr + 7] = qpos_spring[adr : adr + 7] = (*body.pose[0], *body.pose[1])
            elif joint.type == JointType.BALL:
                qpos0[adr] = qpos_spring[adr] = 1
            else:
                qpos0[adr], qpos_spring[adr] = joint.ref, joint.springref
    return {"qpos0": qpos0, "qpos_spring": qpos_spring}


def dof_arrays(tree: NumberedTree, body_simple: np.ndarray) -> dict[str, np.ndarray]:
    """Arrays of degrees of freedom, except those that need dynamics."""
    dofs = [joint for joint in tree.joints for _ in range(joint.nv)]
    bodyid = field_array("dof_bodyid", (joint.bodyid for joint in dofs))
    parentid = _dof_parentid(tree)
    return {
        **arrays_of_objects(
            dofs,
            {
                "dof_jntid": lambda j: j.id,
                "dof_solref": lambda j: j.solref_friction,
                "dof_solimp": lambda j: j.solimp_friction,
                "dof_frictionloss": lambda j: j.frictionloss,
                "dof_armature": lambda j: j.armature,
                "dof_damping": lambda j: j.damping[0],
                "dof_dampingpoly": lambda j: j.damping[1:],
            },
        ),
        "dof_bodyid": bodyid,
        "dof_parentid": parentid,
        "dof_treeid": (np.cumsum(parentid == -1) - 1).astype(np.int32),
        "dof_simplenum": _simple_dof_counts(body_simple[bodyid]),
    }


def _dof_parentid(tree: NumberedTree) -> np.ndarray:
    """The dof before each dof on the way from the world, -1 if there is none."""
    parentid = np.full(tree.nv, -1, np.int32)
    last = [-1] * len(tree.bodies)
    for body in tree.bodies:
        dof = last[body.parent.id] if body.parent else -1
        for joint in body.joints:
            for i in range(joint.dofadr, joint.dofadr + joint.nv):
                parentid[i], dof = dof, i
        last[body.id] = dof
    return parentid


def _simple_dof_counts(simple: np.ndarray) -> np.ndarray:
    """Number of consecutive dofs of simple bodies that starts at each dof."""
    result = np.zeros(len(simple), np.int32)
    count = 0
    for i in range(len(simple) - 1, -1, -1):
        count = count + 1 if simple[i] else 0
        result[i] = count
    return result


def kinematic_tree_arrays(
    tree: NumberedTree, arrays: dict[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """Kinematic trees: where their bodies and dofs start, and whether they may sleep."""
    dof_treeid = arrays["dof_treeid"]
    weldid = arrays["body_weldid"]
    moves = arrays["body_dofnum"][weldid] > 0
    body_treeid = np.full(len(tree.bodies), -1, np.int32)
    body_treeid[moves] = dof_treeid[arrays["body_dofadr"][weldid[moves]]]
    ntree = int(dof_treeid[-1]) + 1 if len(dof_treeid) else 0
    trees = np.arange(ntree)
    members = body_treeid[body_treeid >= 0]
    return {
        "body_treeid": body_treeid,
        "tree_bodyadr": _first_of_tree(body_treeid, trees),
        "tree_bodynum": np.bincount(members, minlength=ntree).astype(np.int32),
        "tree_dofadr": _first_of_tree(dof_treeid, trees),
        "tree_dofnum": np.bincount(dof_treeid, minlength=ntree).astype(np.int32),
        "tree_sleep_policy": _sleep_policy(tree, body_treeid, ntree),
    }


def _first_of_tree(treeid: np.ndarray, trees: np.ndarray) -> np.ndarray:
    """Index at which each tree first appears."""
    ids, index = np.unique(treeid, return_index=True)
    return index[np.isin(ids, trees)].astype(np.int32)


def _sleep_policy(tree: NumberedTree, body_treeid: np.ndarray, ntree: int) -> np.ndarray:
    policy = np.full(ntree, SLEEP_AUTO_ALLOWED, np.int32)
    for body in tree.bodies[1:]:
        word = keyword(body.element, "sleep")
        if word == "auto":
            continue
        treeid = body_treeid[body.id]
        if treeid == -1 or treeid == body_treeid[body.id - 1]:
            raise_or_gather(
                body.element.error("only the first moving body of a tree can have this", "sleep")
            )
            continue
        policy[treeid] = SLEEP_POLICIES[word]
    return policy


def geom_arrays(tree: NumberedTree, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Arrays of geoms."""
    geoms = tree.geoms
    result = {
        **arrays_of_objects(
            geoms,
            {
                "geom_type": lambda g: g.type,
                "geom_contype": lambda g: g.contype,
                "geom_conaffinity": lambda g: g.conaffinity,
                "geom_condim": lambda g: g.condim,
                "geom_bodyid": lambda g: g.bodyid,
                "geom_dataid": data_id,
                "geom_matid": lambda g: g.matid,
                "geom_group": lambda g: g.group,
                "geom_priority": lambda g: g.priority,
                "geom_castshadow": lambda g: g.castshadow,
                "geom_solmix": lambda g: g.solmix,
                "geom_solref": lambda g: g.solref,
                "geom_solimp": lambda g: g.solimp,
                "geom_size": lambda g: g.size,
                "geom_aabb": geom_box,
                "geom_rbound": geom_radius,
                "geom_pos": lambda g: g.pos,
                "geom_quat": lambda g: g.quat,
                "geom_friction": lambda g: g.friction,
                "geom_margin": lambda g: g.margin,
                "geom_gap": lambda g: g.gap,
                "geom_surfacevel": lambda g: g.surfacevel,
                "geom_adhesion": lambda g: g.adhesion,
                "geom_fluid": lambda g: g.fluid,
                "geom_rgba": lambda g: g.rgba,
            },
        ),
        "geom_plugin": no_references("geom_plugin", len(geoms)),
        **sdf_arrays(geoms),
    }
    result["geom_sameframe"] = part_sameframes(result, "geom", arrays)
    return result


def sdf_arrays(geoms: Sequence[Geom]) -> dict[str, np.ndarray]:
    """Distance functions of geoms, and their grids one behind the other."""
    count = len(geoms)
    arrays: dict[str, np.ndarray] = {
        "geom_sdf": np.zeros(count, np.int32),
        "geom_sdfprm": np.zeros((count, MOST_PARAMETERS)),
        "geom_gridsize": np.zeros((count, 3), np.int32),
        "geom_gridadr": np.zeros(count, np.int32),
        "geom_gridcell": np.zeros(count),
        "geom_gridorigin": np.zeros((count, 3)),
    }
    data = [np.zeros(0)]
    for g, geom in enumerate(geoms):
        if geom.distance is not None:
            arrays["geom_sdf"][g] = geom.distance.kind
            arrays["geom_sdfprm"][g, : len(geom.distance.params)] = geom.distance.params
        if geom.distance is not None and geom.distance.grid is not None:
            grid = geom.distance.grid
            arrays["geom_gridsize"][g], arrays["geom_gridcell"][g] = grid.size, grid.cell
            arrays["geom_gridorigin"][g] = grid.origin
            arrays["geom_gridadr"][g] = sum(map(len, data))
            data.append(grid.distance.ravel())
    return arrays | {"grid_data": np.concatenate(data)}


def site_arrays(tree: NumberedTree, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Arrays of sites."""
    sites = tree.sites
    result = arrays_of_objects(
        sites,
        {
            "site_type": lambda s: s.type,
            "site_bodyid": lambda s: s.bodyid,
            "site_dataid": data_id,
            "site_matid": lambda s: s.matid,
            "site_group": lambda s: s.group,
            "site_size": lambda s: s.size,
            "site_pos": lambda s: s.pos,
            "site_quat": lambda s: s.quat,
            "site_rgba": lambda s: s.rgba,
        },
    )
    result["site_sameframe"] = part_sameframes(result, "site", arrays)
    return result


def part_sameframes(
    parts: dict[str, np.ndarray], kind: str, arrays: dict[str, np.ndarray]
) -> np.ndarray:
    """geom_sameframe or site_sameframe."""
    bodyid = parts[f"{kind}_bodyid"]
    return part_frame_relation(
        parts[f"{kind}_pos"],
        parts[f"{kind}_quat"],
        arrays["body_ipos"][bodyid],
        arrays["body_iquat"][bodyid],
    )


def camera_arrays(tree: NumberedTree) -> dict[str, np.ndarray]:
    """Arrays of cameras, except their poses in the reference position."""
    cameras = tree.cameras
    return {
        **arrays_of_objects(
            cameras,
            {
                "cam_mode": lambda c: c.mode,
                "cam_bodyid": lambda c: c.bodyid,
                "cam_pos": lambda c: c.pos,
                "cam_quat": lambda c: c.quat,
                "cam_projection": lambda c: c.projection,
                "cam_fovy": lambda c: c.fovy,
                "cam_ipd": lambda c: c.ipd,
                "cam_resolution": lambda c: c.resolution,
                "cam_output": lambda c: c.output,
                "cam_sensorsize": lambda c: c.sensorsize,
                "cam_intrinsic": lambda c: c.intrinsic,
            },
        ),
        "cam_targetbodyid": _target_bodies(tree, cameras),
    }


def light_arrays(tree: NumberedTree) -> dict[str, np.ndarray]:
    """Arrays of lights, except their poses in the reference position."""
    lights = tree.lights
    arrays = {
        **arrays_of_objects(
            lights,
            {
                "light_mode": lambda x: x.mode,
                "light_bodyid": lambda x: x.bodyid,
                "light_type": lambda x: x.type,
                "light_texid": lambda x: x.texid,
                "light_castshadow": lambda x: x.castshadow,
                "light_active": lambda x: x.active,
                "light_pos": lambda x: x.pos,
                "light_dir": lambda x: x.dir,
            },
        ),
        "light_targetbodyid": _target_bodies(tree, lights),
    }
    for name in DRAWN_GROUP:
        arrays[f"light_{name}"] = field_array(
            f"light_{name}", (getattr(one, name) for one in lights)
        )
    return arrays


def _target_bodies(tree: NumberedTree, followers: Sequence[Camera | Light]) -> np.ndarray:
    """Ids of the bodies that cameras or lights look at, -1 for none."""
    ids = {body.name: body.id for body in tree.bodies if body.name}
    targets = []
    for follower in followers:
        if follower.target and follower.target not in ids:
            raise_or_gather(unknown_reference(follower.element, "target", "body", ids))
        targets.append(ids.get(follower.target, -1) if follower.target else -1)
    return np.array(targets, np.int32)
