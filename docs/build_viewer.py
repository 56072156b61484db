"""Draw the pictures of docs/viewer.md: the viewer in a headless Chromium.

python docs/build_viewer.py

Needs a Chromium, and for the muscles MuJoCo's Menagerie; without it that picture is left out.
"""

from __future__ import annotations

import io
import shutil
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import cortenforge as cf
from benchmarks.subjects import menagerie_file

IMAGES = Path(__file__).with_name("images")
FLAGS = ("--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
SIZE = {"width": 1280, "height": 760}
PHONE = {"width": 390, "height": 760}
#: timeout for a browser without a GPU, in seconds
PATIENCE = 120.0
#: time to load and draw everything, in seconds
LOADING = 25.0


def until(what: Callable[[], Any]) -> None:
    """Wait until a condition is true."""
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, "timed out"
        time.sleep(0.02)


def opened(browser: Any, viewer: cf.Viewer, size: dict[str, int] = SIZE) -> Any:
    """An open page, after everything is drawn."""
    page = browser.new_page(viewport=size, device_scale_factor=0.75)
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(viewer.url)
    page.add_style_tag(content="[class*=Notifications] { display: none !important; }")
    page.wait_for_timeout(1000 * LOADING)
    return page


def keep(page: Any, name: str) -> None:
    """Write a screenshot with a reduced palette."""
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    path = IMAGES / f"viewer_{name}.png"
    picture.quantize(256).save(path, optimize=True)
    print(f"wrote {path.name}, {path.stat().st_size // 1000} kB")


def step_back(viewer: cf.Viewer, factor: float) -> None:
    """Put the initial camera farther away."""
    camera = viewer._server.initial_camera
    middle = np.asarray(camera.look_at)
    camera.position = tuple(middle + factor * (np.asarray(camera.position) - middle))


def pulled(browser: Any, path: Path) -> None:
    """A humanoid pulled by the mouse, with a plot of its energies; on a phone, too."""
    model = cf.load_model(path)
    data = model.make_data()
    with cf.view(model, data, port=0, play=False, contactforce=True, speed=1 / 16) as viewer:
        page = opened(browser, viewer)
        page.get_by_role("tab", name="Plots").click()
        viewer.plots.choose(0, "energy")
        page.get_by_role("button", name="Play", exact=True).click()
        # the shoulder
        x, y = 0.5 * SIZE["width"], 0.36 * SIZE["height"]
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x - 220, y - 60, steps=5)
        until(lambda: viewer.session.perturbation.active)
        start = float(data.time)
        until(lambda: data.time > start + 0.4)
        viewer.session.queue_action(viewer.session.pause)
        page.wait_for_timeout(3000)
        keep(page, "pull")
        page.mouse.up()
        page.close()
        viewer.session.queue_action(viewer.session.reset)
        page = opened(browser, viewer, PHONE)
        keep(page, "phone")
        page.close()


def muscles(browser: Any, path: Path) -> None:
    """A body with 700 muscles, some of them activated."""
    model = cf.load_model(path)
    data = model.make_data()
    data.reset_to_keyframe(0)
    data.act[:] = np.random.default_rng(0).random(model.na) ** 2
    data.forward()
    with cf.view(model, data, port=0, play=False, shadow=False, transparent=True) as viewer:
        step_back(viewer, 1.4)
        page = opened(browser, viewer)
        page.get_by_role("tab", name="Controls").click()
        page.wait_for_timeout(3000)
        keep(page, "muscles")
        page.close()


def crowd(browser: Any, path: Path, worlds: int = 400) -> None:
    """Worlds of a batch side by side, one of them selected."""
    model = cf.load_model(path)
    start = model.make_data()
    start.reset_to_keyframe("crouch")
    batch = cf.BatchSim(model, worlds)
    batch.set_states([start.get_state()] * worlds)
    batch.qvel[:] = 0.5 * np.random.default_rng(0).normal(size=batch.qvel.shape)
    with cf.view(batch, port=0, play=False, contactpoint=True) as viewer:
        with viewer.lock:
            viewer.session.step(160)
            viewer.session.select(190)
        page = opened(browser, viewer)
        keep(page, "crowd")
        page.close()


def main() -> int:
    """Draw all of them."""
    from playwright.sync_api import sync_playwright

    warnings.simplefilter("ignore", cf.MjcfWarning)
    humanoid = cf.models.find("humanoid")
    scenes = (
        (pulled, humanoid),
        (crowd, humanoid),
        (muscles, menagerie_file("ms_human_700/scene.xml")),
    )
    with sync_playwright() as running:
        browser = running.chromium.launch(
            executable_path=shutil.which("chromium"), args=list(FLAGS)
        )
        for draw, path in scenes:
            if path and path.exists():
                draw(browser, path)
            else:
                print(f"{draw.__name__}: the model is missing on this machine", file=sys.stderr)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
