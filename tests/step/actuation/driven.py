"""Models with actuators, for the tests of their stages."""

from __future__ import annotations

import numpy as np
import pytest

from conformance.driven import driven_model, pulled_model
from tests.step.stages import Pair, pair

SEEDS = range(2100, 2112)
PULLED_SEEDS = range(2300, 2310)

#: a hinge, a ball and a slide in a row, a free body beside them, sites on all; no gravity
FREE_TO_ACT = """
<mujoco>
  <compiler angle="radian"/>
  <option gravity="0 0 0"><flag contact="disable"/></option>
  <worldbody>
    <site name="rail" pos="0 0 1" euler="0.2 0.3 0.1"/>
    <body><joint name="hinge" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/>
      <body pos=".6 0 0"><joint name="ball" type="ball"/><geom size=".1" pos=".1 .1 0"/>
        <site name="elbow" euler="1 0.5 0"/>
        <body pos=".3 0 0"><joint name="slide" type="slide" axis="0 0 1"/><geom size=".1"/>
          <site name="tip" pos=".1 0 0" euler="0.4 0 0.7"/><site name="thumb" pos="0 .1 0"/>
        </body>
      </body>
    </body>
    <body name="float" pos="0 1 1"><freejoint name="free"/><geom size=".1 .2 .1" type="box"/>
      <site name="hull" pos="0 0 .1"/></body>
  </worldbody>
  <actuator>{actuators}</actuator>
</mujoco>"""


def driven_cases() -> pytest.MarkDecorator:
    """A parameter `source`: random models with actuators, some of them on tendons."""
    drawn = [pytest.param(driven_model(seed), id=f"seed {seed}") for seed in SEEDS]
    drawn += [pytest.param(pulled_model(seed), id=f"tendons {seed}") for seed in PULLED_SEEDS]
    return pytest.mark.parametrize("source", drawn)


def hinge(actuator: str, option: str = "", joint: str = "") -> Pair:
    """Both engines with one actuator on a hinge."""
    return pair(
        f'<mujoco><option gravity="0 0 0" {option}/><worldbody><body>'
        f'<joint name="j" axis="0 1 0" {joint}/><geom size=".1" pos=".3 0 0"/></body></worldbody>'
        f"<actuator>{actuator}</actuator></mujoco>"
    )


def set_both(both: Pair, **values: object) -> None:
    """Write fields of both engines."""
    for name, value in values.items():
        for data in (both.data, both.theirs):
            np.asarray(getattr(data, name))[:] = value
