"""Kinds of constraints that a model may have, as bits of `m.constraining`."""

from __future__ import annotations

EQUALITIES = 1
FRICTIONS = 2
LIMITS = 4
CONTACTS = 8
