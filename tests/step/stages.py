"""Both engines in the same state, so that what one stage writes is held against MuJoCo's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import cortenforge as cf
from conformance.cases import HANDMADE
from conformance.generate import random_state, smooth_model
from cortenforge.compare import compare_data, load_reference, mujoco_module
from cortenforge.compare.report import forward_both
from cortenforge.fields import DATA_FIELDS, Field

#: random models, not those of other tests
SEEDS = range(2000, 2005)
STATES = 3


@dataclass
class Pair:
    """One model in both engines."""

    model: cf.Model
    data: cf.Data
    reference: Any
    theirs: Any

    def write(self, rng: np.random.Generator) -> None:
        """Give both the same random state."""
        state = random_state(self.model, rng)
        state.write(self.data)
        state.write(self.theirs)

    def forward(self) -> None:
        """Evaluate both; without what is not there yet, if the model needs any of it."""
        smooth_only = bool(self.model.supported())
        forward_both(self.data, self.reference, self.theirs, smooth_only=smooth_only)

    def step(self) -> None:
        """Take one step in both."""
        self.data.step()
        mujoco_module().mj_step(self.reference, self.theirs)

    def assert_equal(self, *fields: Field) -> None:
        """These fields are MuJoCo's, to the tolerance of all comparisons."""
        wrong = [diff for diff in compare_data(self.data, self.theirs, fields) if not diff.ok]
        assert not wrong, "\n".join(map(str, wrong))


def pair(source: Any) -> Pair:
    """Load a model, by text, path or the name of a hand-made one, with both engines."""
    if isinstance(source, str) and not source.lstrip().startswith("<"):
        source = HANDMADE / f"{source}.xml"
    model, reference = cf.Model.from_mjcf(source), load_reference(source)
    return Pair(model, model.make_data(), reference, mujoco_module().MjData(reference))


def cases(*handmade: str) -> pytest.MarkDecorator:
    """A parameter `source`: hand-made models that use a stage, and random ones."""
    made = [pytest.param(name, id=name) for name in handmade]
    drawn = [pytest.param(smooth_model(seed), id=f"seed {seed}") for seed in SEEDS]
    return pytest.mark.parametrize("source", made + drawn)


def states(source: Any, seed: int = 0) -> Iterator[Pair]:
    """Both engines, evaluated in the initial state and in some random ones."""
    both, rng = pair(source), np.random.default_rng(seed)
    for number in range(STATES + 1):
        if number:
            both.write(rng)
        both.forward()
        yield both


def written_by(module: str) -> list[Field]:
    """What the kernels of a module leave in Data, by the table of fields."""
    found = [f for f in DATA_FIELDS if f.role == "derived" and module in f.written_by]
    assert found, f"no field is written by {module}"
    return found


def field(name: str) -> Field:
    """One row of the table."""
    return next(f for f in DATA_FIELDS if f.name == name)


def one(xml: str) -> cf.Data:
    """A model of our own with a worldbody of this text, evaluated in its initial state."""
    text = f'<mujoco><option><flag contact="disable"/></option>{xml}</mujoco>'
    data = cf.Model.from_mjcf(text).make_data()
    data.forward()
    return data
