"""A browser without a screen, and what tests ask of it."""

from __future__ import annotations

import io
import math
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from PIL import Image

import cortenforge as cf

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
#: WebGL on the processor; no name but this machine's can be found
FLAGS = (
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
SIZE = (800, 480)
#: the first column of the panel
PANEL = 460
#: bytes of a path to which a browser can add a folder and a socket of its own
LONGEST = 40
#: seconds that anything may take on a busy machine
PATIENCE = 60.0


@contextmanager
def short_folder() -> Iterator[str]:
    """A folder for what a browser keeps: the path of its socket may have 107 bytes, and no more."""
    usual = tempfile.gettempdir()
    place = usual if len(os.fsencode(usual)) <= LONGEST or not os.path.isdir("/tmp") else "/tmp"
    with tempfile.TemporaryDirectory(prefix="cf-", dir=place, ignore_cleanup_errors=True) as made:
        yield made


def launched(playwright: Any, folder: str) -> Any:
    """A Chromium of this machine, or playwright's own; without any the test is skipped.

    folder: where it keeps its files.
    """
    found = os.environ.get("CORTENFORGE_CHROMIUM") or next(
        filter(None, map(shutil.which, NAMES)), None
    )
    try:
        return playwright.chromium.launch(
            executable_path=found, args=list(FLAGS), env={**os.environ, "TMPDIR": folder}
        )
    except Exception as error:
        if found is None:
            pytest.skip(
                "no Chromium (apt-get install chromium), so the viewer was not tested in a "
                f"browser: {str(error).splitlines()[0]}"
            )
        raise


class Tab:
    """A page of a browser: what it shows, what it asked for, what it complained of."""

    def __init__(self, browser: Any, url: str, *, offline: bool = False) -> None:
        self.context = browser.new_context(
            viewport={"width": SIZE[0], "height": SIZE[1]}, offline=offline, accept_downloads=True,
            device_scale_factor=0.5,  # a quarter of the pixels: they are drawn by the processor
        )  # fmt: skip
        self.page = self.context.new_page()
        self.requests: list[str] = []
        self.errors: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("websocket", lambda socket: self.requests.append(socket.url))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.set_default_timeout(1000 * PATIENCE)
        self.page.goto(url)
        # that there is no GPU is said where things are to be clicked on
        self.page.add_style_tag(content="[class*=Notifications] { display: none !important; }")

    def picture(self) -> np.ndarray:
        """What is to be seen, `(rows, columns, 3)`."""
        content = self.page.screenshot(scale="css")
        return np.asarray(Image.open(io.BytesIO(content)).convert("RGB")).astype(int)

    def click(self, name: str) -> None:
        """Press a button."""
        self.page.get_by_role("button", name=name, exact=True).click()

    def write(self, i: int, number: str) -> None:
        """Put a number beside a slider: those that are to be seen, from above."""
        field = self.page.locator("input[inputmode=decimal]").filter(visible=True).nth(i)
        field.fill(number)
        field.press("Enter")

    def left_the_machine(self) -> list[str]:
        """Addresses that are not on this machine."""
        here = ("http://127.0.0.1:", "ws://127.0.0.1:", "blob:", "data:", "file:")
        return [url for url in self.requests if not url.startswith(here)]

    def close(self) -> None:
        """Go away."""
        self.context.close()


def until(what: Callable[[], Any], why: str) -> Any:
    """Wait for something to come true."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"still not: {why}")


def connected(viewer: cf.Viewer, count: int = 1) -> list[Any]:
    """Browsers that look, when so many do, and have been shown something."""
    until(lambda: len(viewer._server.get_clients()) == count, f"{count} browsers are connected")
    return list(viewer._server.get_clients().values())


def pixel_of(client: Any, point: Any) -> tuple[float, float]:
    """Where a browser shows a point of the world."""
    w, x, y, z = client.camera.wxyz
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    across, down, deep = turn.T @ (np.asarray(point) - client.camera.position)
    focal = 0.5 * SIZE[1] / math.tan(0.5 * client.camera.fov)
    return 0.5 * SIZE[0] + focal * across / deep, 0.5 * SIZE[1] + focal * down / deep


def settled(tab: Tab) -> np.ndarray:
    """A picture that stays the same beside the panel: everything has been loaded and drawn."""
    pictures = [tab.picture()]

    def still() -> bool:
        pictures.append(tab.picture())
        return bool(np.abs(pictures[-1] - pictures[-2])[:, :PANEL].max() < 8)

    until(still, "the picture is still")
    return pictures[-1]


def patch(picture: np.ndarray, pixel: tuple[float, float], reach: int = 40) -> np.ndarray:
    """A part of a picture around a pixel."""
    x, y = (round(n) for n in pixel)
    return picture[max(y - reach, 0) : y + reach, max(x - reach, 0) : x + reach]
