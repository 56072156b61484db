"""The project keeps its own promises: sizes, names, paths, versions, light imports."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILE_LINES = 600
FUNCTION_CODE_LINES = 60
FILES_OF_A_FOLDER = 30
NAMES_THAT_SAY_NOTHING = {"util", "utils", "misc", "helpers", "common", "support", "core"}
SOURCES = ("cortenforge", "conformance", "benchmarks", "docs", "examples", "tests")
#: files a person reads or a tool runs, wherever they are
TEXT_SUFFIXES = {".py", ".pyi", ".md", ".toml", ".xml", ".yml", ".yaml", ".json", ".txt", ".cfg"}
NOT_OURS = {".git", ".venv", "out", "build", "dist", "__pycache__"}
#: a home folder, a scratch folder or a mount of one machine
MACHINE_PATH = re.compile(r"(?<![\w.<:/-])/(?:home|Users|root|work|tmp|mnt|opt|farm|srv)/[\w.]")
#: these speak about hostile paths on purpose
ABOUT_PATHS = {"tests/door", "tests/read", "tests/test_project.py"}


def python_files() -> list[Path]:
    return sorted(file for folder in SOURCES for file in (ROOT / folder).rglob("*.py"))


def text_files() -> Iterator[Path]:
    for file in sorted(ROOT.rglob("*")):
        parts = file.relative_to(ROOT).parts
        ours = not any(part in NOT_OURS or part.endswith("_cache") for part in parts)
        named = file.suffix in TEXT_SUFFIXES or file.name in {"Makefile", "run"}
        if ours and named and file.is_file():
            yield file


def label(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def code_lines(function: ast.AST, source: list[str]) -> int:
    """Lines of a function without blank lines, comments and its docstring."""
    assert isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
    body = function.body
    first = body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        body = body[1:]
    lines: set[int] = set()
    for statement in body:
        lines.update(range(statement.lineno, (statement.end_lineno or 0) + 1))
    return sum(1 for n in lines if source[n - 1].strip() and source[n - 1].strip()[0] != "#")


@pytest.mark.parametrize("folder", sorted({file.parent for file in python_files()}), ids=label)
def test_sizes(folder: Path) -> None:
    """Files and functions stay small enough to read."""
    for file in folder.glob("*.py"):
        source = file.read_text(encoding="utf-8").splitlines()
        assert len(source) <= FILE_LINES, label(file)
        for node in ast.walk(ast.parse("\n".join(source))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert code_lines(node, source) <= FUNCTION_CODE_LINES, (label(file), node.name)


def test_folders_are_small() -> None:
    """A folder of the package, without those in it, can be read as a list."""
    for folder in {file.parent for file in (ROOT / "cortenforge").rglob("*.py")}:
        assert len(list(folder.glob("*.py"))) <= FILES_OF_A_FOLDER, label(folder)


def private_names(*owners: object) -> set[str]:
    """Attributes of objects, and of their classes, that begin with one underscore."""
    return {name for owner in owners for name in dir(owner) if re.match(r"_(?!_)", name)}


def test_private_attributes_stay_private() -> None:
    """Those of Model, Data and BatchSim are used in model/ and batch/; others have `internals`."""
    import cortenforge

    model = cortenforge.Model.from_mjcf("<mujoco/>")
    private = private_names(model, model.make_data(), cortenforge.BatchSim(model, 1))
    assert {"_store", "_gate", "_parameters", "_rows", "_crew"} <= private
    for file in sorted((ROOT / "cortenforge").rglob("*.py")):
        package = file.relative_to(ROOT / "cortenforge").parts[0]
        if package in ("model", "batch"):
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) not in ("self", "cls"):
                # derivatives use no private attribute of anything, nor what is behind it
                hidden = node.attr in private
                hidden |= package == "derive" and bool(re.match(r"_(?!_)|__dict__", node.attr))
                assert not hidden, f"{label(file)}, line {node.lineno}: {ast.unparse(node)}"


def test_names_say_something() -> None:
    """No module or folder is a drawer for what has no place."""
    for file in python_files():
        parts = {Path(part).stem for part in file.relative_to(ROOT).parts}
        assert not parts & NAMES_THAT_SAY_NOTHING, label(file)


def test_no_paths_of_one_machine() -> None:
    """Nothing in the repository works, or makes sense, on one machine only."""
    for file in text_files():
        if any(label(file).startswith(exempt) for exempt in ABOUT_PATHS):
            continue
        found = MACHINE_PATH.findall(file.read_text(encoding="utf-8"))
        assert not found, f"{label(file)}: {found}"


def test_versions_agree() -> None:
    """pyproject.toml, the package and the changelog name one version."""
    import cortenforge

    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert cortenforge.__version__ == version
    newest = re.search(r"^## \[(\d[^\]]*)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert newest and newest[1] == version


def test_import_is_light() -> None:
    """Importing the package loads nothing that only some users need."""
    code = (
        "import cortenforge, sys\n"
        "heavy = {'viser', 'mujoco', 'matplotlib', 'trimesh', 'PIL', 'wgpu', 'typer', 'rich'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


def test_oracle_stays_in_compare() -> None:
    """Only the comparison may import MuJoCo; the engine runs without it."""
    for file in (ROOT / "cortenforge").rglob("*.py"):
        if "compare" in file.relative_to(ROOT).parts:
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            assert not any(name.split(".")[0] == "mujoco" for name in names), label(file)


def test_markdown_links_lead_somewhere() -> None:
    """Each relative link of the README and the docs names a file that exists."""
    for page in [ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{label(page)} -> {target}"


def test_source_files_named_in_the_docs_exist() -> None:
    """A file in backticks, by its name alone or with folders."""
    files = [*python_files(), *ROOT.glob("*.py")]
    found = "".join(f"/{label(file)}\n" for file in files)
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for name in re.findall(r"`([\w/]+\.py)\b[^`]*`", page.read_text(encoding="utf-8")):
            assert f"/{name}\n" in found, f"{label(page)} names {name}"


def test_kernels_shown_in_the_docs_are_real() -> None:
    """A kernel printed in the README or the docs is in the sources, letter for letter."""
    sources = "\n".join(
        file.read_text(encoding="utf-8") for file in (ROOT / "cortenforge").rglob("*.py")
    )
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    blocks = [
        block
        for page in pages
        for block in re.findall(r"```python\n(@kernel.*?)```", page.read_text(), re.DOTALL)
    ]
    assert blocks
    for block in blocks:
        assert block.strip() in sources, block.splitlines()[1]


@pytest.mark.parametrize(
    "script",
    [
        "build_tables.py",
        "build_fields.py",
        "build_from_mujoco.py",
        "build_mujoco.py",
        "build_materials.py",
        "build_mjcf.py",
        "build_actuators.py",
        "build_sensors.py",
        "build_targets.py",
        "build_corpus.py",
    ],
)
def test_generated_text_is_current(script: str) -> None:
    """Tables and pages that are made from sources and reports are what would be made now."""
    command = [sys.executable, str(ROOT / "docs" / script), "--check"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
