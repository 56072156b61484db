"""Ways to spoil a document, and how often they are tried."""

from __future__ import annotations

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

Edit = tuple[int, int, str]


def tried(times: int) -> settings:
    """Settings of a test that loads whole models: slow, and as long as it takes."""
    return settings(max_examples=times, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def edits(text: str, words: list[str]) -> st.SearchStrategy[list[Edit]]:
    """Up to three stretches of a text, each with the word that takes its place."""
    places = st.tuples(st.integers(0, len(text)), st.integers(0, 12), st.sampled_from(words))
    return st.lists(places, min_size=1, max_size=3)


def cut_and_paste(text: str, changes: list[Edit]) -> str:
    """The text with stretches replaced, one after the other."""
    for at, cut, word in changes:
        text = text[:at] + word + text[at + cut :]
    return text


def attributes_of(text: str) -> st.SearchStrategy[int]:
    """The number of an attribute of a document."""
    return st.integers(0, text.count('"') // 2 - 1)


def with_value(text: str, which: int, word: str) -> str:
    """One attribute's value replaced: the document stays well formed."""
    parts = text.split('"')
    parts[2 * which + 1] = word
    return '"'.join(parts)
