"""The field tables carry MuJoCo's names, shapes and order."""

from __future__ import annotations

import itertools

import pytest

from cortenforge.compare.difference import OWN_GROUPS
from cortenforge.fields import DATA_FIELDS, ENGINE, EXTENSION_FIELDS, MODEL_FIELDS, SIZES

#: MuJoCo's constants in shapes
CONSTANTS = {
    "mjNREF": 2,
    "mjNIMP": 5,
    "mjNPOLY": 2,
    "mjNFLUID": 12,
    "mjNTEXROLE": 10,
    "mjNSENS": 3,
    "mjNEQDATA": 12,
    "mjNDYN": 10,
    "mjNGAIN": 10,
    "mjNBIAS": 10,
}
#: ours alone: how a call ended, and what MuJoCo has no field for
OWN = {field.name for field in DATA_FIELDS if field.group in OWN_GROUPS}
#: groups whose fields have room for more than there is
LISTED = ("contact", "constraint", "solver")


@pytest.fixture(scope="module")
def structs():
    pytest.importorskip("mujoco")
    from mujoco.introspect import structs

    return structs.STRUCTS


def shapes(structs, name):
    """Name -> shape of MuJoCo's array fields, in its order."""
    found = {}
    for field in structs[name].fields:
        extent = getattr(field, "array_extent", None)
        if extent:
            found[field.name] = tuple(CONSTANTS.get(n, n) for n in extent)
    return found


def test_model_fields_have_mujocos_shapes(structs):
    """Every array of the table exists in mjModel with the same shape."""
    reference = shapes(structs, "mjModel")
    own = {field.name for field in ENGINE} | EXTENSION_FIELDS
    for field in MODEL_FIELDS:
        if field.group in ("option", "statistic") or field.name in own:
            continue
        assert field.shape == reference[field.name], field.name


def test_data_fields_have_mujocos_shapes(structs):
    """Every state, input and derived array exists in mjData with the same shape."""
    reference = {**shapes(structs, "mjData"), "time": (), "energy": (2,), "solver_fwdinv": (2,)}
    for field in DATA_FIELDS:
        if field.role != "scratch" and field.name not in OWN and field.group not in LISTED:
            assert field.shape == reference[field.name], field.name


def test_contact_fields_are_mujocos(structs):
    """What a contact has of mjContact, as columns, in its order."""
    names = [field.name for field in structs["mjContact"].fields]
    fields = [field for field in DATA_FIELDS if field.group == "contact"]
    assert fields[0].name == "ncon"
    places = [names.index(field.name.removeprefix("contact_")) for field in fields[1:]]
    assert places == sorted(places)
    for field in fields[1:]:
        assert field.shape[0] == "nconmax"


def test_constraint_fields_are_mujocos(structs):
    """Rows have MuJoCo's arrays, with room for more; the Jacobian is always sparse."""
    numbers = {field.name for field in structs["mjData"].fields}
    reference = shapes(structs, "mjData")
    room = {"nefc": "nefcmax", "nJ": "nJmax"}
    for field in DATA_FIELDS:
        if field.group == "constraint" and field.role == "derived" and field.name != "contact_mu":
            name = "efc_J" if field.name == "efc_J_value" else field.name
            if field.shape:
                assert field.shape == tuple(room.get(n, n) for n in reference[name]), name
            else:
                assert name in numbers


@pytest.mark.parametrize(
    ("struct", "fields"),
    [("mjModel", MODEL_FIELDS), ("mjData", DATA_FIELDS)],
    ids=["Model", "Data"],
)
def test_fields_of_a_group_are_in_mujocos_order(structs, struct, fields):
    """A reader who knows mjModel finds the same sequence."""
    order = list(shapes(structs, struct))
    for group, members in itertools.groupby(fields, key=lambda f: f.group):
        places = [order.index(f.name) for f in members if f.name in order]
        assert places == sorted(places), group


def test_options_and_statistics_are_complete(structs):
    """All of mjOption and mjStatistic, in order."""
    for struct, prefix in (("mjOption", "opt_"), ("mjStatistic", "stat_")):
        names = [field.name for field in structs[struct].fields]
        fields = [f for f in MODEL_FIELDS if f not in ENGINE and f.name not in EXTENSION_FIELDS]
        ours = [f.name.removeprefix(prefix) for f in fields if f.name.startswith(prefix)]
        assert ours == names


def test_sizes_are_mujocos(structs):
    """Every size of the table is a size of mjModel."""
    names = [field.name for field in structs["mjModel"].fields]
    assert set(SIZES) - EXTENSION_FIELDS <= set(names)


def test_every_field_is_documented():
    """One line each, ending in a full stop."""
    for field in (*MODEL_FIELDS, *DATA_FIELDS):
        assert field.doc.endswith("."), field.name
        assert "\n" not in field.doc


def test_names_are_unique():
    for fields in (MODEL_FIELDS, DATA_FIELDS):
        names = [field.name for field in fields]
        assert len(names) == len(set(names))


def test_scratch_that_mujoco_has_is_listed(structs):
    """`dir` of Model and Data leaves out what only the engine uses, and nothing of MuJoCo's."""
    for struct, fields in (("mjModel", MODEL_FIELDS), ("mjData", DATA_FIELDS)):
        known = {field.name for field in structs[struct].fields}
        kept = [f for f in fields if f.role == "scratch" or f.group == "engine" or "own" in f.marks]
        assert kept
        assert [f.name for f in kept if f.listed] == [f.name for f in kept if f.name in known]
        assert all(f.listed for f in fields if f not in kept)
