"""Files of the repository that pages name become pages of the site, and names become links.

`step/pipeline.py` in backticks, and links of Markdown to files outside of `docs/`, lead to a page
with that file. Links to the README and the like lead to the page that includes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import Any

from docutils import nodes
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

ROOT = Path(__file__).parents[2]
#: folders whose files may have pages
SHOWN = ("cortenforge", "examples", "benchmarks", "conformance", "docs", "tests")
#: files outside of `docs/` that are pages under another name
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "engineering/contributing.md",
    "CHANGELOG.md": "engineering/changelog.md",
    "SECURITY.md": "engineering/security.md",
}
#: pages that name hundreds of files: a page for each would be most of the site
UNLINKED = ("glossary", "criteria", "engineering/changelog")
LINK = re.compile(r"(?<=\]\()(\.\./[^)#\s]*|[\w/.-]+\.(?:py|ipynb))(#[\w-]*)?(?=\))")
NAME = re.compile(r"[\w/]+\.py")


def source_files() -> dict[str, list[str]]:
    """Paths of the repository's Python files, by the last one, two, ... parts of their path."""
    found: dict[str, list[str]] = {}
    for folder in SHOWN:
        for file in sorted((ROOT / folder).rglob("*.py")):
            path = file.relative_to(ROOT).as_posix()
            parts = path.split("/")
            for start in range(len(parts)):
                found.setdefault("/".join(parts[start:]), []).append(path)
    return found


def rewrite_links(app: Any, docname: str, source: list[str]) -> None:
    """Turn links that leave `docs/` into links of the site."""
    folder = PurePosixPath("docs", docname).parent

    def rewritten(match: re.Match[str]) -> str:
        path = normpath(str(folder / match[1]))
        if path in PAGES:
            target = PAGES[path]
        elif path.endswith(".py") and (ROOT / path).is_file():
            return f"source:{path}"
        else:
            return match[0]
        return "../" * docname.count("/") + target + (match[2] or "")

    source[0] = LINK.sub(rewritten, source[0])


def link_sources(app: Any, doctree: nodes.document, docname: str) -> None:
    """Let links to files, and names of files in backticks, lead to the pages of these files."""

    def address(path: str) -> str:
        app.env.source_pages.setdefault(docname, set()).add(path)
        return str(app.builder.get_relative_uri(docname, f"source/{path[:-3]}"))

    for reference in doctree.findall(nodes.reference):
        if reference.get("refuri", "").startswith("source:"):
            reference["refuri"] = address(reference["refuri"].removeprefix("source:"))
            reference["internal"] = True
    for literal in [] if docname in UNLINKED else list(doctree.findall(nodes.literal)):
        name = literal.astext()
        paths = app.env.source_names.get(name, []) if NAME.fullmatch(name) else []
        if len(paths) == 1 and not isinstance(literal.parent, nodes.reference):
            reference = nodes.reference("", "", refuri=address(paths[0]), internal=True)
            literal.replace_self(reference)
            reference += literal


def write_sources(app: Any) -> Iterator[tuple[str, dict[str, Any], str]]:
    """A page for each file that a page names."""
    formatter = HtmlFormatter(cssclass="highlight", linenos=False)
    for path in sorted(set().union(*app.env.source_pages.values())):
        text = (ROOT / path).read_text(encoding="utf-8")
        body = highlight(text, PythonLexer(), formatter)
        yield f"source/{path[:-3]}", {"title": path, "body": body}, "source.html"


def prepare(app: Any, env: Any, docnames: Any) -> None:
    """Find the files once a build."""
    env.source_names = source_files()
    if not hasattr(env, "source_pages"):
        env.source_pages = {}


def forget(app: Any, env: Any, docname: str) -> None:
    """A page that changed may name other files."""
    getattr(env, "source_pages", {}).pop(docname, None)


def setup(app: Any) -> dict[str, bool]:
    """Connect the steps to those of a build."""
    app.connect("env-before-read-docs", prepare)
    app.connect("env-purge-doc", forget)
    app.connect("source-read", rewrite_links)
    app.connect("doctree-resolved", link_sources)
    app.connect("html-collect-pages", write_sources)
    return {"parallel_read_safe": False, "parallel_write_safe": False}
