"""The plugin mujoco.pid: what it does here is what MuJoCo's library does."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

import cortenforge as cf
from conformance.cases import public_folder
from cortenforge.compare import compare_model
from cortenforge.enums import Disable
from tests.step.actuation.driven import set_both
from tests.step.stages import Pair, field, pair

mujoco = pytest.importorskip("mujoco")

MODEL = """
<mujoco>
  <option timestep="0.002" integrator="{integrator}"><flag contact="disable"/></option>
  <extension>
    <plugin plugin="mujoco.pid">
      <instance name="shared">{config}</instance>
    </plugin>
  </extension>
  <worldbody>
    <body><joint name="j" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body>
    <body pos="0 1 0"><joint name="k" type="slide"/><geom size=".1"/></body>
  </worldbody>
  <actuator>
    <plugin joint="j" plugin="mujoco.pid" instance="shared" {attributes}/>
    <motor joint="k"/>
    <plugin joint="k" plugin="mujoco.pid" gear="2" {attributes}>{config}</plugin>
  </actuator>
</mujoco>"""
PARTS = (("ki", 3.0), ("slewmax", 2.5), ("kd", 0.4), ("imax", 0.05))
FLAG = '<option><flag contact="disable"/></option>'
DYNAMICS = ("none", "integrator", "filter", "filterexact")


@pytest.fixture(scope="module", autouse=True)
def _library() -> None:
    """MuJoCo's own plugins, beside its package."""
    found = list((Path(mujoco.__file__).parent / "plugin").glob("*actuator.*"))
    if not found:
        pytest.skip("this MuJoCo has no library of actuator plugins")
    mujoco.mj_loadPluginLibrary(str(found[0]))


def config(settings: dict[str, float]) -> str:
    return "".join(f'<config key="{key}" value="{value}"/>' for key, value in settings.items())


def controller(
    settings: dict[str, float], dynamics: str = "none", more: str = "", integrator: str = "Euler"
) -> Pair:
    """Both engines with a controller on a hinge, and one on a slide."""
    states = ("ki" in settings) + ("slewmax" in settings) + (dynamics != "none")
    attributes = f'dyntype="{dynamics}" dynprm="0.05" {more}'
    if states:
        attributes += f' actdim="{states}"'
    return pair(MODEL.format(config=config(settings), attributes=attributes, integrator=integrator))


def roll(both: Pair, steps: int = 12) -> None:
    """Random controls from a random state; forces, rates and states agree with MuJoCo."""
    rng = np.random.default_rng(4)
    set_both(both, qpos=rng.normal(size=2), qvel=rng.normal(size=2))
    for _ in range(steps):
        set_both(both, ctrl=rng.normal(size=both.model.nu))
        both.forward()
        both.assert_equal(field("actuator_force"), field("act_dot"), field("qfrc_actuator"))
        both.step()
        both.assert_equal(field("act"), field("qpos"), field("qvel"))


@pytest.mark.parametrize("dynamics", DYNAMICS)
def test_parts_in_every_combination(dynamics):
    for count in range(len(PARTS) + 1):
        for parts in itertools.combinations(PARTS, count):
            roll(controller({"kp": 5.0, **dict(parts)}, dynamics))


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
@pytest.mark.parametrize("dynamics", DYNAMICS[1:])
def test_ranges(dynamics, integrator):
    """Activations within their range, which is not that of the controller's own states."""
    settings = {"kp": 5.0, "ki": 2.0, "kd": 0.3, "slewmax": 40.0}
    more = 'actrange="-0.1 0.2" actearly="true" forcerange="-1 1" ctrlrange="-0.5 0.5"'
    roll(controller(settings, dynamics, more, integrator))


def test_a_control_without_dynamics_is_always_clamped():
    both = controller({"kp": 3.0}, more='ctrlrange="-0.2 0.2"')
    both.model.opt.disableflags |= int(Disable.CLAMPCTRL)
    both.reference.opt.disableflags |= int(Disable.CLAMPCTRL)
    roll(both)


def test_dynamics_of_a_class():
    """What a class says about dynamics counts for a plugin, whichever element says it there."""
    text = MODEL.format(config=config({"kp": 3.0}), attributes='actdim="1"', integrator="Euler")
    default = '<default><general dyntype="filter" dynprm="0.1"/></default>'
    both = pair(text.replace("<extension>", default + "<extension>"))
    assert both.model.actuator_dyntype.tolist() == both.reference.actuator_dyntype.tolist()
    roll(both)


def test_the_public_model():
    """MuJoCo's own example of the plugin, without its floor."""
    folder = public_folder()
    file = folder and folder / "mujoco/plugin/actuator/pid.xml"
    if not file or not file.is_file():
        pytest.skip("no public models here")
    both = pair(file.read_text().replace("<extension>", FLAG + "<extension>"))
    assert all(diff.ok for diff in compare_model(both.model, both.reference))
    for _ in range(50):
        set_both(both, ctrl=0.1)
        both.step()
    both.assert_equal(field("act"), field("qpos"), field("qvel"), field("actuator_force"))


def test_force_by_formula():
    """kp e + ki times the integral after this step + kd de/dt."""
    both = controller({"kp": 5.0, "ki": 2.0, "kd": 0.5})
    set_both(both, qpos=[0.3, 0], qvel=[0.7, 0], ctrl=[1.0, 0, 0], act=[0.1, 0])
    both.forward()
    expected = 5 * 0.7 + 2 * (0.1 + 0.7 * 0.002) - 0.5 * 0.7
    assert both.data.actuator_force[0] == pytest.approx(expected, rel=1e-13)


def test_parameters_that_need_other_activations():
    both = controller({"kp": 5.0, "ki": 2.0})
    both.data.step()
    both.model.actuator_gainprm[0, 1] = 0.0
    with pytest.raises(cf.InvalidActuator, match="compile it again"):
        both.data.step()


def test_lanes_have_the_bits_of_one_world():
    settings = {"kp": 5.0, "ki": 2.0, "kd": 0.3, "slewmax": 40.0, "imax": 0.1}
    model = controller(settings, "filter").model
    rng = np.random.default_rng(1)
    batch = cf.BatchSim(model, 8)
    batch.qvel[:] = rng.normal(size=batch.qvel.shape)
    batch.ctrl[:] = rng.normal(size=batch.ctrl.shape)
    worlds = []
    for state, ctrl in zip(batch.get_states(), batch.ctrl.copy(), strict=True):
        data = model.make_data()
        data.set_state(state)
        data.ctrl[:] = ctrl
        data.step(30)
        worlds.append((data.qpos.copy(), data.act.copy()))
    assert batch.step_all(30) == [None] * 8
    for i, (qpos, act) in enumerate(worlds):
        assert np.array_equal(batch.qpos[i], qpos)
        assert np.array_equal(batch.act[i], act)
