"""A robot from a file, held by PD control that you write: a plot, and a video.

python examples/pd_control.py [MODEL]     (a path to MJCF or URDF; the bundled quadruped if none)
"""

from __future__ import annotations

import sys

import numpy as np
from picture import FOLDER, keep
from terminal import plot

import cortenforge as cf

SECONDS, FPS = 3.0, 30
KP, KD = 80.0, 3.0


def driven_joints(model: cf.Model) -> np.ndarray:
    """Dofs of hinges and slides: what a motor can turn."""
    single = np.isin(model.jnt_type, [cf.enums.JointType.HINGE, cf.enums.JointType.SLIDE])
    return np.asarray(model.jnt_dofadr)[single]


def main() -> None:
    path = cf.models.find(sys.argv[1] if len(sys.argv) > 1 else "quadruped")
    model = cf.load_model(path)
    model.actuator_gainprm[:] = model.actuator_biasprm[:] = 0  # the robot's own servos are off
    data = model.make_data()
    if model.nkey:
        data.reset_to_keyframe(0)
    dofs = driven_joints(model)
    places = np.asarray(model.jnt_qposadr)[np.asarray(model.dof_jntid)[dofs]]
    wanted = data.qpos[places].copy()
    frames, time, error = [], [], []
    renderer = cf.Renderer(model, width=480, height=360)
    camera = "track" if "track" in model.names["camera"] else None
    while data.time < SECONDS:
        sway = 0.15 * np.sin(2 * np.pi * data.time)
        target = wanted + sway * np.resize([0, 1, -2], len(dofs))
        data.qfrc_applied[dofs] = KP * (target - data.qpos[places]) - KD * data.qvel[dofs]
        data.step()
        time.append(data.time)
        error.append(float(np.abs(target - data.qpos[places]).max()))
        if len(frames) < data.time * FPS:
            frames.append(renderer.render(data, camera))
    print(plot("Largest error of an angle [rad] over time [s]", (np.array(time), np.array(error))))
    FOLDER.mkdir(parents=True, exist_ok=True)
    video = FOLDER / "pd_control.mp4"
    cf.Video(frames, fps=FPS).save(video)
    print(f"\n{path.stem}: {len(dofs)} joints follow their targets to {error[-1]:.3f} rad.")
    print(f"A video of {len(frames)} pictures: {video}")
    keep("pd_control", data, camera)


if __name__ == "__main__":
    main()
