"""Formulas as MathML, which browsers draw by themselves: no script, no font, no network."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.errors import ExtensionError


def mathml(text: str, *, display: str) -> str:
    """A formula of LaTeX as MathML.

    display: `inline` or `block`.
    """
    try:
        made = str(convert(text, display=display))
    except Exception as error:
        raise ExtensionError(f"the formula {text!r} cannot be converted: {error}") from error
    if "\\" in made:
        raise ExtensionError(f"the formula {text!r} has a command that is not known")
    return made


def visit_inline(writer: Any, node: nodes.Element) -> None:
    """Write a formula within a line."""
    writer.body.append(mathml(node.astext(), display="inline"))
    raise nodes.SkipNode


def visit_block(writer: Any, node: nodes.Element) -> None:
    """Write a formula on lines of its own, which scrolls where a screen is narrow."""
    writer.body.append(f'<div class="formula">{mathml(node.astext(), display="block")}</div>')
    raise nodes.SkipNode


def setup(app: Any) -> dict[str, bool]:
    """Register the renderer, under the name `mathml`."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
