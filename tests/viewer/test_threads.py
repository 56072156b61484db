"""A viewer beside a program that uses the same world."""

from __future__ import annotations

import threading
import time

import pytest

import cortenforge as cf

from .scenes import DESK, world_of

pytest.importorskip("viser", reason="viser is not installed")


def test_a_program_that_forgets_the_lock_is_told_and_the_viewer_goes_on() -> None:
    """`reset` beside a step once span for ever, and closing waited for it."""
    model, data = world_of(DESK)
    viewer = cf.view(model, data, port=0, speed=float("inf"), wait_for_tab=False)
    refused = 0
    try:
        start = time.monotonic()
        # for a second, and on a busy machine until both were there at once
        while time.monotonic() < start + 1.0 or (not refused and time.monotonic() < start + 60.0):
            for call in (data.reset, data.step, data.forward, data.get_state):
                try:
                    call()
                except cf.ThreadError:
                    refused += 1
        assert refused
        with viewer.lock:
            data.reset()
            data.step()
        steps = viewer.session.steps
        deadline = time.monotonic() + 20
        while viewer.session.steps == steps and time.monotonic() < deadline:
            time.sleep(0.01)
        assert viewer.session.steps > steps and viewer.session.problem is None
    finally:
        start = time.monotonic()
        viewer.close()
    assert time.monotonic() - start < 10


def test_wishes_wait_for_whoever_is_at_the_world() -> None:
    """A click on a button while a program is in a call is not lost."""
    model, data = world_of(DESK)
    inside, on = threading.Event(), threading.Event()

    def hold(model: cf.Model, data: cf.Data) -> None:
        inside.set()
        assert on.wait(60)

    viewer = cf.view(model, data, port=0, play=False)
    try:
        data.qvel[:] = 1.0
        model.callbacks.control = hold
        thread = threading.Thread(target=data.step)
        thread.start()
        assert inside.wait(60)
        viewer.session.queue_action(viewer.session.reset)
        time.sleep(0.2)
        assert data.qvel.any() and viewer.session.problem is None
        on.set()
        thread.join(60)
        model.callbacks.clear()
        deadline = time.monotonic() + 20
        while data.qvel.any() and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not data.qvel.any() and data.time == 0
    finally:
        on.set()
        viewer.close()


def test_closing_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user's function that does not come back keeps the viewer's thread, and its lock."""
    monkeypatch.setattr("cortenforge.viewer.viewer.PATIENCE", 0.2)
    model, data = world_of(DESK)
    inside, on = threading.Event(), threading.Event()

    def hold(data: cf.Data) -> None:
        inside.set()
        on.wait(60)

    viewer = cf.view(model, data, port=0, control=hold, wait_for_tab=False)
    assert inside.wait(60)
    start = time.monotonic()
    viewer.close()
    on.set()
    assert time.monotonic() - start < 20 and not viewer.is_open
