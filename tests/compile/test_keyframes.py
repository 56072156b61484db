"""Keyframes: whatever is given, the rest is the reference state."""

from __future__ import annotations

import pytest

from cortenforge.errors import MjcfError

from .oracle import compiled, differences

WORLD = """<worldbody><body mocap="true" pos="5 6 7"/><body mocap="true" quat="0 1 1 0"/>
  <body><freejoint/><geom size="1"/><body><joint type="ball"/><geom size="1"/>
  <body><joint ref="20"/><geom size="1"/></body></body></body></worldbody>"""

KEYS = [
    '<key name="a" time="-3"/><key/>',
    '<key qpos="1 2 3"/>',
    '<key qpos="1 2 3 0 0 0 0 0 0 0 0 5"/>',
    '<key qpos="1 2 3 4 5 6 7 1 2 3 4 5" qvel="1 2 3 4 5 6 7 8 9 10"/>',
    '<key qvel="1"/>',
    '<key mpos="1 2 3"/><key mpos="1 2"/><key mpos="1 2 3 4 5"/>',
    '<key mquat="1 2 3 4"/><key mquat="1 2 3"/><key mquat="1 2 3 4 5 6 7"/>',
    '<key mpos="1 2 3 4 5 6" mquat="1 1 0 0 0 0 0 0"/>',
    '<key qpos="" ctrl="" act="" plastic=""/>',
]


@pytest.mark.oracle
@pytest.mark.filterwarnings("ignore::cortenforge.errors.MjcfWarning")
@pytest.mark.parametrize("nkey", [-1, 0, 5])
@pytest.mark.parametrize("keys", KEYS)
def test_keyframes(keys, nkey) -> None:
    text = f'<mujoco><size nkey="{nkey}"/>{WORLD}<keyframe>{keys}</keyframe></mujoco>'
    assert differences(text) == []


@pytest.mark.parametrize("name", ["qpos", "qvel", "act", "ctrl", "mpos", "mquat", "plastic"])
def test_too_many_numbers(name) -> None:
    numbers = " ".join("1" * 13)
    with pytest.raises(MjcfError, match="expected") as refused:
        compiled(f'<mujoco>{WORLD}<keyframe><key {name}="{numbers}"/></keyframe></mujoco>')
    assert refused.value.attribute == name
