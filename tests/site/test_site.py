"""The site: every page opens in a browser, links lead somewhere, and the search finds pages."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

#: bytes of the site as a wheel carries it
LARGEST = 5_000_000
PAGES = (
    "index",
    "installing",
    "start/five_minutes",
    "start/first_robot",
    "start/first_batch",
    "from_mujoco",
    "tutorials/ilqr",
    "theory/contact_and_solver",
    "reference/python_batch",
    "reference/command_line",
    "constraints",
    "derivatives",
    "mjcf",
    "fields",
    "engineering/contributing",
)
#: what somebody searches, and the pages that must be among the first five results
TERMS = {
    "solref": "constraints",
    "rangefinder": "sensors",
    "Jacobian": "forces_and_jacobians",
    "cloth": "deformables",
    "CORTENFORGE_CACHE": "clusters",
}


class Links(HTMLParser):
    """Collects the links and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note where an element leads, and what it can be linked by."""
        for name, value in attrs:
            if value and name in ("href", "src"):
                self.targets.append(value)
            elif value and name in ("id", "name"):
                self.anchors.add(value)


def pages(site: Path) -> dict[Path, Links]:
    return {file: Links(file.read_text(encoding="utf-8")) for file in site.rglob("*.html")}


def test_links_lead_somewhere(site: Path) -> None:
    """Each link within the site names a file of it, and an anchor that this file has."""
    read = pages(site)
    assert len(read) > 60
    broken = []
    for page, links in read.items():
        for target in links.targets:
            parts = urlsplit(target)
            if parts.scheme or target in ("#", ""):
                continue
            file = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            # the box of a search, and folders of it, are made by scripts
            anchored = not parts.fragment or file.suffix != ".html" or page.name == "search.html"
            if not file.is_file():
                broken.append(f"{page.relative_to(site)} -> {target}")
            elif not anchored and unquote(parts.fragment) not in read[file].anchors:
                broken.append(f"{page.relative_to(site)} -> {target}: no such anchor")
    assert not broken


def test_nothing_comes_from_the_network(site: Path) -> None:
    """Scripts, styles, fonts and pictures are files of the site."""
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for tag in re.findall(r"<(?:script|link|img|iframe|source)\b[^>]*>", text):
            assert not re.search(r"""(?:src|href)=["'](?:https?:)?//""", tag), f"{page.name}: {tag}"
    for style in site.rglob("*.css"):
        assert not re.search(r"url\(['\"]?(?:https?:)?//", style.read_text(encoding="utf-8")), style


def test_size(site: Path) -> None:
    """A wheel can carry the site."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(site.rglob("*")):
            if file.is_file() and ".doctrees" not in file.parts:
                archive.write(file)
    assert packed.tell() < LARGEST


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A tab as large as a laptop's, which must not complain."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    opened = context.new_page()
    said: list[str] = []
    opened.on("pageerror", lambda error: said.append(str(error)))
    yield opened
    context.close()
    assert not said


@pytest.mark.parametrize("name", PAGES)
def test_pages_open(page: Any, address: str, name: str) -> None:
    """A page has a title and text, and all its pictures are loaded."""
    response = page.goto(f"{address}/{name}.html", wait_until="load")
    assert response.ok
    assert page.locator("article h1").first.inner_text().strip()
    assert len(page.locator("article").inner_text()) > 300
    page.evaluate("document.querySelectorAll('img').forEach(img => img.loading = 'eager')")
    page.wait_for_function("[...document.images].every(img => img.complete)")
    assert page.evaluate("[...document.images].every(img => img.naturalWidth > 0)")


def test_links_are_followed(page: Any, address: str) -> None:
    """From the first page by clicks: to a guide, to a file that it names, and back."""
    page.goto(f"{address}/index.html")
    page.locator("article a", has_text="Theory").first.click()
    page.wait_for_url("**/theory/index.html")
    page.locator("article a", has_text="Integration").first.click()
    page.wait_for_url("**/theory/integration.html")
    page.locator("article a", has_text="step/integrate/euler.py").first.click()
    page.wait_for_url("**/source/cortenforge/step/integrate/euler.html")
    page.go_back()
    page.locator(".sidebar-tree a", has_text="Installing").first.click()
    page.wait_for_url("**/installing.html")


@pytest.mark.parametrize("term, expected", TERMS.items())
def test_search(page: Any, address: str, term: str, expected: str) -> None:
    """The box in the sidebar finds the right page."""
    page.goto(f"{address}/index.html")
    page.locator("input.sidebar-search").fill(term)
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html*")
    page.wait_for_selector("ul.search li a")
    found = page.locator("ul.search li a").evaluate_all("all => all.map(a => a.href)")[:5]
    assert any(f"/{expected}.html" in link for link in found), found


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_phone(browser: Any, address: str, name: str, scheme: str) -> None:
    """On a phone no page is wider than the screen, in the light and in the dark."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme)
    opened = context.new_page()
    opened.goto(f"{address}/{name}.html")
    assert opened.evaluate("document.documentElement.scrollWidth") <= 390
    colour = opened.evaluate("getComputedStyle(document.body).backgroundColor")
    light = sum(map(int, re.findall(r"\d+", colour)[:3])) > 380
    context.close()
    assert light == (scheme == "light")
