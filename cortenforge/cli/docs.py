"""`cortenforge docs`: the site of this version, which is in the wheel and needs no network."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

import cortenforge
from cortenforge.cli.screen import results
from cortenforge.errors import CortenForgeError

PACKAGE = Path(cortenforge.__file__).parent
#: in a wheel, and in a checkout after `make site`
PLACES = (PACKAGE / "site", PACKAGE.parent / "out" / "site")


def first_page() -> Path:
    """The first page of the site of this installation."""
    for folder in PLACES:
        if (folder / "index.html").is_file():
            return folder / "index.html"
    raise CortenForgeError(
        "this installation has no site: in a checkout, `make site` builds it in out/site"
    )


def docs(
    path: Annotated[
        bool, typer.Option("--path", help="Print where it is, and open nothing.")
    ] = False,
) -> None:
    """Open the documentation of this version in a browser; it needs no network."""
    page = first_page()
    results.print(str(page), soft_wrap=True, highlight=False, markup=False)
    if not path and not webbrowser.open(page.as_uri()):
        raise CortenForgeError(f"no browser was found: open {page}")
