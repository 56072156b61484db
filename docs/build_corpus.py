"""Write `docs/corpus.md`, the table of public models, from `conformance/corpus.json`.

python docs/build_corpus.py            write the page
python docs/build_corpus.py --check    exit 1 if the page is not what would be written
"""

from __future__ import annotations

import json
import re
import statistics
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from build_tables import grid

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "conformance" / "corpus.json"
PAGE = ROOT / "docs" / "corpus.md"

Json = dict[str, Any]


def page(report: Json) -> str:
    """The whole page: introduction, a row for each collection, a table for each collection."""
    parts = [_opening(report), _overview(report["collections"]), _refused(report["collections"])]
    parts += [_collection(part) for part in report["collections"] if part["models"]]
    return "\n\n".join(parts) + "\n"


def _opening(report: Json) -> str:
    return (
        "# Public models\n\n"
        "Written by `make conformance`; do not edit.\n\n"
        f"Every model is loaded by CortenForge and by MuJoCo {report['mujoco']}. Its arrays are "
        "equal if all sizes, integers and names are the same and every real number differs by "
        f"at most {report['tolerance']:g} of the largest one of its object. The order of a hull's "
        "vertices and polygons depends on tie-breaking, so hulls are compared independently of it. "
        "Times are milliseconds from the file to the compiled model, the best "
        f"of {report['rounds']} loads, each with an empty mesh cache."
    )


def _overview(collections: list[Json]) -> str:
    rows = []
    for part in collections:
        models = [model for model in part["models"] if not model["mujoco_error"]]
        loaded = [model for model in models if not model["refused"]]
        equal = sum(not model["differing"] for model in loaded)
        ratios = [model["ours_ms"] / model["theirs_ms"] for model in loaded]
        title = part["title"] + (f" {part['version']}" if part["version"] else "")
        rows.append(
            (
                title,
                part["missing"] or len(models),
                len(loaded),
                equal,
                len(models) - len(loaded),
                f"{statistics.median(ratios):.1f}" if ratios else "",
            )
        )
    head = ("collection", "models", "load", "equal", "refused", "time / MuJoCo's, median")
    return grid(head, rows)


def _refused(collections: list[Json]) -> str:
    """Models that MuJoCo loads and CortenForge refuses, by reason."""
    reasons = Counter(
        _escaped(re.sub(r"\b(worldbody|body|frame|replicate)/(?=flexcomp)", "", model["refused"]))
        for part in collections
        for model in part["models"]
        if model["refused"]
    )
    rows = [(reason, count) for reason, count in reasons.most_common()]
    return "## Refused\n\n" + grid(("reason", "models"), rows) if rows else ""


def _collection(part: Json) -> str:
    models = [model for model in part["models"] if not model["mujoco_error"]]
    rows = [
        (
            f"`{model['name']}`",
            "no" if model["refused"] else "yes",
            _arrays(model),
            _time(model["ours_ms"]),
            _time(model["theirs_ms"]),
            _note(model),
        )
        for model in models
    ]
    head = ("model", "loads", "arrays equal", "ms", "MuJoCo, ms", "")
    text = f"## {part['title']}\n\n" + grid(head, rows)
    return text + _not_models(part["models"], files=part["version"] != "")


def _arrays(model: Json) -> str:
    if model["refused"]:
        return ""
    return f"{len(model['differing'])} of {model['fields']} differ" if model["differing"] else "yes"


def _note(model: Json) -> str:
    return _escaped(model["refused"] or "; ".join(model["differing"][:2]))


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def _time(value: float) -> str:
    return "" if not value else f"{value:.0f}" if value >= 100 else f"{value:.2g}"


def _not_models(models: list[Json], *, files: bool) -> str:
    """Files that MuJoCo does not load either: parts of other models, or too old for it."""
    reasons = Counter(_short(model["mujoco_error"]) for model in models if model["mujoco_error"])
    if not reasons or not files:
        return ""
    listed = ", ".join(f"{text} ({count})" for text, count in reasons.most_common())
    total = sum(reasons.values())
    return (
        f"\n\nMuJoCo does not load {total} other files, most of which are meant to be included: "
        f"{listed}."
    )


def _short(error: str) -> str:
    """The reason without names and places, so that equal reasons can be counted."""
    error = re.sub(r"^(XML )?Error: ", "", error)
    error = re.split(r",? *(Element|Object|line) ", error)[0]
    error = re.sub(r"'[^']*'|\"[^\"]*\"", "…", error)
    error = re.sub(r"\S+\.(xml|stl|obj|png|msh|STL|OBJ)\b", "a file", error)
    return error.replace("|", "\\|").strip(" .:")


def main() -> int:
    text = page(json.loads(RESULTS.read_text()))
    if "--check" in sys.argv[1:]:
        current = PAGE.exists() and PAGE.read_text(encoding="utf-8") == text
        if not current:
            print("docs/corpus.md is out of date: run python docs/build_corpus.py")
        return int(not current)
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
