"""How Sphinx builds the site from these pages: `make site` writes it to out/site."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "docs" / "extensions")]
# kernels of notebooks import the same package
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))

project = "CortenForge"
author = "The CortenForge authors"
copyright = author
version = release = re.search(
    r'^__version__ = "(.*)"', (ROOT / "cortenforge" / "__init__.py").read_text(), re.M
)[1]

extensions = ["myst_nb", "mathml", "source_pages", "python_reference"]
exclude_patterns = ["extensions", "templates"]
templates_path = ["templates"]
html_math_renderer = "mathml"
myst_enable_extensions = ["dollarmath", "deflist", "colon_fence"]
myst_heading_anchors = 4
myst_url_schemes = {"http": None, "https": None, "mailto": None, "source": None}
# notebooks run when the site is built, and again only when they change
nb_execution_mode = "cache"
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_merge_streams = True

html_theme = "furo"
html_title = f"CortenForge {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_search_scorer = str(ROOT / "docs" / "search_order.js")
html_show_sphinx = False
html_last_updated_fmt = None
html_theme_options = {"top_of_page_buttons": []}
pygments_style = "friendly"
pygments_dark_style = "monokai"
highlight_language = "none"
