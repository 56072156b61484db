"""A robot from a file, held by PD control written in Python, and pushed: a plot and a video.

python examples/pd_control.py [MODEL]     (a path to MJCF or URDF; the bundled quadruped if none)
"""

from __future__ import annotations

import sys

import numpy as np
from picture import FOLDER, keep
from terminal import plot

import cortenforge as cf

SECONDS, FPS = 3.0, 30
KP, KD = 200.0, 5.0
#: when the robot is pushed to the side, for how long, and how hard, over its weight
PUSHED_AT, PUSH_TIME, PUSH = 1.0, 0.1, 0.2


def driven_dofs(model: cf.Model) -> np.ndarray:
    """Dofs of hinges and slides, which a motor can move."""
    single = np.isin(model.jnt_type, [cf.enums.JointType.HINGE, cf.enums.JointType.SLIDE])
    return model.jnt_dofadr[single]


def push(data: cf.Data, body: int, weight: float) -> None:
    """Apply a force to the left for a short time."""
    now = PUSHED_AT <= data.time < PUSHED_AT + PUSH_TIME
    data.xfrc_applied[body, 1] = PUSH * weight if now else 0.0


def main() -> None:
    path = cf.models.find(sys.argv[1] if len(sys.argv) > 1 else "quadruped")
    model = cf.load_model(path)
    model.actuator_gainprm[:] = model.actuator_biasprm[:] = 0  # the robot's own servos are off
    data = model.make_data()
    if model.nkey:
        data.reset_to_keyframe(0)
    dofs = driven_dofs(model)
    places = model.jnt_qposadr[model.dof_jntid[dofs]]
    wanted = data.qpos[places].copy()
    root = int(model.dof_bodyid[0])
    weight = float(model.body_subtreemass[root]) * 9.81
    frames, rows = [], []
    renderer = cf.Renderer(model, width=480, height=360)
    camera = "track" if "track" in model.names["camera"] else None
    while data.time < SECONDS:
        data.qfrc_applied[dofs] = KP * (wanted - data.qpos[places]) - KD * data.qvel[dofs]
        push(data, root, weight)
        data.step()
        rows.append((data.time, np.abs(data.qpos[places] - wanted).max(), data.xpos[root, 2]))
        if len(frames) < data.time * FPS:
            frames.append(renderer.render(data, camera))
    time, error, height = np.array(rows).T
    print(plot("Largest error of a joint [rad] over time [s]", (time, error)))
    print(f"\n{path.stem}: {len(dofs)} joints, pushed by {PUSH * weight:.0f} N at {PUSHED_AT:g} s.")
    before, after = time < PUSHED_AT, time >= PUSHED_AT
    print(f"Errors: {error[before].max():.3f} rad before, {error[after].max():.3f} rad after it,")
    print(f"{error[-1]:.3f} rad at the end; {model.body(root).name} at {height[-1]:.2f} m.")
    FOLDER.mkdir(parents=True, exist_ok=True)
    video = cf.Video(frames, fps=FPS).save(FOLDER / "pd_control.mp4")
    print(f"A video of {len(frames)} pictures: {video}")
    keep("pd_control", data, camera)


if __name__ == "__main__":
    main()
