"""Ranges of lengths of a loaded model, against mj_setLengthRange."""

from __future__ import annotations

import copy
import io
import sys
from dataclasses import asdict, fields

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import Enable
from cortenforge.grammar.rules import RULES
from cortenforge.model.calls import progress_bar
from cortenforge.model.methods import lengthrange
from cortenforge.model.methods.lengthrange import LengthRangeOptions

mujoco = pytest.importorskip("mujoco")

TOLERANCE = 1e-9
#: an arm that falls onto the floor or lifts its hand up to a limit, and a slide on a spring
ARM = """<mujoco><option {option}/><worldbody>
<geom type="plane" size="3 3 .1"/><site name="w" pos="0 0 1.2"/>
<body pos="0 0 1"><joint name="shoulder" axis="0 1 0" range="-80 100" armature=".02"/>
  <geom type="capsule" size=".04" fromto="0 0 0 .5 0 0"/><site name="u" pos=".3 0 .06"/>
  <body pos=".5 0 0"><joint name="elbow" axis="0 1 0" range="-120 5" armature=".02"/>
    <geom type="capsule" size=".03" fromto="0 0 0 .6 0 0"/><site name="f" pos=".2 0 .05"/>
  </body></body>
<body pos="2 0 1"><joint name="spring" type="slide" axis="1 0 0" stiffness="100" damping="20"/>
  <geom size=".1"/></body></worldbody>
<tendon><spatial name="t"><site site="w"/><site site="u"/><site site="f"/></spatial></tendon>
<actuator><muscle name="biceps" tendon="t" lengthrange="1 2"/>
<motor name="motor" joint="elbow"/><motor name="pull" joint="spring"/></actuator></mujoco>"""
#: everything, with the model's own time step
ALL = LengthRangeOptions(mode="all", useexisting=False, timestep=0, timeconst=0.2, tolrange=0.3)


def both(option: str = ""):
    text = ARM.format(option=option)
    return cf.Model.from_mjcf(text), mujoco.MjModel.from_xml_string(text)


def mujocos(model, options: LengthRangeOptions) -> np.ndarray:
    """What mj_setLengthRange finds with a model's options as they are, for each actuator alone:
    muscles pull by their ranges, so that a new one changes what is found after it."""
    wanted = mujoco.MjLROpt()
    for name, value in asdict(options).items():
        setattr(
            wanted, name, list(lengthrange.MODE_TYPES).index(value) if name == "mode" else value
        )
    found = model.actuator_lengthrange.copy()
    for i in range(model.nactuator):
        alone = copy.copy(model)
        mujoco.mj_setLengthRange(alone, mujoco.MjData(alone), i, wanted)
        found[i] = alone.actuator_lengthrange[i]
    return found


@pytest.mark.parametrize(
    "option",
    [
        f"timestep='.004' integrator='{name}'"
        for name in ("Euler", "RK4", "implicit", "implicitfast")
    ],
)
def test_with_contact_and_gravity(option):
    """Falling onto the floor ends the range; the spring ends where it holds the push."""
    ours, theirs = both(option)
    ours.set_length_range(None, ALL, everything=True)
    np.testing.assert_allclose(ours.actuator_lengthrange, mujocos(theirs, ALL), rtol=TOLERANCE)
    alone = cf.Model.from_mjcf(
        ARM.format(option=option).replace(
            '<geom type="plane"', '<geom contype="0" conaffinity="0" type="plane"'
        )
    )
    alone.set_length_range("biceps", ALL, everything=True)
    assert alone.actuator_lengthrange[0, 1] > ours.actuator_lengthrange[0, 1] + 1e-3


