"""Cameras of scenes: default ones, movement by a mouse, and the frustums of both eyes.

A free camera at distance r looks along f = (ce ca, ce sa, se), where a and e are its azimuth and
elevation; right is (sa, -ca, 0), up (-se ca, -se sa, ce). The eyes are half of `ipd` to the left
and right. At the near plane n the frustum has height 2 n tan(fovy / 2).
"""

from __future__ import annotations

import math

import numpy as np

from cortenforge.mujoco.data import MjData
from cortenforge.mujoco.drawing.structs import MjvCamera, MjvGLCamera, MjvScene
from cortenforge.mujoco.enums import ENUMS
from cortenforge.mujoco.errors import FatalError
from cortenforge.mujoco.model import MjModel
from cortenforge.mujoco.registry import function
from cortenforge.scene.camera import PROJECTION_ORTHOGRAPHIC, Lens

Kind = ENUMS["mjtCamera"]
Mouse = ENUMS["mjtMouse"]
#: a free camera looks at most so steeply up or down, in degrees
STEEPEST = 89.0
#: bounds of a free camera's distance, in extents of the model
NEAREST, FARTHEST = 0.01, 100.0
#: degrees that a drag over the whole window turns the camera, and speed of zooming
TURN, ZOOM = 180.0, 9.0

Axes = tuple[np.ndarray, np.ndarray, np.ndarray]


@function
def mjv_defaultCamera(cam: MjvCamera) -> None:
    """Set a camera to its defaults."""
    cam.assign(MjvCamera())


@function
def mjv_defaultFreeCamera(m: MjModel, cam: MjvCamera) -> None:
    """Set a camera to a free one that sees the whole model."""
    cam.assign(MjvCamera())
    cam.lookat[:] = m.stat.center
    cam.distance = 1.5 * m.stat.extent
    cam.azimuth, cam.elevation = m.vis.global_.azimuth, m.vis.global_.elevation
    cam.orthographic = m.vis.global_.orthographic


def free_axes(azimuth: float, elevation: float) -> Axes:
    """Right, up and forward of a free camera."""
    a, e = math.radians(azimuth), math.radians(elevation)
    ca, sa, ce, se = math.cos(a), math.sin(a), math.cos(e), math.sin(e)
    return (
        np.array([sa, -ca, 0.0]),
        np.array([-se * ca, -se * sa, ce]),
        np.array([ce * ca, ce * sa, se]),
    )


def checked_number(kind: str, number: int, count: int) -> int:
    """The number of a camera or a body.  Raises FatalError if it is out of range."""
    if not 0 <= number < count:
        raise FatalError(f"{kind} id is outside valid range: {number}")
    return number


def camera_pose(m: MjModel, d: MjData, cam: MjvCamera) -> tuple[np.ndarray, Axes]:
    """Position and axes of a camera; a tracking one looks at its body from now on."""
    if cam.type == Kind["mjCAMERA_FIXED"]:
        number = checked_number("fixed camera", cam.fixedcamid, m.ncam)
        right, up, back = np.array(d.cam_xmat[number]).reshape(3, 3).T
        return np.array(d.cam_xpos[number]), (right, up, -back)
    if cam.type == Kind["mjCAMERA_TRACKING"]:
        cam.lookat[:] = d.subtree_com[checked_number("track body", cam.trackbodyid, m.nbody)]
    elif cam.type != Kind["mjCAMERA_FREE"]:
        raise FatalError(f"unknown camera type {cam.type}")
    axes = free_axes(cam.azimuth, cam.elevation)
    return np.asarray(cam.lookat - cam.distance * axes[2]), axes


def camera_frustum(m: MjModel, cam: MjvCamera) -> dict[str, float]:
    """Frustum of a camera at its near plane, by fields of MjvGLCamera."""
    near, far = m.vis.map.znear * m.stat.extent, m.vis.map.zfar * m.stat.extent
    made = {"frustum_near": near, "frustum_far": far, "frustum_center": 0.0, "frustum_width": 0.0}
    if cam.type == Kind["mjCAMERA_FIXED"]:
        number = cam.fixedcamid
        fovy = float(m.cam_fovy[number])
        parallel = int(m.cam_projection[number]) == PROJECTION_ORTHOGRAPHIC
        wide, high = (float(size) for size in m.cam_sensorsize[number])
        if high and not parallel:
            fx, fy, cx, cy = (float(n) for n in m.cam_intrinsic[number])
            half = 0.5 * high
            return made | {
                "frustum_top": near * (half - cy) / fy,
                "frustum_bottom": -near * (half + cy) / fy,
                "frustum_width": 0.5 * near * wide / fx,
                "frustum_center": near * cx / fx,
                "orthographic": 0,
            }
    else:
        fovy, parallel = float(m.vis.global_.fovy), bool(cam.orthographic)
    top = 0.5 * fovy if parallel else near * math.tan(math.radians(0.5 * fovy))
    return made | {"frustum_top": top, "frustum_bottom": -top, "orthographic": int(parallel)}


