"""Models mangled at random: a compiled model or an `MjcfError`, never anything else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortenforge.compile import compile_spec
from cortenforge.errors import MjcfError
from cortenforge.read import read_mjcf

from .mangling import attributes_of, cut_and_paste, edits, tried, with_value

MODEL = """<mujoco model="m">
  <compiler angle="radian" eulerseq="zyx"/>
  <option timestep="0.001"><flag energy="enable"/></option>
  <default><geom size="0.1 0.2 0.3"/><default class="c"><joint damping="1"/></default></default>
  <worldbody>
    <light pos="0 0 3"/><camera name="v" mode="targetbody" target="a"/>
    <body name="a" pos="0 0 1" childclass="c">
      <joint name="j" axis="0 1 0" range="-1 1"/><geom name="g" type="box"/>
      <frame euler="0 0 1"><site name="s"/></frame>
      <body><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint type="ball"/></body>
    </body>
    <replicate count="2" offset="1 0 0"><body name="b"><freejoint/><geom/></body></replicate>
  </worldbody>
  <keyframe><key time="1"/></keyframe>
</mujoco>
"""
WORDS = [
    "1e30",
    "-1",
    "0",
    "nan",
    "0 0 0",
    "1 2 3 4",
    "true",
    "",
    "a",
    "2147483647",
    "capsule",
    "free",
    "b0",
    "&#65;",
    "<",
    '"',
    "/>",
    "<body>",
    "</body>",
    "<geom/>",
    "\0",
    "\u0663",
]


@tried(300)
@given(edits(MODEL, WORDS))
def test_cut_and_paste(changes) -> None:
    """Stretches of the text replaced by words that may or may not fit there."""
    _load(cut_and_paste(MODEL, changes))


@tried(300)
@given(attributes_of(MODEL), st.sampled_from(WORDS[:14]))
def test_any_attribute_with_any_value(which, word) -> None:
    """One attribute's value replaced: the document stays well formed."""
    _load(with_value(MODEL, which, word))


def _load(text: str) -> None:
    if not text.lstrip().startswith("<"):
        return
    try:
        compile_spec(read_mjcf(text))
    except MjcfError as refused:
        assert refused.file == "<string>"