def test_as_the_compiler_does_it():
    """Without `everything`, what the compiler would have found; options are as before."""
    ours, theirs = both()
    wanted = LengthRangeOptions(mode="muscle", useexisting=False)
    before = (ours.opt.disableflags, ours.opt.enableflags, ours.opt.timestep, ours.opt.integrator)
    ours.set_length_range("biceps", wanted)
    theirs.opt.disableflags, theirs.opt.timestep = int(lengthrange.DISABLED_FLAGS), wanted.timestep
    np.testing.assert_allclose(
        ours.actuator_lengthrange[0], mujocos(theirs, wanted)[0], rtol=TOLERANCE
    )
    after = (ours.opt.disableflags, ours.opt.enableflags, ours.opt.timestep, ours.opt.integrator)
    assert before == after
    fresh = cf.Model.from_mjcf(ARM.format(option="").replace(' lengthrange="1 2"', ""))
    assert np.array_equal(fresh.actuator_lengthrange[0], ours.actuator_lengthrange[0])


def test_what_there_is_stays():
    ours, _ = both()
    ours.set_length_range()
    assert ours.actuator_lengthrange.tolist() == [[1, 2], [0, 0], [0, 0]]
    ours.set_length_range("motor", LengthRangeOptions(mode="all", uselimit=True))
    assert np.array_equal(ours.actuator_lengthrange[1], ours.joint("elbow").range)


def test_an_actuator_without_a_range_is_named():
    """Nothing changes then, also of those that have one; a slide without a limit never settles."""
    ours, _ = both()
    with pytest.raises(cf.ModelError, match=r"actuator pull: .* did not settle"):
        ours.set_length_range(options=LengthRangeOptions(mode="all", useexisting=False))
    assert ours.actuator_lengthrange.tolist() == [[1, 2], [0, 0], [0, 0]]
    assert ours.opt.disableflags == 0
    with pytest.raises(cf.ArgumentError, match="mode"):
        LengthRangeOptions(mode="some")
    with pytest.raises(KeyError, match="biceps"):
        ours.set_length_range("bicep")


def test_a_world_that_diverges_is_an_error():
    ours, _ = both()
    with pytest.raises(cf.ModelError, match=r"actuator biceps: .* diverged: q"):
        ours.set_length_range("biceps", LengthRangeOptions(useexisting=False, accel=1e12))


def test_what_the_engine_lacks_is_refused():
    ours, _ = both()
    ours.opt.enableflags |= int(Enable.IPC)
    with pytest.raises(cf.UnsupportedFeature, match="ipc"):
        ours.set_length_range(None, ALL, everything=True)


def test_callbacks_are_called():
    """With everything on, a control callback holds the arm where it would fall."""
    ours, _ = both("timestep='.004'")
    ours.set_length_range("biceps", ALL, everything=True)
    free = ours.actuator_lengthrange[0].copy()

    def hold(model, data):
        data.ctrl[1] = -200 * data.qpos[1] - 20 * data.qvel[1]

    ours.callbacks.control = hold
    ours.set_length_range("biceps", ALL, everything=True)
    assert not np.allclose(ours.actuator_lengthrange[0], free, rtol=1e-3)


def test_defaults_are_those_of_mjcf_and_mujoco():
    usual, theirs = LengthRangeOptions(), mujoco.MjLROpt()
    mujoco.mj_defaultLROpt(theirs)
    for field in fields(usual):
        value = getattr(usual, field.name)
        assert RULES["lengthrange"].fallback[field.name] == value
        if field.name == "mode":
            value = list(lengthrange.MODE_TYPES).index(value)
        assert getattr(theirs, field.name) == value


def test_threads_change_no_bit(monkeypatch):
    ours, _ = both()
    options = LengthRangeOptions(mode="all", useexisting=False, tolrange=1e9)
    found = []
    for cores in (1, 4):
        monkeypatch.setattr(lengthrange, "usable_cores", lambda cores=cores: cores)
        ours.set_length_range(None, options)
        found.append(ours.actuator_lengthrange.copy())
    assert np.array_equal(*found)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("shown", [True, False])
def test_a_long_search_shows_a_bar(monkeypatch, shown):
    """Once it has taken a while, and on a terminal only."""
    monkeypatch.setattr(progress_bar, "BAR_DELAY", 0.0 if shown else 1e9)
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    ours, _ = both()
    ours.set_length_range("biceps", LengthRangeOptions(useexisting=False))
    assert ("Length ranges" in screen.getvalue()) is shown
