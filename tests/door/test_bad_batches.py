"""Wrong arguments of batches: errors of the family, whatever is given, and nothing changes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.models import find

MODEL = cf.Model.from_mjcf(find("double_pendulum"))
NOISY = cf.Model.from_mjcf(
    "<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>"
    "<sensor><jointpos joint='j' noise='1'/></sensor></mujoco>"
)
#: what people may give in place of anything
HOSTILE: list[Any] = [
    None, "x", b"x", "body_mass", -1, 2**70, -(2**70), 1.5, float("nan"), float("inf"), True, [],
    [1, 2, 3], [[1], [2, 3]], {}, (), object(), np.zeros((3, 3)), np.zeros(0), np.array("a"),
    np.array([1 + 2j]), np.full((4, 2), np.nan), np.int8(3), len, MODEL,
]  # fmt: skip
ALL = np.ones(4, bool)


def batch(model: cf.Model = MODEL) -> cf.BatchSim:
    return cf.BatchSim(model, 4, threads=1)


def rolled(**given: Any) -> Any:
    states = given.pop("states", batch().get_states())
    controls = given.pop("controls", np.zeros((4, 2, 0)))
    return batch().rollout(states, controls, progress=False, **given)


def with_parameters() -> cf.BatchSim:
    made = batch()
    made.expand("body_mass")
    return made


CALLS: dict[str, Callable[[Any], Any]] = {
    "model": lambda x: cf.BatchSim(x, 3),
    "n": lambda x: cf.BatchSim(MODEL, x),
    "threads": lambda x: cf.BatchSim(MODEL, 3, threads=x),
    "engine": lambda x: cf.BatchSim(MODEL, 3, engine=x),
    "step_all": lambda x: batch().step_all(x),
    "ctrl": lambda x: batch().step_all(1, ctrl=x),
    "bind": lambda x: batch().bind(x),
    "expand": lambda x: batch().expand(x),
    "env": lambda x: batch().env(x),
    "reset": lambda x: batch().reset(x),
    "reset_where": lambda x: batch().reset_where(x),
    "reset_where, states": lambda x: batch().reset_where(ALL, x),
    "reset_where, rng": lambda x: batch().reset_where(ALL, batch().get_states(), rng=x),
    "seed_noise": lambda x: batch(NOISY).seed_noise(x),
    "set_states": lambda x: batch().set_states(x),
    "rollout, states": lambda x: rolled(states=x),
    "rollout, controls": lambda x: rolled(controls=x),
    "rollout, fields": lambda x: rolled(fields=x),
    "rollout, nstep": lambda x: rolled(nstep=x),
    "rollout, derivatives": lambda x: rolled(derivatives=x),
    "randomize": lambda x: batch().randomize(x, scale=(1, 2)),
    "randomize, scale": lambda x: batch().randomize("body_mass", scale=x),
    "randomize, add": lambda x: batch().randomize("body_mass", add=x),
    "randomize, seed": lambda x: batch().randomize("body_mass", scale=(1, 2), seed=x),
    "randomize, elements": lambda x: batch().randomize("body_mass", scale=(1, 2), elements=x),
    "derivatives": lambda x: batch().transition_derivatives(x),
    "derivatives of a Data": lambda x: MODEL.make_data().transition_derivatives(x),
    "inverse derivatives": lambda x: MODEL.make_data().inverse_derivatives(x),
    "step of a Data": lambda x: MODEL.make_data().step(x),
    "camera": lambda x: batch().render(x, width=2, height=2),
    "width": lambda x: batch().render(width=x, height=2),
    "mode": lambda x: batch().render(width=2, height=2, mode=x),
    "option": lambda x: batch().render(width=2, height=2, shadow=x),
    "assignment": lambda x: setattr(batch(), "qpos", x),
    "parameter": lambda x: with_parameters().parameters.__setitem__("body_mass", x),
    "name of a parameter": lambda x: batch().parameters[x],
    "name of a new parameter": lambda x: batch().parameters.__setitem__(x, 1.0),
}


@pytest.mark.parametrize("name", CALLS)
def test_errors_are_of_the_family(name: str) -> None:
    for given in HOSTILE:
        try:
            CALLS[name](given)
        except cf.CortenForgeError as error:
            assert str(error) and len(str(error)) < 600
        except BaseException as error:
            raise AssertionError(f"{name}: {given!r} gave {error!r}") from error


@pytest.mark.parametrize("call", ["save", "load"])
def test_a_number_is_no_path(call: str, tmp_path: Path) -> None:
    """`open` takes numbers for files that are open already: True would be the standard output."""
    for given in (None, True, 1, 1.5, [], b"x", object()):
        with pytest.raises(cf.ArgumentError, match="path: expected the path of a file"):
            getattr(batch(), call)(given)
    batch().save(tmp_path / "batch.npz")
    batch().load(str(tmp_path / "batch.npz"))


def test_refused_randomness_changes_nothing() -> None:
    made = batch()
    for wrong in ({"seed": -1}, {"elements": [99]}, {"elements": "x"}):
        with pytest.raises(cf.ArgumentError):
            made.randomize("body_mass", scale=(1, 2), **wrong)
    assert not made.parameters


@pytest.mark.parametrize(
    ("error", "base", "call"),
    [
        (cf.OutOfRange, IndexError, lambda: batch().env(4)),
        (cf.OutOfRange, IndexError, lambda: MODEL.make_data().contact_force(7)),
        (cf.OutOfRange, IndexError, lambda: MODEL.body(99)),
        (cf.UnknownName, KeyError, lambda: MODEL.body("nobody")),
        (cf.UnknownName, KeyError, lambda: batch().parameters["body_mass"]),
    ],
)
def test_numbers_and_names_that_are_not_there(error: Any, base: Any, call: Any) -> None:
    """Errors of the family, and those that Python's own containers would raise."""
    with pytest.raises(error) as raised:
        call()
    assert isinstance(raised.value, base) and not str(raised.value).startswith(("'", '"'))
    assert re.search(r"\w+", str(raised.value))
