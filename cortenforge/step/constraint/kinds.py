"""Bits of `m.constraining`: kinds of constraint that a model may have."""

from __future__ import annotations

EQUALITIES = 1
FRICTIONS = 2
LIMITS = 4
CONTACTS = 8
