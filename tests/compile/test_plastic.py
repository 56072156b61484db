"""Springs that yield: thresholds, places in the plastic state, keyframes, forces."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.errors import MjcfError, MjcfWarning

from .oracle import compiled, differences, mujoco

GEOM = '<geom size=".1" contype="0" conaffinity="0"/>'
MODEL = f"""<mujoco><option><flag energy="enable"/></option>
<default><tendon springyield=".2"/></default><worldbody>
  <body><joint name="elastic" stiffness="2"/>{GEOM}
    <body><joint name="h" springyield="10" springref="20" stiffness="1 2 3"/>{GEOM}
      <body><joint name="ball" type="ball" springyield="5" stiffness="3"/>{GEOM}
        <site name="s" pos="1 0 0"/></body></body></body>
  <body><joint name="slide" type="slide" ref=".3" springyield=".1" stiffness="4"/>{GEOM}</body>
  <site name="w"/></worldbody>
<tendon><spatial springlength="0 2" stiffness="5 1"><site site="s"/><site site="w"/></spatial>
  <fixed springyield="0"><joint joint="h" coef="1"/></fixed>
  <fixed springyield=".3" stiffness="2"><joint joint="h" coef="2"/></fixed></tendon>
<keyframe><key name="rest"/><key name="some" plastic="1 2 3"/>
  <key name="all" plastic="1 2 3 4 5 6 7 8 9 10"/></keyframe></mujoco>"""


@pytest.mark.parametrize("angle", ["degree", "radian"])
def test_equals_mujoco(angle: str) -> None:
    """Joints come first, four numbers for a ball, then two for a tendon."""
    text = MODEL.replace("<default>", f'<compiler angle="{angle}"/><default>')
    with pytest.warns(MjcfWarning, match="3 of 10 numbers"):
        assert differences(text) == []


@pytest.mark.filterwarnings("ignore::cortenforge.errors.MjcfWarning")
def test_state_and_force_equal_mujoco() -> None:
    """The force follows the plastic state."""
    model, reference = cf.Model.from_mjcf(MODEL), mujoco.MjModel.from_xml_string(MODEL)
    ours, theirs = model.make_data(), mujoco.MjData(reference)
    np.testing.assert_array_equal(ours.plastic, theirs.plastic)
    for key in range(3):
        ours.reset_to_keyframe(key)
        mujoco.mj_resetDataKeyframe(reference, theirs, key)
        np.testing.assert_allclose(ours.plastic, theirs.plastic, rtol=1e-15)
        ours.forward(smooth_only=True)
        mujoco.mj_forward(reference, theirs)
        np.testing.assert_allclose(ours.qfrc_spring, theirs.qfrc_spring, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(ours.energy, theirs.energy, rtol=1e-12)


def test_plastic_keyframes_of_attached_models_are_refused() -> None:
    part = f"""<mujoco><worldbody><body name="s"><joint springyield="3"/>{GEOM}</body></worldbody>
    <keyframe><key name="k" plastic=".7"/></keyframe></mujoco>"""
    text = """<mujoco><asset><model name="m" file="s.xml"/></asset><worldbody>
    <attach model="m" body="s" prefix="p_"/></worldbody></mujoco>"""
    with pytest.raises(MjcfError, match="not supported yet in an attached model") as refused:
        compiled(text, {"s.xml": part.encode()})
    assert (refused.value.element, refused.value.attribute) == ("key", "plastic")


def test_elastic_springs_have_no_plastic_state() -> None:
    found = compiled(f"<mujoco><worldbody><body><joint/>{GEOM}</body></worldbody></mujoco>")
    assert found.sizes["nplastic"] == 0
    assert found.arrays["jnt_plasticadr"].tolist() == [-1]
