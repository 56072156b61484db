"""Ids in tree order, and the arrays of bodies, joints, dofs, trees, geoms, sites and lenses."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cortenforge.compile.attribute import keyword, no_such, number
from cortenforge.compile.mesh.fit import data_id, geom_box, geom_radius
from cortenforge.compile.records import Body, Camera, Geom, Joint, Light, Site, depth_first
from cortenforge.enums import JointType, SameFrame
from cortenforge.problems import report

FRAME_EPS = 1e-6
ALIGNED_EPS = 1e-14
SLEEP = {"auto": 0, "never": 3, "allowed": 4, "init": 5}
SLEEP_AUTO_ALLOWED = 2


@dataclass
class Tree:
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


def number_objects(world: Body) -> Tree:
    """Give every object its id, every joint its addresses, every body what it is welded to."""
    tree = Tree(depth_first(world))
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


def column(
    items: Iterable[Any], value: Callable[[Any], Any], width: int = 0, dtype: Any = np.float64
) -> np.ndarray:
    """One Model array: a value per object, as a row of `width` numbers when width is given."""
    rows = [value(item) for item in items]
    shape = (len(rows), width) if width else (len(rows),)
    return np.array(rows, dtype).reshape(shape)


def body_arrays(tree: Tree) -> dict[str, np.ndarray]:
    """Arrays of bodies, except those that need dynamics."""
    bodies = tree.bodies
    int32 = np.int32
    arrays = {
        "body_parentid": column(bodies, lambda b: b.parent.id if b.parent else 0, dtype=int32),
        "body_rootid": _rootid(bodies),
        "body_weldid": column(bodies, lambda b: b.weldid, dtype=int32),
        "body_mocapid": _mocapid(bodies),
        "body_jntnum": column(bodies, lambda b: len(b.joints), dtype=int32),
        "body_jntadr": column(bodies, lambda b: b.joints[0].id if b.joints else -1, dtype=int32),
        "body_dofnum": column(bodies, lambda b: b.dofnum, dtype=int32),
        "body_dofadr": column(
            bodies, lambda b: b.joints[0].dofadr if b.joints else -1, dtype=int32
        ),
        "body_geomnum": column(bodies, lambda b: len(b.geoms), dtype=int32),
        "body_geomadr": column(bodies, lambda b: b.geoms[0].id if b.geoms else -1, dtype=int32),
        "body_pos": column(bodies, lambda b: b.pose[0], 3),
        "body_quat": column(bodies, lambda b: b.pose[1], 4),
        "body_ipos": column(bodies, lambda b: b.ipose[0], 3),
        "body_iquat": column(bodies, lambda b: b.ipose[1], 4),
        "body_mass": column(bodies, lambda b: b.mass),
        "body_inertia": column(bodies, lambda b: b.inertia, 3),
        "body_gravcomp": column(
            bodies, lambda b: number(b.element, "gravcomp") if b.parent else 0.0
        ),
        "body_margin": column(bodies, lambda b: b.margin),
        "body_contype": column(bodies, lambda b: b.contype, dtype=int32),
        "body_conaffinity": column(bodies, lambda b: b.conaffinity, dtype=int32),
        "body_plugin": np.full(len(bodies), -1, int32),
    }
    arrays["body_sameframe"] = same_as_body(arrays["body_ipos"], arrays["body_iquat"])
    arrays["body_simple"] = _simple(tree, arrays["body_sameframe"])
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


def _near(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Row by row: all numbers within MuJoCo's tolerance for equal frames."""
    return (np.abs(a - b) < FRAME_EPS).all(axis=1)


