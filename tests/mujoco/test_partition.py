"""Every name of mujoco is live, empty or absent; tables are those of the package."""

from __future__ import annotations

import inspect
import runpy
from pathlib import Path

import numpy as np
import pytest

from cortenforge.mujoco import partition
from cortenforge.mujoco.absent import OTHERWISE, READ_UNUSED
from cortenforge.mujoco.errors import AbsentError
from cortenforge.mujoco.registry import all_functions
from cortenforge.mujoco.tables import FUNCTIONS, STRUCTS, TABLES
from tests.mujoco.pairs import MODELS, models, ours, real

ROOT = Path(__file__).parents[2]


@pytest.mark.oracle
def test_tables_are_those_of_the_package() -> None:
    script = runpy.run_path(str(ROOT / "docs" / "build_mujoco_tables.py"))
    written = (ROOT / "cortenforge" / "mujoco" / "tables.json").read_text(encoding="utf-8")
    assert script["text"]() == written


@pytest.mark.oracle
def test_tables_have_every_attribute_and_function() -> None:
    for struct in ("MjModel", "MjData"):
        theirs = {
            name
            for name in dir(getattr(real, struct))
            if not name.startswith("_")
            and not inspect.isroutine(getattr(getattr(real, struct), name))
        }
        assert theirs - {"model"} == set(STRUCTS[struct])
        assert theirs <= set(dir(getattr(ours, struct)))
    prefixes = ("mj_", "mju_", "mjd_", "mjv_", "mjr_", "get_mj", "set_mj")
    assert {name for name in dir(real) if name.startswith(prefixes)} == set(FUNCTIONS)
    assert set(TABLES["classes"]) == {
        name
        for name in dir(real)
        if name.startswith("Mj") and isinstance(getattr(real, name), type)
    }


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("struct", ["MjModel", "MjData"])
@pytest.mark.oracle
def test_fields_are_what_their_class_says(struct: str, name: str) -> None:
    _, model = models(name)
    owner = model if struct == "MjModel" else ours.MjData(model)
    for field, kind in partition.field_classes(struct).items():
        if kind == partition.ABSENT:
            assert len(partition.reason(field, struct)) > 20
            with pytest.raises(NotImplementedError, match=field):
                np.asarray(getattr(owner, field))
            assert field in READ_UNUSED or not hasattr(owner, field)
        elif kind == partition.EMPTY:
            value = getattr(owner, field)
            assert np.size(value) == 0 or value == 0, field
        else:
            assert getattr(owner, field) is not None


def test_functions_are_what_their_class_says() -> None:
    classes = partition.function_classes()
    for name, function in all_functions().items():
        assert function is getattr(ours, name)
        assert function.__name__ == name
        assert function.__doc__
        if classes[name] == partition.ABSENT:
            assert partition.reason(name) != OTHERWISE, name
            with pytest.raises(AbsentError, match=name):
                function()
        else:
            # called with nothing, all but a few complain of that, and none is absent
            try:
                function()
            except NotImplementedError:
                pytest.fail(f"{name} is not there")
            except TypeError:
                pass


def test_parameters_are_those_of_the_tables() -> None:
    classes = partition.function_classes()
    for name, function in all_functions().items():
        if classes[name] == partition.LIVE:
            own = list(inspect.signature(inspect.unwrap(function)).parameters)
            assert own == [row[0] for row in FUNCTIONS[name]], name


@pytest.mark.oracle
def test_constants_and_enumerations() -> None:
    for name in TABLES["constants"]:
        assert getattr(ours, name) == getattr(real, name)
    for name, members in TABLES["enums"].items():
        own, theirs = getattr(ours, name), getattr(real, name)
        assert {k: int(v) for k, v in own.__members__.items()} == members
        for member in theirs.__members__:
            assert str(getattr(own, member)) == str(getattr(theirs, member))
            assert repr(getattr(own, member)) == repr(getattr(theirs, member))
