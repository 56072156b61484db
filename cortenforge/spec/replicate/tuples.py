"""Tuples of replicated objects."""

from __future__ import annotations

from cortenforge.spec.editing.attach import SHARED_KINDS, all_names
from cortenforge.spec.element import Element
from cortenforge.spec.spec import Spec

Names = set[tuple[str, str]]


def copy_tuples(spec: Spec, inside: Names, suffixes: list[str], room: int) -> list[Element]:
    """Tuples after a subtree with the objects `inside` became one copy a suffix.

    Each replica copies every tuple whose objects it has copies of.  Assets, numerics and texts
    are not replicated and are in every copy, so a tuple of nothing else is copied by each
    replica, the copies of earlier replicas among them: MuJoCo does so.
    """
    tuples = list(spec.tuples)
    names = all_names(spec)
    names |= {(kind, name + suffix) for kind, name in inside for suffix in suffixes}
    stems = _replicated_names(names, suffixes)
    # copies that no later replica can copy need not be looked at again
    candidates = list(tuples)
    followed: dict[int, int] = {}
    for suffix in suffixes:
        for entry in list(candidates):
            if _all_copied(entry, suffix, names):
                copy = _copy_tuple(entry, suffix)
                tuples.append(copy)
                names.add(("tuple", copy.name))
                followed[id(entry)] = followed.get(id(entry), 0) + 1
                room -= 1 + len(copy.children)
                if _may_be_copied(copy, stems):
                    candidates.append(copy)
        if room < 0:
            raise tuples[0].error(
                "replicas of this would be more elements than a model can have",
                hint="each replica copies tuples of assets and numerics, and earlier copies",
            )
    return _without_originals(tuples, set(inside), followed, len(suffixes))


def _without_originals(
    tuples: list[Element], gone: Names, followed: dict[int, int], replicas: int
) -> list[Element]:
    """Drop tuples of objects that are only in the replicas; each must have a copy in all."""
    while True:
        dropped = [one for one in tuples if any(_entry_name(item) in gone for item in one.children)]
        if not dropped:
            return tuples
        for entry in dropped:
            if followed.get(id(entry), 0) < replicas:
                item = next(item for item in entry.children if _entry_name(item) in gone)
                raise item.error("a tuple cannot mix replicated objects with others", "objname")
            gone.add(("tuple", entry.name))
        tuples = [one for one in tuples if one not in dropped]


def _entry_name(item: Element) -> tuple[str, str]:
    kind = str(item["objtype"])
    return "body" if kind == "xbody" else kind, str(item["objname"])


def _replicated_names(names: Names, suffixes: list[str]) -> Names:
    """Names that some replica has a copy of; all suffixes are of one length."""
    known, length = set(suffixes), len(suffixes[0])
    return {(kind, name[:-length]) for kind, name in names if name[-length:] in known}


def _may_be_copied(entry: Element, stems: Names) -> bool:
    """False when no replica has copies of all objects; names of tuples are not known yet."""
    named = (_entry_name(item) for item in entry.children)
    return all(one[0] in SHARED_KINDS or one[0] == "tuple" or one in stems for one in named)


def _all_copied(entry: Element, suffix: str, names: Names) -> bool:
    """True when a replica has copies of all objects that can be copied."""
    for item in entry.children:
        kind, name = _entry_name(item)
        if kind not in SHARED_KINDS and (kind, name + suffix) not in names:
            return False
    return True


def _copy_tuple(entry: Element, suffix: str) -> Element:
    copy = entry.copy()
    copy.rename(entry.name + suffix)
    for item in copy.children:
        if _entry_name(item)[0] not in SHARED_KINDS:
            item.attributes["objname"] = f"{item['objname']}{suffix}"
    return copy
