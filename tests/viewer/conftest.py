"""A viewer, and a tab of the browser that looks at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import cortenforge as cf

from .browsing import Tab


@pytest.fixture
def show(browser: Any) -> Iterator[Callable[..., tuple[cf.Viewer, Tab]]]:
    """Open a viewer, and a tab that looks at it; both are closed in the end."""
    made: list[Any] = []

    def opened(*arguments: Any, **options: Any) -> tuple[cf.Viewer, Tab]:
        # a browser without a GPU is slow with these
        plain = {"shadow": False, "reflection": False}
        viewer = cf.view(*arguments, port=0, **plain, **options)
        made.append(viewer)
        tab = Tab(browser, viewer.url)
        made.append(tab)
        return viewer, tab

    yield opened
    for one in reversed(made):
        if isinstance(one, Tab):
            assert not one.errors and not one.left_the_machine()
        one.close()
