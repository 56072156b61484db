"""`cortenforge validate FILE...`: everything that is wrong with model files, at once."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from cortenforge.cli.options import complete_model
from cortenforge.cli.screen import results
from cortenforge.errors import MjcfError
from cortenforge.models import find

if TYPE_CHECKING:
    from cortenforge.report import Report

STYLES = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}
#: how a warning begins: file and line
PLACE = re.compile(r"(?P<file>.*?):(?P<line>\d+): (?P<message>.*)", re.DOTALL)
#: how a remark on a URDF file begins, which stands with others of the same file in one warning
REMARK = re.compile(r"line (?P<line>\d+): (?P<message>.*)", re.DOTALL)


def validate(
    files: Annotated[
        list[str],
        typer.Argument(
            help="MJCF or URDF files, or bundled models.", autocompletion=complete_model
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings count as errors.")] = False,
) -> None:
    """Check model files: print every problem with its line, and fail if there is one."""
    reports = {file: _report(file) for file in files}
    findings = {file: _findings(file, report) for file, report in reports.items()}
    if as_json:
        listed = [
            {"file": file, "ok": reports[file].ok, "findings": findings[file]} for file in files
        ]
        results.print(json.dumps(listed, indent=2), soft_wrap=True, markup=False)
    else:
        for file in files:
            for finding in findings[file]:
                results.print(_line(finding), soft_wrap=True)
        results.print(_summary(findings))
    counts = _counts(findings)
    if counts["error"] or (strict and counts["warning"]):
        raise typer.Exit(1)


def _report(file: str) -> Report:
    from cortenforge.report import Report, validate

    try:
        return validate(find(file))
    except MjcfError as error:
        return Report([error])


def _findings(file: str, report: Report) -> list[dict[str, Any]]:
    """All that a report says, most serious first, as plain values."""
    found = [
        {
            "severity": "error",
            "file": error.file,
            "line": error.line or None,
            "element": error.element or None,
            "name": error.where.name or None,
            "attribute": error.attribute,
            "value": None if error.got is None else str(error.got),
            "message": error.message,
            "hint": error.hint,
        }
        for error in report.errors
    ]
    found += [one for text in report.warnings for one in _warnings(file, text)]
    found += [
        {
            "severity": "note",
            "file": file,
            "line": None,
            "message": f"cannot be stepped yet: {note}",
        }
        for note in report.notes
    ]
    return found


def _warnings(file: str, text: str) -> list[dict[str, Any]]:
    """What one warning says, by its place; that of a URDF file holds several remarks."""
    place = PLACE.fullmatch(text)
    if place:
        return [{"severity": "warning", **place.groupdict(), "line": int(place["line"])}]
    found: list[dict[str, Any]] = []
    for piece in text.removeprefix(f"{file}: ").split("\n  "):
        remark = REMARK.fullmatch(piece)
        line, message = (int(remark["line"]), remark["message"]) if remark else (None, piece)
        found.append({"severity": "warning", "file": file, "line": line, "message": message})
    return found


def _line(finding: dict[str, Any]) -> Text:
    """One finding as compilers print it: file, line, severity, element, attribute, message."""
    severity = finding["severity"]
    place = finding["file"] + (f":{finding['line']}" if finding["line"] else "")
    text = Text(f"{place}: ", style="bold") + Text(f"{severity}: ", style=STYLES[severity])
    if finding.get("element"):
        name = f' "{finding["name"]}"' if finding["name"] else ""
        text += Text(f"<{finding['element']}>{name}: ", style="cyan")
    if finding.get("attribute"):
        value = "" if finding["value"] is None else f'="{finding["value"]}"'
        text += Text(f"{finding['attribute']}{value}: ", style="yellow")
    text += Text(finding["message"])
    if finding.get("hint"):
        text += Text(f"\n    hint: {finding['hint']}", style="green")
    return text


def _counts(findings: dict[str, list[dict[str, Any]]]) -> dict[str, int]:
    kinds = [finding["severity"] for found in findings.values() for finding in found]
    return {severity: kinds.count(severity) for severity in STYLES}


def _summary(findings: dict[str, list[dict[str, Any]]]) -> Text:
    counts = _counts(findings)
    text = ", ".join(
        f"{count} {kind}{'s' if count != 1 else ''}" for kind, count in counts.items() if count
    )
    style = "red" if counts["error"] else "yellow" if counts["warning"] else "green"
    files = f"{len(findings)} file{'s' if len(findings) != 1 else ''} checked"
    return Text(f"{files}: {text or 'no problems'}", style=style)
