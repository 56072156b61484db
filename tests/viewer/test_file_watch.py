"""Models that change while one looks at them: files that are watched, and loaded again."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.cli.view import ModelReloader
from cortenforge.errors import ArgumentError
from cortenforge.viewer.file_watch import FileWatch

from .scenes import DESK, world_of

PART = '<mujoco><worldbody><body name="{name}"><geom size=".1"/></body></worldbody></mujoco>'
MAIN = '<mujoco><include file="part.xml"/></mujoco>'


def until(what: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not what():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.01)


def test_changes_are_told_once_when_nobody_writes_any_more(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text("one")
    watch = FileWatch({str(path)})
    assert not watch.changed()
    path.write_text("two!")
    assert [watch.changed() for _ in range(3)] == [False, True, False]
    # editors put another file in its place, and for a while there is none
    path.unlink()
    assert not watch.changed()
    path.write_text("three")
    assert [watch.changed() for _ in range(3)] == [False, True, False]


def test_all_files_of_a_model_are_known(tmp_path: Path) -> None:
    """Files that are included, and those that are missing, are watched, too."""
    main, part = tmp_path / "main.xml", tmp_path / "part.xml"
    main.write_text(MAIN)
    again = ModelReloader(main, None, 1)
    with pytest.raises(cf.MjcfError):
        again.load()
    assert {os.path.basename(file) for file in again.files} == {"main.xml", "part.xml"}
    part.write_text(PART.format(name="first"))
    model, data = again()
    assert model.names["body"] == ["world", "first"] and data.model is model


def test_a_changed_file_is_shown_and_a_broken_one_told(tmp_path: Path) -> None:
    """What was shown stays until there is something better; options and pace stay always."""
    pytest.importorskip("viser")
    main, part = tmp_path / "main.xml", tmp_path / "part.xml"
    main.write_text(MAIN)
    part.write_text(PART.format(name="first"))
    again = ModelReloader(main, None, 1)
    with cf.view(
        *again(), port=0, play=False, speed=2.0, follow=1, reload=again, watch=again.files
    ) as viewer:  # fmt: skip
        viewer.shows.options.contactpoint = True
        old = viewer.session.model
        part.write_text("<mujoco><worldbody><body></mujoco>")
        until(lambda: viewer._panel.refused is not None)
        assert "part.xml" in viewer._panel.refused and viewer.session.model is old
        part.write_text(PART.format(name="other"))
        until(lambda: viewer._panel.refused is None)
        assert viewer.session.model.names["body"] == ["world", "other"]
        assert viewer.data.model is viewer.session.model
        assert viewer.session.clock.speed == 2.0
        # nobody of that name is there to be followed
        assert viewer.shows.options.contactpoint and viewer.shows.follow == 0


def test_another_model_is_shown_by_a_program() -> None:
    pytest.importorskip("viser")
    model, data = world_of(DESK)
    with cf.view(model, data, port=0, play=False, follow=2) as viewer:
        other, there = world_of(DESK.replace('name="arm" pos=".2 0 .8"', 'name="arm" pos="1 0 2"'))
        viewer.switches.look_through("front")
        viewer.show(other, there)
        assert viewer.data is there and viewer.shows.follow == 2 and viewer.switches.camera == 0
        with viewer.lock:
            viewer.draw_now()
            assert viewer.session.problem is None
        with pytest.raises(ArgumentError, match="reload="):
            viewer.reload()


@pytest.mark.parametrize(
    "options", [{"watch": ["a.xml"]}, {"reload": 3}, {"reload": world_of, "drive": False}]
)
def test_reloads_that_cannot_be(options: dict) -> None:
    pytest.importorskip("viser")
    model, data = world_of(DESK)
    with pytest.raises(ArgumentError, match="reload"):
        cf.view(model, data, port=0, **options)


def test_a_user_function_that_fails_is_told() -> None:
    pytest.importorskip("viser")
    model, data = world_of(DESK)

    def load() -> cf.Model:
        raise RuntimeError("no network")

    with cf.view(model, data, port=0, play=False, reload=load) as viewer:
        viewer.reload()
        assert viewer._panel.refused == "RuntimeError: no network"
        np.testing.assert_array_equal(viewer.data.qpos, data.qpos)
