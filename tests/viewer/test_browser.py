"""The viewer in a browser: what is seen, clicked, dragged and saved."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import cortenforge as cf

from .browsing import SIZE, Tab, connected, patch, pixel_of, settled, until
from .scenes import BURSTS, DESK, world_of

pytest.importorskip("viser", reason="viser is not installed")


def differ(picture: np.ndarray, before: np.ndarray, pixel: tuple[float, float]) -> float:
    """How much two pictures differ around a pixel, of 255."""
    return float(np.abs(patch(picture, pixel, 5) - patch(before, pixel, 5)).mean())


def is_red(picture: np.ndarray, pixel: tuple[float, float]) -> bool:
    """Whether there is something red."""
    red, green, blue = patch(picture, pixel, 4).mean((0, 1))
    return bool(red > 1.5 * green and red > 1.5 * blue)


def test_a_humanoid_moves(show) -> None:
    """Two pictures differ where the humanoid is, and nowhere else."""
    model = cf.load_model(cf.models.find("humanoid"))
    data = model.make_data()
    viewer, tab = show(model, data, play=False)
    (client,) = connected(viewer)
    before = settled(tab)
    start = np.array(data.subtree_com[1])
    tab.click("Play")
    until(lambda: data.time > 0.4, "half a second has gone by")
    tab.click("Pause")
    until(lambda: viewer.session.clock.paused, "it is paused")
    middle = pixel_of(client, start)

    def moved() -> np.ndarray:
        return np.abs(tab.picture() - before).max(2) > 40

    until(lambda: patch(moved(), middle).mean() > 0.05, "the humanoid is elsewhere")
    # what is far from it did not move
    assert moved()[:150, :300].mean() < 0.01
    assert not tab.left_the_machine()


def test_buttons_and_sliders(show) -> None:
    """Pause, step, keyframes, reset, the past, a joint and a control, all by clicking."""
    model, data = world_of(DESK)
    viewer, tab = show(model, data)
    (client,) = connected(viewer)
    until(lambda: data.time > 0.5, "half a second has gone by")
    tab.click("Pause")
    tab.page.get_by_role("button", name="Play", exact=True).wait_for()
    time = float(data.time)
    tab.click("Step")
    until(lambda: data.time != time, "a step was taken")
    assert data.time == pytest.approx(time + 0.005)
    tab.page.get_by_text(f"{data.time:.3f} s").wait_for()
    # the panel may be drawn anew, after the step, while the number is typed
    until(lambda: viewer.session.at == 10 or tab.write(0, "10"), "the tenth moment is shown")
    assert data.time == viewer.session.history[10].time < time
    tab.click("Go to keyframe")
    until(lambda: data.qpos[2] == 1.0, "the box is up")
    tab.click("Reset")
    until(lambda: data.qpos[2] == 0.15, "it began again")
    before = settled(tab)
    tab.page.get_by_role("tab", name="Joints").click()
    tab.write(1, "1.2")
    until(lambda: abs(data.qpos[7] - 1.2) < 2e-3, "the joint turned")
    hung = pixel_of(client, [0.2, 0.0, 0.35])
    until(lambda: differ(tab.picture(), before, hung) > 30, "the arm is elsewhere")
    tab.page.get_by_role("tab", name="Controls").click()
    # after the noise and its rate
    tab.write(3, "-1.5")
    until(lambda: abs(data.ctrl[0] + 1.5) < 5e-3, "the control is set")


def test_a_drag_moves_a_body(show) -> None:
    """In a pause a mouse places a body; while time goes on it is a spring, and lets go."""
    model, data = world_of(DESK)
    viewer, tab = show(model, data, play=False)
    (client,) = connected(viewer)
    before = settled(tab)
    x, y = pixel_of(client, data.xpos[1])
    mouse = tab.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x, y - 120, steps=6)
    until(lambda: mouse.move(x, y - 120) or data.xpos[1][2] > 0.4, "the box is up")
    mouse.up()
    until(lambda: not viewer.session.perturbation.active, "it was let go")
    assert data.time == 0.0
    until(lambda: differ(tab.picture(), before, (x, y)) > 30, "where the box was there is floor")
    tab.click("Play")
    until(lambda: data.xpos[1][2] < 0.2 and abs(data.qvel).max() < 0.01, "the box lies there")
    x, y = pixel_of(client, data.xpos[1])
    mouse.move(x, y)
    mouse.down()
    mouse.move(x, y - 150, steps=6)
    until(lambda: viewer.session.perturbation.body == 1, "the box is held")
    # a hand is never quite still, and a browser tells of some of its places only
    until(lambda: mouse.move(x, y - 155) or mouse.move(x, y - 150) or data.xpos[1][2] > 0.3,
          "the box is lifted")  # fmt: skip
    assert data.xfrc_applied[1].any()
    mouse.up()
    until(lambda: data.xpos[1][2] < 0.2, "the box fell")
    assert not data.xfrc_applied.any()


def test_plots_and_switches(show) -> None:
    model, data = world_of(DESK)
    viewer, tab = show(model, data)
    connected(viewer)
    tab.page.get_by_text("Contact points", exact=True).wait_for()
    tab.page.get_by_label("Contact points", exact=True).click()
    until(lambda: viewer.shows.options.contactpoint, "contact points are on")
    tab.page.get_by_role("tab", name="Plots").click()
    for k, name in enumerate(("energy", "spin", "angle")):
        viewer.plots.choose(k, name)
    until(lambda: len(viewer.session.recorder.series) == 3, "three things are plotted")
    until(lambda: tab.page.locator(".uplot canvas").count() == 3, "there are three plots")
    assert len(viewer.session.recorder.series["energy"].names) == 3


def test_a_recording_opens_by_itself(browser, show, tmp_path: Path) -> None:
    """The page that a click saves plays from a file, without Python, without any network."""
    model, data = world_of(DESK)
    data.qpos[2], data.qpos[7] = 1.2, 1.3
    viewer, tab = show(model, data, play=False)
    connected(viewer)
    tab.click("Record")
    tab.click("Play")
    until(lambda: data.time > 1.0, "a second was recorded")
    tab.click("Stop recording")
    until(lambda: not viewer.session.history.recording, "the recording ended")
    moments = viewer.session.history.clip()
    assert 0.9 < moments[-1].time - moments[0].time < 5.0
    path = tmp_path / "recording.html"
    with tab.page.expect_download() as download:
        tab.click("Save page")
    download.value.save_as(path)
    viewer.close()
    alone = Tab(browser, path.as_uri(), offline=True)
    clock = alone.page.locator("input").filter(visible=True).first
    clock.wait_for()
    seen = {clock.input_value()}
    until(lambda: seen.add(clock.input_value()) or len(seen) > 2, "the page plays")
    # the player's first button pauses; then it shows the time that one writes
    alone.page.mouse.click(22, SIZE[1] - 20)

    def row_at(time: str) -> float:
        clock.fill(time)
        clock.press("Enter")
        return _row_of_red(settled(alone))

    until(lambda: row_at("0.9") - row_at("0") > 60, "the box fell by a metre")
    assert alone.requests and not alone.left_the_machine() and not alone.errors
    alone.close()


def _row_of_red(picture: np.ndarray) -> float:
    """How far down the box is."""
    red, green, blue = picture[..., 0], picture[..., 1], picture[..., 2]
    found = np.argwhere((red > 1.6 * green) & (red > 1.6 * blue))
    assert len(found) > 100
    return float(found[:, 0].mean())


def test_tabs_come_and_go(browser, show) -> None:
    """A tab that is closed in the middle of a drag lets go; without any, the world goes on."""
    model, data = world_of(DESK)
    viewer, tab = show(model, data, play=False)
    (client,) = connected(viewer)
    settled(tab)
    other = Tab(browser, viewer.url)
    connected(viewer, 2)
    tab.page.mouse.move(*pixel_of(client, data.xpos[1]))
    tab.page.mouse.down()
    tab.page.mouse.move(*pixel_of(client, [-0.4, 0.0, 0.5]), steps=5)
    until(lambda: viewer.session.perturbation.active, "the first tab holds the box")
    tab.close()
    connected(viewer, 1)
    until(lambda: not viewer.session.perturbation.active, "it was let go")
    other.click("Play")
    until(lambda: data.time > 0.1, "time goes on")
    other.close()
    connected(viewer, 0)
    time = float(data.time)
    until(lambda: data.time > time + 0.1, "time goes on when nobody looks")
    viewer.session.queue_action(lambda: viewer.session.reset(0))
    viewer.session.queue_action(viewer.session.pause)
    until(lambda: data.qpos[2] == 1.0, "the box is up")
    again = Tab(browser, viewer.url)
    (client,) = connected(viewer)
    until(lambda: is_red(again.picture(), pixel_of(client, data.xpos[1])), "the box is up there")
    assert not other.errors and not again.errors
    again.close()


def test_what_goes_wrong_is_explained(show) -> None:
    model, data = world_of(BURSTS)
    viewer, tab = show(model, data)
    connected(viewer)
    until(lambda: data.time > 1.2, "it moves")
    with viewer.lock:
        data.qfrc_applied[0] = 1e12
    tab.page.get_by_text("Something went wrong").wait_for()
    time = float(data.time)
    tab.page.get_by_text("'x'").first.wait_for()
    tab.click("Go back 1 s")
    until(lambda: viewer.session.problem is None, "it went back")
    assert data.time == pytest.approx(time - 1.0, abs=0.1) and data.qfrc_applied[0] == 0.0
    tab.click("Play")
    until(lambda: data.time > time, "it goes on")


LAUNCH = """
import sys
sys.path.insert(0, sys.argv[1])
from playwright.sync_api import sync_playwright
import browsing

