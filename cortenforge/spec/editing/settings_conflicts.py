"""Global settings of a model and of one that is attached to it: whose values count.

The parent's `compiler/conflict` decides.  "warning": the parent's, with a warning.  "error": to
differ is an error.  "merge": the more careful value where there is one, else an error; what only
the child sets is taken over.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cortenforge.grammar.rule import Value
from cortenforge.problems import give_warning
from cortenforge.spec.element import Element
from cortenforge.spec.spec import Spec

# settings whose smaller, or larger, value is the more careful one
SMALLER_WINS = (
    *("timestep", "tolerance", "ls_tolerance", "noslip_tolerance", "ccd_tolerance"),
    *("sleep_tolerance", "znear", "realtime"),
)
LARGER_WINS = (
    *("iterations", "ls_iterations", "noslip_iterations", "ccd_iterations"),
    *("sdf_iterations", "sdf_initpoints", "zfar", "memory", "njmax", "nconmax", "nuserdata"),
    *("nkey", "nuser_body", "nuser_jnt", "nuser_geom", "nuser_site", "nuser_cam"),
    *("nuser_tendon", "nuser_actuator", "nuser_sensor"),
)
VISUAL_LARGER_WINS = {"map": ("znear", "zfar"), "global": ("realtime",)}
MERGED_GROUPS = "actuatorgroupdisable"


class SettingsConflicts:
    """What was found to differ, and what to do about it once it is known that nothing is wrong."""

    def __init__(self, mode: str) -> None:
        self.mode = mode
        self.errors: list[str] = []
        self.notes: list[str] = []
        self.changes: list[tuple[Element, str, Value]] = []

    def setting(self, ours: Element, theirs: Element, name: str, *, tracked: bool) -> None:
        """One value; when it is not tracked, a value that is the default's counts as not set."""
        mine, other = ours[name], theirs[name]
        if _equal_settings(mine, other):
            return
        set_here, set_there = name in ours.attributes, name in theirs.attributes
        if not tracked or not (set_here or set_there):
            set_here = not _equal_settings(mine, ours.fallback.get(name))
            set_there = not _equal_settings(other, theirs.fallback.get(name))
        if not set_there:
            return
        text = f"{name}: {_setting_text(mine)} here, {_setting_text(other)} in the attached model"
        if self.mode == "merge" and not set_here:
            self._take(ours, name, other, f"{text}, which is taken")
        elif self.mode == "merge" and name in (*SMALLER_WINS, *LARGER_WINS):
            wanted = (min if name in SMALLER_WINS else max)(mine, other)  # type: ignore[type-var]
            self._take(ours, name, wanted, f"{text}; {_setting_text(wanted)} is taken")
        elif self.mode == "warning" or not set_here:
            self.notes.append(f"{text}, which is ignored")
        else:
            self.errors.append(text)

    def flag(self, ours: Element, theirs: Element, name: str) -> None:
        """A switch; merging keeps what either model switches away from the usual."""
        if name not in theirs.attributes:
            return
        unusual = theirs[name] != theirs.fallback[name]
        if self.mode == "merge":
            if unusual and ours[name] != theirs[name]:
                self._take(ours, name, theirs[name], f"{name}: {theirs[name]} is taken")
        elif name in ours.attributes and ours[name] != theirs[name]:
            text = f"{name}: {ours[name]} here, {theirs[name]} in the attached model"
            if self.mode == "error":
                self.errors.append(text)
            else:
                self.notes.append(f"{text}, which is ignored")

    def groups(self, ours: Element, theirs: Element) -> None:
        """Groups of actuators that are switched off: merging switches off both models'."""
        if self.mode == "merge" and MERGED_GROUPS in theirs.attributes:
            both = np.union1d(_group_list(ours), _group_list(theirs)).astype(int)
            if not np.array_equal(both, np.unique(_group_list(ours))):
                self._take(
                    ours, MERGED_GROUPS, both, f"{MERGED_GROUPS}: {_setting_text(both)} is taken"
                )

    def _take(self, ours: Element, name: str, value: Value, note: str) -> None:
        self.changes.append((ours, name, value))
        self.notes.append(note)


def resolve_conflicts(parent: Spec, child: Spec, asker: Element) -> None:
    """Compare options, sizes and visual limits of two models, and change the parent's if merged."""
    found = SettingsConflicts(str(parent.compiler["conflict"]))
    for ours, theirs, name in _compared_settings(parent, child):
        found.setting(ours, theirs, name, tracked=ours is parent.option)
    for name in parent.flag.fallback:
        found.flag(parent.flag, child.flag, name)
    found.groups(parent.option, child.option)
    about = f"settings differ (conflict is '{found.mode}')"
    if found.errors:
        raise asker.error("\n  ".join([about, *found.errors]))
    for element, name, value in found.changes:
        element.attributes[name] = value
    if found.notes:
        text = "\n  ".join([f"{asker.where}: {about}", *found.notes])
        give_warning(text)


def _compared_settings(parent: Spec, child: Spec) -> Iterator[tuple[Element, Element, str]]:
    for name in parent.option.fallback:
        if name != MERGED_GROUPS:
            yield parent.option, child.option, name
    for group, names in VISUAL_LARGER_WINS.items():
        for name in names:
            yield parent.visual[group], child.visual[group], name
    for name in parent.size.fallback:
        if name in LARGER_WINS:
            yield parent.size, child.size, name


def _group_list(option: Element) -> np.ndarray:
    value = option[MERGED_GROUPS]
    return value if isinstance(value, np.ndarray) else np.zeros(0, int)


def _equal_settings(one: Value, other: Value) -> bool:
    return bool(np.array_equal(one, other))  # type: ignore[arg-type]


def _setting_text(value: Value) -> str:
    if isinstance(value, np.ndarray):
        return " ".join(f"{number:g}" for number in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
