"""`cortenforge warmup MODEL`: what one model needs."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

import cortenforge as cf
from cortenforge.batch.program import expanded_lanes, shared_lanes
from cortenforge.cli.app import app
from cortenforge.derive.linkers import linear_system_linker
from cortenforge.kernel import Kernel
from cortenforge.kernel.load.link import Linker
from cortenforge.models import find
from cortenforge.render.linkers import render_linker
from cortenforge.step.engine import ENGINE
from cortenforge.warmup import Needed, every_linker, needed_by


def homes(needed: Needed) -> set[str]:
    return {linker.home.removesuffix(".worlds") for linker, _ in needed}


def units(needed: Needed, wanted: Linker) -> set[Kernel]:
    return {unit for linker, found in needed if linker is wanted for unit in found}


def test_a_model_needs_a_part() -> None:
    """A pendulum without contacts needs the units of its step and no others."""
    pendulum = cf.Model.from_mjcf(find("pendulum"))
    few = units(needed_by([pendulum]), ENGINE.linker)
    every = units(every_linker(), ENGINE.linker)
    assert few < every
    names = {unit.name for unit in few}
    assert "step.integrate.euler:euler" in names
    assert not any(name.startswith("step.soft.") for name in names)


def test_each_option_adds_its_linkers() -> None:
    """Batches, worlds that differ, derivatives and pictures are left out unless asked for."""
    pendulum = cf.Model.from_mjcf(find("pendulum"))
    assert homes(needed_by([pendulum])) == {ENGINE.home}
    assert homes(needed_by([pendulum], batch=True)) == {ENGINE.home, shared_lanes().home}
    assert homes(needed_by([pendulum], randomize=True)) == {ENGINE.home, expanded_lanes().home}
    assert homes(needed_by([pendulum], render=True)) == {ENGINE.home, render_linker().home}
    found = homes(needed_by([pendulum], derivatives=True))
    assert found == {ENGINE.home, shared_lanes().home, linear_system_linker().home}


def test_models_share_units() -> None:
    """Units that several models need are there once."""
    models = [cf.Model.from_mjcf(find(name)) for name in ("pendulum", "double_pendulum")]
    for linker, found in needed_by(models, batch=True):
        assert len(found) == len({unit.name for unit in found}), linker.home


def test_what_is_needed_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the command, a step of the model compiles nothing."""
    done = CliRunner().invoke(app, ["warmup", "pendulum"])
    assert done.exit_code == 0, done.output
    pendulum = cf.Model.from_mjcf(find("pendulum"))
    count = sum(len(found) for _, found in needed_by([pendulum]))
    assert done.stdout.startswith(f"{count} kernels are ready")

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a unit is compiled")

    monkeypatch.setattr(Linker, "_compiled", refuse)
    data = pendulum.make_data()
    data.step(3)
    data.forward()


def test_options_need_a_model() -> None:
    done = CliRunner().invoke(app, ["warmup", "--batch"])
    assert done.exit_code == 2 and "--batch" in done.output and "name a model" in done.output
