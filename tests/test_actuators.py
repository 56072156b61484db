"""The tables of actuators: rows say what MuJoCo does and what the compiler makes."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

import cortenforge as cf
from conformance.actuators import OWN
from cortenforge.actuators import (
    ACTUATOR_ELEMENTS,
    OWN_TYPES,
    ActivationSlot,
    ActuatorType,
    Bias,
    Dynamics,
    Gain,
    Transmission,
)
from cortenforge.spec.actuators.shortcuts import CONVERSIONS

ROOT = Path(__file__).parents[1]
OF_OUR_OWN = {"hillmuscle", "pidplugin"}
#: attributes without which an element is refused
REQUIRED = {
    "dcmotor": 'resistance="1" motorconst="1"',
    "hillmuscle": 'preset="soleus"',
    "muscle": 'lengthrange="0 1"',
    "adhesion": 'ctrlrange="0 1"',
    "damper": 'ctrlrange="0 1"',
}
MODEL = """<mujoco><worldbody><body name="b"><joint name="h"/><geom size=".1"/>
  <body name="c"><joint name="ball" type="ball"/><geom size=".1"/></body></body></worldbody>
  <actuator><{tag} {target} {more}/></actuator></mujoco>"""

EXTENSION = '<extension><plugin plugin="mujoco.pid"/></extension>'


@pytest.mark.parametrize(
    ("kinds", "prefix", "name"),
    [
        (Transmission, "mjTRN_", "mjtTrn"),
        (Dynamics, "mjDYN_", "mjtDyn"),
        (Gain, "mjGAIN_", "mjtGain"),
        (Bias, "mjBIAS_", "mjtBias"),
    ],
)
def test_enumerations_have_mujocos_numbers(kinds, prefix: str, name: str) -> None:
    mujoco = pytest.importorskip("mujoco")
    theirs = {
        member.removeprefix(prefix): int(value)
        for member, value in getattr(mujoco, name).__members__.items()
    }
    theirs.pop("UNDEFINED", None)
    assert {kind.name: int(kind) for kind in kinds if kind < OWN_TYPES} == theirs


@pytest.mark.parametrize("tag", ACTUATOR_ELEMENTS)
def test_an_element_has_the_types_of_its_row(tag: str) -> None:
    """Elements without settings of their own compile to the types of the table."""
    row = ACTUATOR_ELEMENTS[tag]
    target = 'joint="ball"' if tag == "orientation" else 'joint="h"'
    target = 'body="b"' if Transmission.JOINT not in row.targets else target
    text = MODEL.format(tag=tag, target=target, more=REQUIRED.get(tag, ""))
    if tag == "pidplugin":
        text = text.replace("<pidplugin", '<plugin plugin="mujoco.pid"')
        text = text.replace("<actuator>", f"{EXTENSION}<actuator>")
    model = cf.Model.from_mjcf(text)
    found = (
        Gain(int(model.actuator_gaintype[0])).word,
        Bias(int(model.actuator_biastype[0])).word,
        Dynamics(int(model.actuator_dyntype[0])).word,
    )
    assert found == (row.gain, row.bias, row.dynamics)


def test_every_element_has_a_conversion_and_is_drawn() -> None:
    """The table, the conversions to the general actuator, and random models name the same."""
    assert set(CONVERSIONS) == set(ACTUATOR_ELEMENTS)
    assert set(OWN) == set(ACTUATOR_ELEMENTS) - OF_OUR_OWN


@pytest.mark.parametrize("kind", [*Dynamics, *Gain, *Bias], ids=str)
def test_parameters_fit_their_arrays(kind: ActuatorType) -> None:
    """Names differ, and there is room for their numbers."""
    assert len(set(kind.parameters)) == len(kind.parameters) <= 10
    assert kind.meaning


def test_slots_are_what_controllers_check() -> None:
    """Each activation has one parameter in the arrays of its actuator, in the order of its bit."""
    known = {kind: list(kind.slots) for kind in Dynamics if kind.mark}
    assert set(known) == {Dynamics.DCMOTOR, Dynamics.PID, Dynamics.HILL}
    assert known[Dynamics.PID] == [
        (ActivationSlot.SLEW, "dynprm", 1),
        (ActivationSlot.INTEGRAL, "gainprm", 0),
    ]
    for slots in known.values():
        assert [slot for slot, _, _ in slots] == sorted(slot for slot, _, _ in slots)
    model = cf.Model.from_mjcf(
        MODEL.format(
            tag="dcmotor",
            target='joint="h"',
            more='resistance="1" motorconst="1" inductance=".1" lugre="1 2 3 4 5" '
            'thermal="1 2 0 .1 20 30" controller="1 2 3 4 5 6" input="pos vel"',
        )
    )
    every = np.bitwise_or.reduce([slot for slot, _, _ in known[Dynamics.DCMOTOR]])
    assert model.actuator_slots[0] == every and model.actuator_actnum[0] == 5


@pytest.mark.parametrize("tag", ["damper", "intvelocity", "orientation"])
def test_a_shortcut_stands_in_three_files(tag: str) -> None:
    """Its row, its attributes, and its conversion."""
    files = {
        file.relative_to(ROOT / "cortenforge").as_posix()
        for file in (ROOT / "cortenforge").rglob("*.py")
        if file.relative_to(ROOT / "cortenforge").parts[0] in ("spec", "grammar", "compile")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value == tag
    }
    conversions = {file for file in files if file.startswith("spec/actuators/")}
    assert files - conversions == {"grammar/tables/actuator.py"} and len(conversions) == 1