@function
def mjv_updateCamera(m: MjModel, d: MjData, cam: MjvCamera, scn: MjvScene) -> None:
    """Set both eyes of a scene's camera."""
    if cam.type == Kind["mjCAMERA_USER"]:
        return
    pos, (right, up, forward) = camera_pose(m, d, cam)
    frustum = camera_frustum(m, cam)
    fixed = cam.type == Kind["mjCAMERA_FIXED"]
    ipd = float(m.cam_ipd[cam.fixedcamid] if fixed else m.vis.global_.ipd)
    for eye, side in zip(scn._camera, (-0.5, 0.5), strict=True):
        eye.pos = pos + side * ipd * right
        eye.up, eye.forward = up, forward
        for name, value in frustum.items():
            setattr(eye, name, value)


def scene_lens(scn: MjvScene, width: int, height: int) -> Lens:
    """The lens of a scene's camera between its eyes, for a picture of a size."""
    mean = {name: column.astype(float).mean(0) for name, column in scn._camera._columns.items()}
    parallel = bool(scn._camera[0].orthographic)
    forward = mean["forward"] / max(float(np.linalg.norm(mean["forward"])), 1e-12)
    up = mean["up"] / max(float(np.linalg.norm(mean["up"])), 1e-12)
    top, bottom, near = mean["frustum_top"], mean["frustum_bottom"], mean["frustum_near"]
    high = top - bottom
    if not high > 0.0:
        raise FatalError("mjr_render: the camera has no frustum; call mjv_updateScene before")
    half = mean["frustum_width"] or 0.5 * width / height * high
    unit = 1.0 if parallel else near
    return Lens(
        mean["pos"],
        np.cross(forward, up),
        up,
        forward,
        (unit * width / (2.0 * half), unit * height / high),
        (width * (half - mean["frustum_center"]) / (2.0 * half), height * top / high),
        float(near),
        float(mean["frustum_far"]),
        parallel,
    )


@function
def mjv_moveCamera(m: MjModel, action: int, reldx: float, reldy: float, cam: MjvCamera) -> None:
    """Move a free or tracking camera with the mouse; reldx, reldy: in heights of the window."""
    if action == Mouse["mjMOUSE_NONE"] or action not in Mouse._value2member_map_:
        raise FatalError(f"mjv_moveCamera: unexpected action {action}")
    if cam.type == Kind["mjCAMERA_FIXED"]:
        return
    name = Mouse(action).name.removeprefix("mjMOUSE_")
    if name.startswith("ROTATE"):
        turn_camera(cam, reldx, reldy)
    elif name.startswith("TURN"):
        # the eye stays where it is
        eye = cam.lookat - cam.distance * free_axes(cam.azimuth, cam.elevation)[2]
        across = name == "TURN_H"
        turn_camera(cam, reldx if across else 0.0, 0.0 if across else reldy)
        cam.lookat[:] = eye + cam.distance * free_axes(cam.azimuth, cam.elevation)[2]
    elif name == "ZOOM":
        extent = m.stat.extent
        away = cam.distance - math.log1p(cam.distance / extent / 3.0) * reldy * ZOOM * extent
        cam.distance = min(max(away, NEAREST * extent), FARTHEST * extent)
    elif cam.type == Kind["mjCAMERA_FREE"]:
        shift_camera(m, name, reldx, reldy, cam)


def turn_camera(cam: MjvCamera, reldx: float, reldy: float) -> None:
    """Turn a free camera."""
    cam.azimuth -= reldx * TURN
    cam.elevation = min(max(cam.elevation - reldy * TURN, -STEEPEST), STEEPEST)
    if cam.azimuth > 180.0:
        cam.azimuth -= 360.0
    elif cam.azimuth < -180.0:
        cam.azimuth += 360.0


def shift_camera(m: MjModel, name: str, reldx: float, reldy: float, cam: MjvCamera) -> None:
    """Move the point that a free camera looks at: with the world, or with the view (REL)."""
    right, up, forward = free_axes(cam.azimuth, cam.elevation)
    if name.endswith("REL"):
        along = up if "_V_" in name else forward
        cam.lookat[:] += reldx * right + reldy * along
        return
    fovy = float(m.vis.global_.fovy)
    height = fovy if cam.orthographic else 2.0 * cam.distance * math.tan(math.radians(0.5 * fovy))
    flat = np.array([-right[1], right[0], 0.0])
    along = np.array([0.0, 0.0, 1.0]) if name == "MOVE_V" else flat
    cam.lookat[:] += height * (reldy * along - reldx * right)


@function
def mjv_frustumHeight(scn: MjvScene) -> float:
    """Height of the frustum of a scene's camera at a distance of one."""
    mean = {name: float(column.mean()) for name, column in scn._camera._columns.items()}
    height = mean["frustum_top"] - mean["frustum_bottom"]
    return height if scn._camera[0].orthographic else height / mean["frustum_near"]


@function
def mjv_cameraFrame(
    headpos: np.ndarray,
    forward: np.ndarray,
    up: np.ndarray,
    right: np.ndarray,
    d: MjData,
    cam: MjvCamera,
) -> None:
    """Position and axes of a camera."""
    pos, axes = camera_pose(d.model, d, cam)
    headpos[:] = pos
    right[:], up[:], forward[:] = axes


@function
def mjv_averageCamera(cam1: MjvGLCamera, cam2: MjvGLCamera) -> MjvGLCamera:
    """The mean of two eyes."""
    made = MjvGLCamera()
    for name in made._fields:
        mean = 0.5 * (getattr(cam1, name) + getattr(cam2, name))
        setattr(made, name, int(mean) if name == "orthographic" else mean)
    return made
