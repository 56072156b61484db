"""Type stubs for the fields of Model and Data, made from the field tables."""

from __future__ import annotations

from cortenforge.fields import DATA_FIELDS, MODEL_FIELDS, SIZES
from cortenforge.fields.field import Field

HEADER = '''"""Made from the field tables by `python -m cortenforge.fields.stubs`; do not edit."""

import numpy as np
from numpy.typing import NDArray

from cortenforge.model.visual import Visual
'''


def annotation(field: Field) -> str:
    """The Python type of a field."""
    if field.shape:
        return f"NDArray[np.{field.dtype.name}]"
    return "float" if field.dtype.kind == "f" else "int"


def _class(name: str, doc: str, fields: list[tuple[str, str, str]]) -> str:
    lines = [f"class {name}:", f'    """{doc}"""', ""]
    for attribute, kind, text in fields:
        lines += [f"    {attribute}: {kind}", f'    """{text}"""']
    return "\n".join(lines)


def _rows(fields: tuple[Field, ...], prefix: str = "") -> list[tuple[str, str, str]]:
    rows = []
    for f in fields:
        shape = f"({', '.join(str(n) for n in f.shape)})" if f.shape else ""
        text = " ".join(part for part in (f.doc, shape, f"[{f.unit}]" if f.unit else "") if part)
        rows.append((f.name.removeprefix(prefix), annotation(f), text))
    return rows


def stub_text() -> str:
    """Text of `model/declared.pyi`."""
    option = tuple(f for f in MODEL_FIELDS if f.group == "option")
    statistic = tuple(f for f in MODEL_FIELDS if f.group == "statistic")
    sizes = [(name, "int", doc[0].upper() + doc[1:] + ".") for name, doc in SIZES.items()]
    opt = [("opt", "OptionFields", "Options."), ("stat", "StatisticFields", "Statistics.")]
    vis = [("vis", "Visual", "Visual settings, by groups.")]
    classes = [
        _class("OptionFields", "Fields of model.opt.", _rows(option, "opt_")),
        _class("StatisticFields", "Fields of model.stat.", _rows(statistic, "stat_")),
        _class("ModelFields", "Fields of Model.", [*opt, *vis, *sizes, *_rows(MODEL_FIELDS)]),
        _class("DataFields", "Fields of Data.", _rows(DATA_FIELDS)),
    ]
    return HEADER + "".join(f"\n{text}\n" for text in classes)


if __name__ == "__main__":
    from pathlib import Path

    target = Path(__file__).parent.parent / "model" / "declared.pyi"
    target.write_text(stub_text())
