"""`cortenforge view`: what it opens, writes and refuses."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cortenforge.cli.app import app


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["view", *arguments])
    return result.exit_code, result.output + str(result.exception or "")


def test_a_page_is_written(tmp_path: Path) -> None:
    pytest.importorskip("viser")
    out = tmp_path / "page.html"
    code, text = run("pendulum", "--keyframe", "quarter", "--save", str(out), "--seconds", "0.5")
    assert code == 0 and "moments" in text, text
    assert "__VISER_EMBED_DATA__" in out.read_text(encoding="utf-8")


def test_a_port_in_use() -> None:
    pytest.importorskip("viser")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, text = run("pendulum", "--port", str(port), "--no-open")
    assert code == 1 and "choose another" in text


def test_without_the_extra(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "viser", None)
    code, text = run("pendulum")
    assert code == 1 and 'pip install "cortenforge[viewer]"' in text


def test_it_serves_until_it_is_interrupted() -> None:
    pytest.importorskip("viser")
    command = [
        sys.executable,
        "-m",
        "cortenforge.cli",
        "view",
        "pendulum",
        "--no-open",
        "--port",
        "0",
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"}, preexec_fn=listen_to_interrupts,
    ) as process:  # fmt: skip
        try:
            line = process.stdout.readline()
            url = re.match(r"http://127\.0\.0\.1:\d+", line)
            assert url, line + process.stderr.read()
            with urllib.request.urlopen(url[0], timeout=20) as page:
                assert page.status == 200
            time.sleep(0.2)
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=30) == 0, process.stderr.read()
        finally:
            process.kill()


def listen_to_interrupts() -> None:
    """Whoever runs tests in the background may have switched interrupts off."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
