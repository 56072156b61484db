"""Every program on every page of docs/ runs."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

from tests.site.page_programs import (
    PACKAGES,
    ROOT,
    blocks,
    files,
    pages,
    session,
    short_views,  # noqa: F401
)


def run(page: str, folder: Path) -> dict[str, Any]:
    """Run a page's programs as a reader pastes them: one after another, in one session."""
    names = session(page)
    for number, block in enumerate(blocks(ROOT / "docs" / f"{page}.md")):
        # kernels are read from their files
        file = folder / f"{page.replace('/', '_')}_{number}.py"
        file.write_text(block, encoding="utf-8")
        exec(compile(block, str(file), "exec"), names)
    return names


@pytest.mark.usefixtures("short_views")
@pytest.mark.parametrize("page", [page for page in pages() if page != "mujoco"])
def test_programs_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs of a page, in a folder with the files that they name."""
    if page in PACKAGES:
        package = PACKAGES[page]
        pytest.importorskip(package, reason=f"programs of {page}.md need {package}")
    files(page, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        run(page, tmp_path)


def test_programs_of_the_mujoco_page_run(tmp_path: Path) -> None:
    """Installing the module replaces `mujoco` in a process, so this page has one of its own."""
    pytest.importorskip("mujoco", reason="programs of mujoco.md need mujoco")
    code = (
        "from pathlib import Path; from tests.site.test_programs import run; "
        f"run('mujoco', Path({str(tmp_path)!r}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
