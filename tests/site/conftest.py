"""The site, built once for all tests of a run, and a browser that looks at it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, and prints nothing."""

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder of the site, as `make site` builds it: what has not changed is not built again."""
    for name in ("sphinx", "furo", "myst_nb", "latex2mathml"):
        pytest.importorskip(
            name, reason=f"{name} is not installed: pip install 'cortenforge[docs]'"
        )
    made = ROOT / "out" / "site"
    options = ["--fail-on-warning", "--keep-going", "-q", "-b", "html"]
    folders = ["-d", str(ROOT / "out" / "site-pages"), str(ROOT / "docs"), str(made)]
    command = [sys.executable, "-m", "sphinx", *options, *folders]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return made


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """Where the site is served while tests run."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
