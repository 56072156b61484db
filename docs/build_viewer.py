"""Draw the pictures of docs/viewer.md: the viewer in a headless Chromium.

python docs/build_viewer.py

Needs a Chromium and the public models; pictures of missing models are left out.
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
from conformance.cases import public_folder

IMAGES = Path(__file__).with_name("images")
FLAGS = ("--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
SIZE = {"width": 1280, "height": 760}
#: timeout for a browser without a GPU, in seconds
PATIENCE = 120.0
#: time to load and draw everything, in seconds
LOADING = 15.0


def until(what: Callable[[], Any]) -> None:
    """Wait until a condition is true."""
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, "timed out"
        time.sleep(0.02)


def opened(browser: Any, viewer: cf.Viewer) -> Any:
    """An open page, after everything is drawn."""
    page = browser.new_page(viewport=SIZE, device_scale_factor=0.75)
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


def pulled(browser: Any, path: Path) -> None:
    """A humanoid lifted by the mouse, with a plot of its energies."""
    model = cf.load_model(path)
    data = model.make_data()
    with cf.view(model, data, port=0, play=False, contactpoint=True, speed=0.25) as viewer:
        page = opened(browser, viewer)
        page.get_by_role("tab", name="Plots").click()
        viewer.plots.choose(0, "energy")
        page.get_by_role("button", name="Play", exact=True).click()
        until(lambda: data.time > 0.3)
        # the torso is in the middle
        x, y = 0.5 * SIZE["width"], 0.36 * SIZE["height"]
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x - 200, y - 120, steps=5)
        until(lambda: viewer.session.perturbation.active)
        start = float(data.time)
        until(lambda: data.time > start + 1.2)
        viewer.session.queue_action(viewer.session.pause)
        page.wait_for_timeout(2000)
        keep(page, "pull")
        page.mouse.up()
        page.close()


def muscles(browser: Any, path: Path) -> None:
    """A body with 700 muscles, some of them activated."""
    model = cf.load_model(path)
    data = model.make_data()
    data.reset_to_keyframe(0)
    data.act[:] = np.random.default_rng(0).random(model.na) ** 2
    data.forward()
    with cf.view(model, data, port=0, play=False, shadow=False, transparent=True) as viewer:
        page = opened(browser, viewer)
        page.get_by_role("tab", name="Controls").click()
        page.wait_for_timeout(3000)
        keep(page, "muscles")
        page.close()


def crowd(browser: Any, path: Path, worlds: int = 400) -> None:
    """Worlds of a batch side by side, one of them selected."""
    model = cf.load_model(path)
    start = model.make_data()
    start.reset_to_keyframe(0)
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
    """Draw all three."""
    from playwright.sync_api import sync_playwright

    warnings.simplefilter("ignore", cf.MjcfWarning)
    public = public_folder()
    humanoid = public and public / "mujoco/humanoid/humanoid.xml"
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