with browsing.short_folder() as folder, sync_playwright() as running:
    made = browsing.launched(running, folder)
    print("version", made.version)
    made.close()
"""


def test_a_browser_starts_where_paths_are_long(browser, tmp_path: Path) -> None:
    """The path of a socket has an end, that of a folder for temporary files hardly any."""
    long = tmp_path / ("long" * 20) / ("longer" * 20)
    long.mkdir(parents=True)
    done = subprocess.run(
        [sys.executable, "-c", LAUNCH, str(Path(__file__).parent)],
        env={**os.environ, "TMPDIR": str(long)}, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.stdout.startswith("version"), done.stderr


def test_a_click_takes_a_world_in_hand(show) -> None:
    batch = cf.BatchSim(cf.Model.from_mjcf(DESK), 2)
    viewer, tab = show(batch, play=False)
    (client,) = connected(viewer)
    settled(tab)
    place = viewer.painter.offsets[1] + viewer.session.world.poses()[0][1, 1]
    tab.page.mouse.click(*pixel_of(client, place))
    until(lambda: viewer.session.world.selected == 1, "the second world is in hand")
    tab.page.get_by_text("1 of 2").wait_for()


def test_keys_are_those_of_simulate(show) -> None:
    """Space, arrows, backspace, letters and digits do what they say."""
    model, data = world_of(DESK)
    viewer, tab = show(model, data)
    (client,) = connected(viewer)
    until(lambda: data.time > 0.1, "it began to play when somebody looked")
    session, press = viewer.session, tab.page.keyboard.press
    where = np.array(viewer._server.initial_camera.position)
    until(lambda: np.allclose(client.camera.position, where), "it looks as at first")
    press("Space")
    until(lambda: session.clock.paused, "space pauses")
    steps = session.steps
    press("ArrowRight")
    until(lambda: session.steps == steps + 1, "an arrow is a step")
    press("Backspace")
    until(lambda: session.steps == 0 and data.time == 0.0, "it began again")
    press("c")
    until(lambda: viewer.shows.options.contactpoint, "contact points are on")
    press("Shift+2")
    until(lambda: not viewer.shows.options.sitegroup[2], "a group of sites is off")
    # a button that was clicked on is not pressed by the space as well
    tab.click("Play")
    until(lambda: not session.clock.paused, "it plays")
    press("Space")
    until(lambda: session.clock.paused, "it is paused")
    press("a")
    until(lambda: viewer.shows.options.autoconnect, "the skeleton is shown")
    np.testing.assert_allclose(client.camera.position, where, atol=1e-9)
    client.camera.position = where + 1.0
    press("Home")
    until(lambda: np.allclose(client.camera.position, where), "it looks so again")


def test_physics_can_be_changed(show) -> None:
    model, data = world_of(DESK)
    viewer, tab = show(model, data, play=False)
    connected(viewer)
    tab.page.get_by_role("tab", name="Physics").click()
    tab.page.get_by_text("On unless switched off").wait_for()
    # after the moment of the past come the time step and the three numbers of gravity
    tab.write(1, "0.002")
    until(lambda: model.opt.timestep == 0.002, "the time step is another")
    tab.write(4, "-1.5")
    until(lambda: model.opt.gravity[2] == -1.5, "gravity is another")
    tab.page.get_by_text("On unless switched off").click()
    tab.page.get_by_label("contact", exact=True).click()
    until(lambda: int(model.opt.disableflags) == 1 << 4, "there are no contacts")
    tab.page.get_by_role("tab", name="Sensors").click()
    tab.page.get_by_role("cell", name="spin").wait_for()
