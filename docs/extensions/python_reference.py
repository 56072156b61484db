"""Directives that write the reference from the sources: classes and functions, and commands.

    ```{python-class} cortenforge.BatchSim
    ```

writes the docstring, the signature and all public members. Docstrings are Markdown with lines
`argument: meaning`, whose continuation lines are indented, and examples that begin with `>>>`.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

ARGUMENT = re.compile(r"^(\*{0,2}\w+(?:, \w+)*): +(\S.*)$")
INNER = re.compile(r" object at 0x[0-9a-f]+")


def markdown(docstring: str) -> str:
    """A docstring as Markdown: arguments become a list, examples a block of code."""
    made: list[str] = []
    listing = example = False
    for line in docstring.splitlines():
        argument = ARGUMENT.match(line)
        if line.startswith((">>> ", "... ")):
            made += [] if example else ["", "```python"]
            made.append(line[4:])
            example = True
            continue
        if example:
            made += ["```", ""]
            example = False
        if argument:
            made += [] if listing else [""]
            made.append(f"- **{argument[1]}**: {argument[2]}")
            listing = True
        elif listing and line.startswith(" "):
            made.append(f"  {line.strip()}")
        else:
            made += [""] if listing and line else []
            made.append(line if not line.startswith("  ") else f"    {line.strip()}")
            listing = False
    return "\n".join([*made, "```"] if example else made)


def found(path: str) -> Any:
    """An object of the package by its full name."""
    module, name = path.rsplit(".", 1)
    return getattr(importlib.import_module(module), name)


def signature(name: str, function: Any) -> str:
    """How a function is called, without types, which docstrings and stubs have."""
    parameters = inspect.signature(function).parameters.values()
    plain = [one.replace(annotation=inspect.Parameter.empty) for one in parameters]
    kept = [one for one in plain if one.name not in ("self", "cls") and one.name[0] != "_"]
    # a default that is an object of the engine is not for users
    return name + str(
        inspect.Signature([one for one in kept if not INNER.search(str(one.default))])
    )


def members(owner: type) -> Iterator[tuple[str, Any]]:
    """Public members that the package defines, by name."""
    for name in dir(owner):
        home = next((one for one in owner.__mro__ if name in one.__dict__), None)
        if name[0] != "_" and home is not None and home.__module__.startswith("cortenforge"):
            yield name, home.__dict__[name]


def described(prefix: str, name: str, member: Any) -> str:
    """A heading and the docstring of a method or property; nothing of other members."""
    function = getattr(member, "__func__", member)
    if isinstance(member, property):
        head, text = f"`{prefix}.{name}`", inspect.getdoc(member)
    elif inspect.isfunction(function):
        head, text = f"`{prefix}.{signature(name, function)}`", inspect.getdoc(function)
    else:
        return ""
    return f"### {head}\n\n{markdown(text or '')}\n"


def class_text(path: str) -> str:
    """Everything of a class."""
    owner = found(path)
    name = path.removeprefix("cortenforge.")
    own = "__init__" in owner.__dict__
    call = signature(f"cf.{name}", owner.__init__) if own else f"cf.{name}"
    parts = [f"## {name}", f"```py\n{call}\n```", markdown(inspect.getdoc(owner) or "")]
    short = "data" if name == "Data" else "model" if name == "Model" else name
    parts += [described(short, key, member) for key, member in members(owner)]
    return "\n\n".join(part for part in parts if part)


def functions_text(paths: list[str]) -> str:
    """Functions, with a heading each."""
    parts = []
    for path in paths:
        function = found(path)
        name = path.replace("cortenforge.", "cf.")
        text = markdown(inspect.getdoc(function) or "")
        parts.append(f"### `{signature(name, function)}`\n\n{text}\n")
    return "\n\n".join(parts)


def errors_text() -> str:
    """The tree of exceptions, each with the first line of its docstring."""
    import cortenforge

    def lines(owner: type, depth: int) -> Iterator[str]:
        below = sorted(owner.__subclasses__(), key=lambda one: one.__name__)
        text = (inspect.getdoc(owner) or "").splitlines()[0]
        yield f"{'  ' * depth}- `{owner.__name__}`: {text}"
        for one in below:
            if one.__module__.startswith("cortenforge"):
                yield from lines(one, depth + 1)

    return "\n".join(lines(cortenforge.CortenForgeError, 0))


def commands_text() -> str:
    """Every command with its arguments and options."""
    import typer

    from cortenforge.cli.app import app

    group: Any = typer.main.get_command(app)
    parts = []
    for name, command in sorted(group.commands.items()):
        parts.append(command_text(f"cortenforge {name}", command))
        for inner, one in sorted(getattr(command, "commands", {}).items()):
            parts.append(command_text(f"cortenforge {name} {inner}", one))
    return "\n\n".join(parts)


def command_text(title: str, command: Any) -> str:
    """The help of a command, and a table of what it takes."""
    rows = []
    for parameter in command.params:
        shown = ", ".join([*parameter.opts, *parameter.secondary_opts])
        shown = shown if parameter.opts[0].startswith("-") else parameter.name.upper()
        text = " ".join((getattr(parameter, "help", "") or "").split())
        default = parameter.default
        plain = isinstance(default, str | int | float) and not isinstance(default, bool)
        rows.append(f"| `{shown}` | {cell(text)} | {f'`{default}`' if plain else ''} |")
    help_text = inspect.cleandoc(command.help or "").replace("\b", "")
    table = ["| | | default |", "|---|---|---|", *rows] if rows else []
    return "\n".join([f"## `{title}`", "", cell(help_text), "", *table])


def cell(text: str) -> str:
    """Text of a terminal, without its marks for colours, for a cell of a table."""
    return re.sub(r"\[/?(?:bold|dim|cyan|green|italic)\]", "", text).replace("|", "\\|")


class Written(SphinxDirective):
    """Markdown that a function makes, as if it stood on the page."""

    has_content = True
    optional_arguments = 1

    def text(self) -> str:
        """What is written."""
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        """Parse it, with its headings."""
        return self.parse_text_to_nodes(self.text(), allow_section_headings=True)


class PythonClass(Written):
    """A class with its members."""

    def text(self) -> str:
        """All of the class."""
        return class_text(self.arguments[0])


class PythonFunctions(Written):
    """Functions, a name in each line."""

    def text(self) -> str:
        """All of them."""
        return functions_text([line for line in self.content if line])


class PythonErrors(Written):
    """The tree of exceptions."""

    def text(self) -> str:
        """The tree."""
        return errors_text()


class Commands(Written):
    """The commands of `cortenforge`."""

    def text(self) -> str:
        """All commands."""
        return commands_text()


def setup(app: Any) -> dict[str, bool]:
    """Register the directives."""
    app.add_directive("python-class", PythonClass)
    app.add_directive("python-functions", PythonFunctions)
    app.add_directive("python-errors", PythonErrors)
    app.add_directive("commands", Commands)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
