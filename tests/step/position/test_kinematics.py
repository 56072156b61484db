"""Where bodies and joints are."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from tests.step.stages import cases, one, states, written_by

JOINTS = ("joint_hinge", "joint_slide", "joint_ball", "joint_free", "joint_several")


@cases(*JOINTS, "mocap_and_keys", "frames", "static_only")
def test_fields_are_mujocos(source):
    """Poses, anchors and axes, with quaternions of any length."""
    for both in states(source):
        both.assert_equal(*written_by("step.position.kinematics"))


def test_a_hinge_turns_about_its_anchor():
    """The anchor stays, the body goes around it."""
    data = one(
        '<worldbody><body pos="1 0 0"><joint axis="0 0 1" pos="-0.5 0 0"/><geom size=".1"/></body>'
        "</worldbody>"
    )
    for angle in (0.0, 0.4, -2.0):
        data.qpos[0] = angle
        data.forward()
        np.testing.assert_allclose(data.xanchor[0], [0.5, 0, 0], atol=1e-15)
        place = [0.5 + 0.5 * np.cos(angle), 0.5 * np.sin(angle), 0]
        np.testing.assert_allclose(data.xpos[1], place, atol=1e-15)
        turn = Rotation.from_euler("z", angle).as_matrix().ravel()
        np.testing.assert_allclose(data.xmat[1], turn, atol=1e-15)


def test_a_slide_moves_along_its_axis_in_the_parent():
    """From its reference on, in the axes of a parent that is turned."""
    data = one(
        '<worldbody><body euler="0 0 90"><joint type="slide" axis="1 0 0" ref="0.2"/>'
        '<geom size=".1"/></body></worldbody>'
    )
    data.qpos[0] = 0.5
    data.forward()
    np.testing.assert_allclose(data.xaxis[0], [0, 1, 0], atol=1e-15)
    np.testing.assert_allclose(data.xpos[1], [0, 0.3, 0], atol=1e-15)


def test_a_ball_turns_in_its_own_axes():
    """Joints of one body are taken in order; the second turns with the first."""
    data = one(
        '<worldbody><body><joint axis="0 0 1"/><body><joint type="ball"/><geom size=".1"/></body>'
        '<geom size=".1"/></body></worldbody>'
    )
    ball = Rotation.from_rotvec([0.3, -0.2, 0.5])
    data.qpos[:] = [1.0, *ball.as_quat(scalar_first=True)]
    data.forward()
    whole = Rotation.from_euler("z", 1.0) * ball
    np.testing.assert_allclose(data.xmat[2], whole.as_matrix().ravel(), atol=1e-15)
