"""Fill docs/targets.md with the code that one kernel compiles to.

python docs/build_targets.py            write docs/targets.md
python docs/build_targets.py --check    exit 1 if a machine-independent part is out of date

Assembly depends on the processor and on LLVM, so it is written but not checked.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Callable
from pathlib import Path

import llvmlite.binding as llvm

from cortenforge.batch.program import lane_layout
from cortenforge.fields import DATA_LAYOUT, MODEL_LAYOUT
from cortenforge.kernel import Kernel
from cortenforge.kernel.language.fuse import compiled_code
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.math.rotation import rotate
from cortenforge.step.body_forces.momentum import subtree_velocities
from cortenforge.step.engine import ENGINE

PAGE = Path(__file__).with_name("targets.md")
SHOWN = subtree_velocities
#: an addition of reals, of one world or of several, on processors of various makers
ADDITION = re.compile(r"^\s*(v?addsd|v?addpd|fadd)\s", re.MULTILINE)
LABEL = re.compile(r"^(\.?L\w+):", re.MULTILINE)


def source() -> str:
    """The kernel as it is written."""
    return fenced("python", inspect.getsource(SHOWN.function))


def fused() -> str:
    """A line of `rotate`, before and after products are fused."""
    written = _first_assignment(ast.parse(inspect.getsource(rotate.function)))
    return fenced("py", f"{written}\n{_first_assignment(compiled_code(rotate, fuse=True))}")


def _first_assignment(module: ast.Module) -> str:
    (function,) = [node for node in module.body if isinstance(node, ast.FunctionDef)]
    return next(ast.unparse(node) for node in function.body if isinstance(node, ast.Assign))


def one_world() -> str:
    """Assembly of the second loop for a single world."""
    return assembly(DATA_LAYOUT)


def eight_worlds() -> str:
    """Assembly of the second loop for eight worlds."""
    return assembly(lane_layout(ENGINE))


def assembly(data: StructLayout) -> str:
    """The shortest loop with additions; longer ones are unrolled copies of it."""
    from cortenforge.kernel.cpu.compile import Compiler
    from cortenforge.kernel.cpu.targets import host, target_machine

    (module,) = Compiler(MODEL_LAYOUT, data).modules(SHOWN, [host()])
    text = target_machine(host()).emit_assembly(module)
    starts = [found.start() for found in LABEL.finditer(text)]
    blocks = [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]
    loops = [block for block in blocks if _is_adding_loop(block)]
    shortest = min(loops, key=len)
    lines = [line for line in shortest.expandtabs(8).splitlines() if ".p2align" not in line]
    head = f"{'#' if 'x86' in llvm.get_process_triple() else '//'} {llvm.get_host_cpu_name()}"
    return fenced("asm", "\n".join([head, *lines]))


def _is_adding_loop(block: str) -> bool:
    label = LABEL.match(block)
    returns = label is not None and re.search(rf"\s{re.escape(label[1])}\s*$", block) is not None
    return returns and len(ADDITION.findall(block)) >= 3


def shader() -> str:
    """The kernel's function in WGSL, and one of the functions by which it reads a field."""
    text = wgsl(SHOWN)
    parts = [_function(text, name) for name in ("d_subtree_linvel", SHOWN.function.__name__)]
    return fenced("wgsl", "\n\n".join(parts))


def wgsl(kernel: Kernel) -> str:
    """A shader of one kernel for the bundled humanoid."""
    import cortenforge as cf
    from cortenforge.gpu.program import Translation
    from cortenforge.kernel.wgsl import translate
    from cortenforge.models import find

    return translate(
        kernel, Translation(cf.Model.from_mjcf(find("humanoid_floating")), ENGINE, {}).declared
    )


def _function(text: str, name: str) -> str:
    found = re.search(rf"^(//[^\n]*\n)*fn {name}\(.*?^}}", text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise SystemExit(f"the shader has no function {name}")
    return found[0]


def fenced(language: str, text: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```"


#: part of the page -> function that makes it
EVERYWHERE: dict[str, Callable[[], str]] = {"kernel": source, "fused": fused, "wgsl": shader}
HERE: dict[str, Callable[[], str]] = {"scalar": one_world, "lanes": eight_worlds}


def filled(page: str, parts: dict[str, Callable[[], str]]) -> str:
    """The page with each part filled in between its markers."""
    for name, build in parts.items():
        head, tail = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        if page.count(head) != 1 or page.count(tail) != 1:
            raise SystemExit(f"{PAGE.name} needs the markers <!-- {name} --> and {tail} once")
        before, after = page.split(head)[0], page.split(tail)[1]
        page = f"{before}{head}{build()}\n{tail}{after}"
    return page


def main() -> int:
    before = PAGE.read_text(encoding="utf-8")
    if "--check" in sys.argv[1:]:
        stale = before != filled(before, EVERYWHERE)
        if stale:
            print("docs/targets.md is out of date: run python docs/build_targets.py")
        return int(stale)
    PAGE.write_text(filled(before, EVERYWHERE | HERE), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
