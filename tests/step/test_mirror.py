"""This folder mirrors the engine's."""

from __future__ import annotations

from pathlib import Path

from cortenforge.fields import DATA_FIELDS

HERE = Path(__file__).parent
#: what MuJoCo has no field for: how a call ended
UNCOMPARED = "status"


def test_every_module_that_writes_a_field_has_its_tests():
    """step/position/com.py writes subtree_com, so tests/step/position/test_com.py is there."""
    writers = {
        writer
        for field in DATA_FIELDS
        if field.role == "derived" and field.group != UNCOMPARED
        for writer in field.written_by
        if writer.startswith("step.")
    }
    assert len(writers) > 12
    for writer in writers:
        *folders, module = writer.split(".")[1:]
        assert HERE.joinpath(*folders, f"test_{module}.py").is_file(), writer


def test_every_test_file_is_named_after_a_module():
    """Nothing is left here when a module goes."""
    step = HERE.parents[1] / "cortenforge" / "step"
    own = {"test_mirror.py", "test_toy_stage.py", "test_hard_cases.py", "test_unlisted.py"}
    for file in HERE.rglob("test_*.py"):
        module = step / file.relative_to(HERE).parent / file.name.removeprefix("test_")
        assert file.name in own or module.is_file(), file.name