def _near_quat(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return _near(a, b) | _near(a, -b)


def same_as_body(pos: np.ndarray, quat: np.ndarray) -> np.ndarray:
    """Whether a frame is its body's frame, shares its axes, or neither."""
    at = _near(pos, np.zeros(3))
    along = _near_quat(quat, np.array([1.0, 0, 0, 0]))
    result = np.where(along, np.where(at, SameFrame.BODY, SameFrame.BODYROT), SameFrame.NONE)
    return result.astype(np.uint8)


def same_frame(
    pos: np.ndarray, quat: np.ndarray, ipos: np.ndarray, iquat: np.ndarray
) -> np.ndarray:
    """Which frame of its body a geom or site shares: body's, inertial, their axes, or none."""
    result = same_as_body(pos, quat)
    along = _near_quat(quat, iquat)
    inertial = np.where(
        along, np.where(_near(pos, ipos), SameFrame.INERTIA, SameFrame.INERTIAROT), SameFrame.NONE
    )
    return np.where(result == SameFrame.NONE, inertial, result).astype(np.uint8)


def _simple(tree: Tree, sameframe: np.ndarray) -> np.ndarray:
    """1 for bodies whose inertia matrix is diagonal, 2 if they also only slide."""
    simple = np.zeros(len(tree.bodies), np.uint8)
    for body in tree.bodies:
        if sameframe[body.id] != SameFrame.BODY or (body.parent and body.bodies):
            continue
        if keyword(body.element, "simple", "auto") == "false":
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
        aligned = sum(abs(value) > ALIGNED_EPS for value in joint.axis) == 1
        centred = all(abs(value) < FRAME_EPS for value in joint.pos)
        if rotated or not centred:
            return False
        if joint.type in (JointType.HINGE, JointType.SLIDE) and not aligned:
            return False
        rotated = joint.type in (JointType.BALL, JointType.HINGE)
    return True


def joint_arrays(tree: Tree) -> dict[str, np.ndarray]:
    """Arrays of joints."""
    joints = tree.joints
    int32, uint8 = np.int32, np.uint8
    return {
        "jnt_type": column(joints, lambda j: j.type, dtype=int32),
        "jnt_qposadr": column(joints, lambda j: j.qposadr, dtype=int32),
        "jnt_dofadr": column(joints, lambda j: j.dofadr, dtype=int32),
        "jnt_bodyid": column(joints, lambda j: j.bodyid, dtype=int32),
        "jnt_actuatorid": np.full(len(joints), -1, int32),
        "jnt_group": column(joints, lambda j: j.group, dtype=int32),
        "jnt_limited": column(joints, lambda j: j.limited, dtype=uint8),
        "jnt_actfrclimited": column(joints, lambda j: j.actfrclimited, dtype=uint8),
        "jnt_actgravcomp": column(joints, lambda j: j.actgravcomp, dtype=uint8),
        "jnt_solref": column(joints, lambda j: j.solref_limit, 2),
        "jnt_solimp": column(joints, lambda j: j.solimp_limit, 5),
        "jnt_pos": column(joints, lambda j: j.pos, 3),
        "jnt_axis": column(joints, lambda j: j.axis, 3),
        "jnt_stiffness": column(joints, lambda j: j.stiffness[0]),
        "jnt_stiffnesspoly": column(joints, lambda j: j.stiffness[1:], 2),
        "jnt_springyield": column(joints, lambda j: j.springyield),
        "jnt_range": column(joints, lambda j: j.range, 2),
        "jnt_actfrcrange": column(joints, lambda j: j.actfrcrange, 2),
        "jnt_margin": column(joints, lambda j: j.margin),
    }


def position_arrays(tree: Tree) -> dict[str, np.ndarray]:
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


def dof_arrays(tree: Tree, body_simple: np.ndarray) -> dict[str, np.ndarray]:
    """Arrays of degrees of freedom, except those that need dynamics."""
    dofs = [joint for joint in tree.joints for _ in range(joint.nv)]
    bodyid = column(dofs, lambda j: j.bodyid, dtype=np.int32)
    parentid = _dof_parentid(tree)
    return {
        "dof_bodyid": bodyid,
        "dof_jntid": column(dofs, lambda j: j.id, dtype=np.int32),
        "dof_parentid": parentid,
        "dof_treeid": (np.cumsum(parentid == -1) - 1).astype(np.int32),
        "dof_simplenum": _simplenum(body_simple[bodyid]),
        "dof_solref": column(dofs, lambda j: j.solref_friction, 2),
        "dof_solimp": column(dofs, lambda j: j.solimp_friction, 5),
        "dof_frictionloss": column(dofs, lambda j: j.frictionloss),
        "dof_armature": column(dofs, lambda j: j.armature),
        "dof_damping": column(dofs, lambda j: j.damping[0]),
        "dof_dampingpoly": column(dofs, lambda j: j.damping[1:], 2),
    }


def _dof_parentid(tree: Tree) -> np.ndarray:
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


def _simplenum(simple: np.ndarray) -> np.ndarray:
    """Number of consecutive dofs of simple bodies that starts at each dof."""
    result = np.zeros(len(simple), np.int32)
    count = 0
    for i in range(len(simple) - 1, -1, -1):
        count = count + 1 if simple[i] else 0
        result[i] = count
    return result


def tree_arrays(tree: Tree, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
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
        "tree_bodyadr": _first(body_treeid, trees),
        "tree_bodynum": np.bincount(members, minlength=ntree).astype(np.int32),
        "tree_dofadr": _first(dof_treeid, trees),
        "tree_dofnum": np.bincount(dof_treeid, minlength=ntree).astype(np.int32),
        "tree_sleep_policy": _sleep_policy(tree, body_treeid, ntree),
    }


def _first(treeid: np.ndarray, trees: np.ndarray) -> np.ndarray:
    """Index at which each tree first appears."""
    ids, index = np.unique(treeid, return_index=True)
    return index[np.isin(ids, trees)].astype(np.int32)


def _sleep_policy(tree: Tree, body_treeid: np.ndarray, ntree: int) -> np.ndarray:
    policy = np.full(ntree, SLEEP_AUTO_ALLOWED, np.int32)
    for body in tree.bodies[1:]:
        word = keyword(body.element, "sleep", "auto")
        if word == "auto":
            continue
        treeid = body_treeid[body.id]
        if treeid == -1 or treeid == body_treeid[body.id - 1]:
            report(body.element.error("only the first moving body of a tree can say this", "sleep"))
            continue
        policy[treeid] = SLEEP[word]
    return policy


def geom_arrays(tree: Tree, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Arrays of geoms."""
    geoms = tree.geoms
    int32 = np.int32
    result = {
        "geom_type": column(geoms, lambda g: g.type, dtype=int32),
        "geom_contype": column(geoms, lambda g: g.contype, dtype=int32),
        "geom_conaffinity": column(geoms, lambda g: g.conaffinity, dtype=int32),
        "geom_condim": column(geoms, lambda g: g.condim, dtype=int32),
        "geom_bodyid": column(geoms, lambda g: g.bodyid, dtype=int32),
        "geom_dataid": column(geoms, data_id, dtype=int32),
        "geom_matid": column(geoms, lambda g: g.matid, dtype=int32),
        "geom_group": column(geoms, lambda g: g.group, dtype=int32),
        "geom_priority": column(geoms, lambda g: g.priority, dtype=int32),
        "geom_plugin": np.full(len(geoms), -1, int32),
        "geom_castshadow": column(geoms, lambda g: g.castshadow, dtype=np.uint8),
        "geom_solmix": column(geoms, lambda g: g.solmix),
        "geom_solref": column(geoms, lambda g: g.solref, 2),
        "geom_solimp": column(geoms, lambda g: g.solimp, 5),
        "geom_size": column(geoms, lambda g: g.size, 3),
        "geom_aabb": column(geoms, geom_box, 6),
        "geom_rbound": column(geoms, geom_radius),
        "geom_pos": column(geoms, lambda g: g.pos, 3),
        "geom_quat": column(geoms, lambda g: g.quat, 4),
        "geom_friction": column(geoms, lambda g: g.friction, 3),
        "geom_margin": column(geoms, lambda g: g.margin),
        "geom_gap": column(geoms, lambda g: g.gap),
        "geom_surfacevel": column(geoms, lambda g: g.surfacevel, 6),
        "geom_adhesion": column(geoms, lambda g: g.adhesion),
        "geom_fluid": column(geoms, lambda g: g.fluid, 12),
        "geom_rgba": column(geoms, lambda g: g.rgba, 4, np.float32),
    }
    result["geom_sameframe"] = part_sameframe(result, "geom", arrays)
    return result


def site_arrays(tree: Tree, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Arrays of sites."""
    sites = tree.sites
    int32 = np.int32
    result = {
        "site_type": column(sites, lambda s: s.type, dtype=int32),
        "site_bodyid": column(sites, lambda s: s.bodyid, dtype=int32),
        "site_dataid": column(sites, data_id, dtype=int32),
        "site_matid": column(sites, lambda s: s.matid, dtype=int32),
        "site_group": column(sites, lambda s: s.group, dtype=int32),
        "site_size": column(sites, lambda s: s.size, 3),
        "site_pos": column(sites, lambda s: s.pos, 3),
        "site_quat": column(sites, lambda s: s.quat, 4),
        "site_rgba": column(sites, lambda s: s.rgba, 4, np.float32),
    }
    result["site_sameframe"] = part_sameframe(result, "site", arrays)
    return result


def part_sameframe(
    parts: dict[str, np.ndarray], kind: str, arrays: dict[str, np.ndarray]
) -> np.ndarray:
    """geom_sameframe or site_sameframe."""
    bodyid = parts[f"{kind}_bodyid"]
    return same_frame(
        parts[f"{kind}_pos"],
        parts[f"{kind}_quat"],
        arrays["body_ipos"][bodyid],
        arrays["body_iquat"][bodyid],
    )


def camera_arrays(tree: Tree) -> dict[str, np.ndarray]:
    """Arrays of cameras, except their poses in the reference position."""
    cameras = tree.cameras
    int32, float32 = np.int32, np.float32
    return {
        "cam_mode": column(cameras, lambda c: c.mode, dtype=int32),
        "cam_bodyid": column(cameras, lambda c: c.bodyid, dtype=int32),
        "cam_targetbodyid": _targets(tree, cameras),
        "cam_pos": column(cameras, lambda c: c.pos, 3),
        "cam_quat": column(cameras, lambda c: c.quat, 4),
        "cam_projection": column(cameras, lambda c: c.projection, dtype=int32),
        "cam_fovy": column(cameras, lambda c: c.fovy),
        "cam_ipd": column(cameras, lambda c: c.ipd),
        "cam_resolution": column(cameras, lambda c: c.resolution, 2, int32),
        "cam_output": column(cameras, lambda c: c.output, dtype=int32),
        "cam_sensorsize": column(cameras, lambda c: c.sensorsize, 2, float32),
        "cam_intrinsic": column(cameras, lambda c: c.intrinsic, 4, float32),
    }


def light_arrays(tree: Tree) -> dict[str, np.ndarray]:
    """Arrays of lights, except their poses in the reference position."""
    lights = tree.lights
    int32, uint8, float32 = np.int32, np.uint8, np.float32
    arrays = {
        "light_mode": column(lights, lambda x: x.mode, dtype=int32),
        "light_bodyid": column(lights, lambda x: x.bodyid, dtype=int32),
        "light_targetbodyid": _targets(tree, lights),
        "light_type": column(lights, lambda x: x.type, dtype=int32),
        "light_texid": column(lights, lambda x: x.texid, dtype=int32),
        "light_castshadow": column(lights, lambda x: x.castshadow, dtype=uint8),
        "light_active": column(lights, lambda x: x.active, dtype=uint8),
        "light_pos": column(lights, lambda x: x.pos, 3),
        "light_dir": column(lights, lambda x: x.dir, 3),
    }
    for name in ("bulbradius", "intensity", "range", "cutoff", "softness", "exponent"):
        arrays[f"light_{name}"] = column(lights, lambda x, n=name: getattr(x, n), dtype=float32)
    for name in ("attenuation", "ambient", "diffuse", "specular"):
        arrays[f"light_{name}"] = column(lights, lambda x, n=name: getattr(x, n), 3, float32)
    return arrays


def _targets(tree: Tree, followers: list) -> np.ndarray:
    """Ids of the bodies that cameras or lights look at, -1 for none."""
    ids = {body.name: body.id for body in tree.bodies if body.name}
    targets = []
    for follower in followers:
        if follower.target and follower.target not in ids:
            report(no_such(follower.element, "target", "body", ids))
        targets.append(ids.get(follower.target, -1) if follower.target else -1)
    return np.array(targets, np.int32)
