"""`validate`: all errors and warnings of a model file in one report."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field

from cortenforge.errors import MjcfError, MjcfWarning
from cortenforge.model import Model
from cortenforge.notebook import Printed
from cortenforge.problems import gather_problems

__all__ = ["Report", "validate"]


@dataclass
class Report(Printed):
    """Errors and warnings of a model, and features that are not supported (`notes`).

    Errors are in the order of the file; each has `file`, `line`, `element`, `attribute`, `got`,
    `message` and `hint`.  `notes` list features that `step` does not support.
    """

    errors: list[MjcfError] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """True when the model loads."""
        return not self.errors

    def __str__(self) -> str:
        """All errors, warnings and notes, a paragraph each."""
        lines = [f"error: {error}" for error in self.errors]
        lines += [f"warning: {text}" for text in self.warnings]
        lines += [f"not simulated yet: {note}" for note in self.notes]
        return "\n".join(lines) or "nothing is wrong"


def validate(
    source: str | os.PathLike[str],
    assets: Mapping[str, bytes] | None = None,
    *,
    sandbox: bool = False,
) -> Report:
    """Check a file of MJCF or URDF, or a string of either, and report all its problems.

    source:  a path, or the XML itself.
    assets:  contents of files by name, looked up before the disk.
    sandbox: refuse any file outside the model's folder.
    Problems that only follow from another one are left out.

    >>> for error in validate("arm.xml").errors: print(error)
    """
    from cortenforge.compile import compile_spec
    from cortenforge.read import in_urdf, is_urdf, read_mjcf, read_urdf

    report, urdf = Report(), False
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with gather_problems() as problems:
            urdf = is_urdf(source, sandbox=sandbox)
            read = read_urdf if urdf else read_mjcf
            spec = read(source, assets=assets, sandbox=sandbox)
            compiled = compile_spec(spec)
            if not problems.errors:
                report.notes = Model(compiled).supported()
    errors = [in_urdf(error) for error in problems.errors] if urdf else problems.errors
    report.errors = sorted(errors, key=lambda error: (error.file, error.line))
    texts = (str(one.message) for one in caught if issubclass(one.category, MjcfWarning))
    report.warnings = list(dict.fromkeys(texts))
    return report
