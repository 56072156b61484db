"""Type stubs for Model, Data, batches and their objects, made from the field tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from cortenforge.fields import DATA_FIELDS, INPUT_FIELDS, MODEL_FIELDS, SIZES, STATE_FIELDS
from cortenforge.fields import bindable as bindable_fields
from cortenforge.fields.field import Field
from cortenforge.model.access import declared
from cortenforge.model.access.object_fields import object_field_table
from cortenforge.model.access.views import OPTION_ENUMS, SHORT_KINDS, ModelObjects, NamedObjects
from cortenforge.model.methods.contacts import CONTACT_COLUMNS, FLEX_COLUMNS, GEOM_COLUMNS

HEADER = '''"""Made from the field tables by `python -m cortenforge.model.stubs`; do not edit."""

from typing import Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cortenforge.model.access.views import ObjectView
from cortenforge.model.access.visual import Visual

T = TypeVar("T", bound=np.generic)

class Array(Generic[T]):
    """A field that is read as an array; what is assigned is copied into it."""

    def __get__(self, owner: object, kind: type | None = None) -> NDArray[T]: ...
    def __set__(self, owner: object, value: ArrayLike) -> None: ...

class Choice:
    """An option that is one of several, given by its number or its name."""

    def __get__(self, owner: object, kind: type | None = None) -> int: ...
    def __set__(self, owner: object, value: int | str) -> None: ...
'''
#: name, type, text
StubRow = tuple[str, str, str]


def annotation(field: Field) -> str:
    """The Python type of a field."""
    if field.name in OPTION_ENUMS:
        return "Choice"
    if field.shape:
        return f"Array[np.{field.dtype.name}]"
    return "float" if field.dtype.kind == "f" else "int"


def _class_text(head: str, doc: str, rows: Iterable[StubRow], methods: Iterable[str] = ()) -> str:
    lines = [f"class {head}:", f'    """{doc}"""', ""]
    for attribute, kind, text in rows:
        lines += [f"    {attribute}: {kind}", f'    """{text}"""']
    return "\n".join([*lines, *methods])


def _field_doc(field: Field, before: str = "") -> str:
    extents = [before, *map(str, field.shape)] if before else [str(n) for n in field.shape]
    shape = f"({', '.join(extents)}{',' * (bool(before) and len(extents) == 1)})" if extents else ""
    unit = f"[{field.unit}]" if field.unit else ""
    return " ".join(part for part in (field.doc, shape, unit) if part)


def _stub_rows(fields: Iterable[Field], prefix: str = "") -> list[StubRow]:
    return [(f.name.removeprefix(prefix), annotation(f), _field_doc(f)) for f in fields]


def _batch_rows() -> list[StubRow]:
    """State, inputs, what is counted and what can be bound: arrays with a row for each world."""
    counted = (f for f in DATA_FIELDS if f.counted)
    fields = (*STATE_FIELDS, *INPUT_FIELDS, *counted, *bindable_fields(DATA_FIELDS))
    # rows of state and inputs are reals, whatever a Data has
    return [
        (f.name, f"Array[np.{'int32' if f.counted else 'float64'}]", _field_doc(f, "n"))
        for f in fields
    ]


def _contact_rows(*, alone: bool) -> list[StubRow]:
    """Fields of one contact, or columns of several."""
    found = []
    for name, field in CONTACT_COLUMNS.items():
        one = replace(field, shape=field.shape[1:]) if alone else field
        found.append((name, annotation(one), _field_doc(one)))
    kind = "int" if alone else "Array[np.int32]"
    found += [(name, kind, "One of the two geoms.") for name in GEOM_COLUMNS]
    return found + [
        (name, "Array[np.int32]", "-1: there are no such objects.") for name in FLEX_COLUMNS
    ]


def _object_kinds(owner: str) -> list[str]:
    """Kinds of objects that have named access."""
    classes = (NamedObjects, ModelObjects) if owner == "Model" else (NamedObjects,)
    names = (name for one in classes for name in vars(one) if not name.startswith("_"))
    return [name for name in names if name not in SHORT_KINDS]


def _object_class_text(owner: str, kind: str) -> str:
    fields = MODEL_FIELDS if owner == "Model" else DATA_FIELDS
    found = object_field_table(kind, fields, of_model=owner == "Model")
    rows = [(name, f"Array[np.{f.dtype.name}]", _field_doc(f)) for name, f in found.items()]
    if kind == "actuator" and owner == "Data":
        rows.append(("moment", "Array[np.float64]", "Moment arms about every dof. (nv)"))
    name = f"{owner}{kind.capitalize()}(ObjectView)"
    return _class_text(name, f"Fields of {owner.lower()}.{kind}(...).", rows)


def _object_methods(owner: str) -> list[str]:
    kinds = _object_kinds(owner)
    short = {name: kind for name, kind in SHORT_KINDS.items() if kind in kinds}
    named = {**{kind: kind for kind in kinds}, **short}
    return [
        f"    def {name}(self, key: str | int) -> {owner}{kind.capitalize()}: ..."
        for name, kind in named.items()
    ]


def stub_text() -> str:
    """Text of `declared.pyi`."""
    option = tuple(f for f in MODEL_FIELDS if f.group == "option")
    statistic = tuple(f for f in MODEL_FIELDS if f.group == "statistic")
    sizes = [(name, "int", doc[0].upper() + doc[1:] + ".") for name, doc in SIZES.items()]
    opt = [("opt", "OptionFields", "Options."), ("stat", "StatisticFields", "Statistics.")]
    vis = [("vis", "Visual", "Visual settings, by groups.")]
    model = [*opt, *vis, *sizes, *_stub_rows(MODEL_FIELDS)]
    classes = [
        _class_text("OptionFields", "Fields of model.opt.", _stub_rows(option, "opt_")),
        _class_text("StatisticFields", "Fields of model.stat.", _stub_rows(statistic, "stat_")),
        *(
            _object_class_text(owner, kind)
            for owner in ("Model", "Data")
            for kind in _object_kinds(owner)
        ),
        _class_text("ModelFields", "Fields of Model.", model, _object_methods("Model")),
        _class_text(
            "DataFields", "Fields of Data.", _stub_rows(DATA_FIELDS), _object_methods("Data")
        ),
        _class_text("ContactFields", "Fields of a contact.", _contact_rows(alone=True)),
        _class_text("ContactColumns", "Columns of contacts.", _contact_rows(alone=False)),
        _class_text("BatchFields", "Fields of batches.", _batch_rows()),
    ]
    return HEADER + "".join(f"\n{text}\n" for text in classes)


if __name__ == "__main__":
    from pathlib import Path

    target = Path(declared.__file__).with_suffix(".pyi")
    target.write_text(stub_text())
