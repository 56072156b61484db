"""Units are compiled in processes that end; one that fails costs nothing but its help."""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from conformance import memory
from cortenforge.errors import CompilationError
from cortenforge.kernel.load import cache, worker, workers
from cortenforge.kernel.load.workers import compile_units

UNITS = 4
MODULE = """
from cortenforge.kernel import kernel
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.load.link import Linker


def linker():
    sizes = StructLayout("WorkSizes", [("n", "size", (), True)], constant=True)
    desk = StructLayout("WorkDesk", [("x", "real", (), False)], constant=False)
    made = Linker(sizes, desk)
    made.home = "work_of_test:linker"
    return made
"""
UNIT = """

@kernel(unit=True)
def unit{0}(m, d):
    d.x[0] = {0}.0
"""
READY = "print('ready', flush=True); key = input().split()[2]; "
WORKERS = {
    "dies_at_work": READY + "raise SystemExit(1)",
    "dies_before_work": "raise SystemExit(1)",
    "says_another_key": READY + "print('else', 0, 'more', flush=True); input()",
    "says_nothing_known": READY + "print('what?', flush=True); input()",
    "says_no_size": READY + "print(key, 'some', 'more', flush=True); input()",
    "makes_nothing": READY + "\nwhile True: print(key, 0, 'more'); key = input().split()[2]",
    "makes_no_code": READY + "print(key, 6, 'more\\nno code', flush=True, end=''); input()",
    "stops_in_between": READY + "print(key, 1000, 'more\\nthe start', flush=True)",
}
#: the worker, but it has grown with its first unit
LARGE = "from cortenforge.kernel.load import worker; worker.LARGEST = 1; worker.main()"
needs_proc = pytest.mark.skipif(
    not os.path.exists("/proc/self/statm"), reason="needs Linux's /proc"
)
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that forks")


@pytest.fixture
def work(tmp_path, monkeypatch):
    """A linker and its units, an empty cache, and a record of what is compiled here."""
    text = MODULE + "".join(UNIT.format(i) for i in range(UNITS))
    (tmp_path / "work_of_test.py").write_text(text)
    for name, line in (WORKERS | {"large": LARGE}).items():
        (tmp_path / f"{name}.py").write_text(line)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("CORTENFORGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(workers, "usable_cores", lambda: 2)
    module = importlib.import_module("work_of_test")
    linker, here = module.linker(), []
    compile_here = linker.compile_here

    def recorded(unit):
        here.append(unit.name)
        return compile_here(unit)

    monkeypatch.setattr(linker, "compile_here", recorded)
    yield linker, [getattr(module, f"unit{i}") for i in range(UNITS)], here
    del sys.modules["work_of_test"]
    workers.end_workers()


def check_all(made, linker, units):
    """Every unit is there, and is what the cache holds."""
    assert set(made) == {unit.name for unit in units}
    assert all(made[unit.name] == linker.kept(unit) for unit in units)


def processes():
    """Ids of this process's workers."""
    return set(workers.worker_ids())


def test_workers_do_all(work):
    """Nothing is compiled here, so nothing of the compiler stays here."""
    linker, units, here = work
    check_all(compile_units(units, linker, progress=False), linker, units)
    assert here == []
    assert len(processes()) == 2, "a worker for some units each, and no more than there are cores"


def test_workers_wait_for_more(work):
    """Who compiles again soon does not start a process again."""
    linker, units, here = work
    compile_units(units[:1], linker, progress=False)
    first = processes()
    compile_units(units[1:2], linker, progress=False)
    assert processes() == first and here == []


def test_workers_do_not_wait_for_ever(work, monkeypatch):
    """A worker that is asked nothing ends by itself, and the next unit has another one."""
    linker, units, here = work
    monkeypatch.setattr(workers, "IDLE_SECONDS", 0.05)
    compile_units(units[:1], linker, progress=False)
    (first,) = workers._alive
    assert first.process.wait(60) == 0
    compile_units(units[1:2], linker, progress=False)
    assert first not in workers._alive and here == []


def test_a_worker_that_has_grown_is_replaced(work, monkeypatch):
    """It ends after its unit; all units are compiled, none here."""
    linker, units, here = work
    monkeypatch.setattr(workers, "WORKER", "large")
    started = []
    popen = subprocess.Popen
    monkeypatch.setattr(
        workers.subprocess, "Popen", lambda *a, **k: started.append(a) or popen(*a, **k)
    )
    check_all(compile_units(units[:2], linker, progress=False), linker, units[:2])
    assert here == [] and len(started) == 2
    assert processes() == set()


def test_a_worker_killed_while_it_waits_is_replaced(work):
    """Nobody notices."""
    linker, units, here = work
    compile_units(units[:1], linker, progress=False)
    (first,) = workers._alive
    first.process.kill()
    first.process.wait()
    check_all(compile_units(units[1:], linker, progress=False), linker, units[1:])
    assert here == []


def test_another_cache_has_other_workers(work, tmp_path, monkeypatch):
    """A worker that waits writes where it was told when it started."""
    linker, units, _ = work
    compile_units(units[:1], linker, progress=False)
    monkeypatch.setenv("CORTENFORGE_CACHE", str(tmp_path / "other"))
    check_all(compile_units(units[:1], linker, progress=False), linker, units[:1])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", [*WORKERS, "no_such_module"])
def test_worker_that_fails_is_replaced(work, name, monkeypatch):
    """A worker that dies, or does not do what it says, leaves its units to this process."""
    linker, units, here = work
    monkeypatch.setattr(workers, "WORKER", name)
    check_all(compile_units(units, linker, progress=False), linker, units)
    assert sorted(here) == sorted(unit.name for unit in units)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("python", ["", "/no/such/python"])
def test_worker_that_cannot_start_is_replaced(work, python, monkeypatch):
    """A program that does not know its interpreter compiles everything itself."""
    linker, units, here = work
    monkeypatch.setattr(sys, "executable", python)
    check_all(compile_units(units, linker, progress=False), linker, units)
    assert sorted(here) == sorted(unit.name for unit in units)


def test_a_packed_program_starts_nothing(work, monkeypatch):
    """There `sys.executable` is the program, which would be run again."""
    linker, units, here = work
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(workers, "Worker", lambda: pytest.fail("a process was started"))
    check_all(compile_units(units, linker, progress=False), linker, units)
    assert sorted(here) == sorted(unit.name for unit in units)


def test_a_program_that_ends_compiles_here(work, monkeypatch):
    """Its last thread can start no other."""
    linker, units, here = work

    def refused(thread):
        raise RuntimeError("can't create new thread at interpreter shutdown")

    monkeypatch.setattr(threading.Thread, "start", refused)
    check_all(compile_units(units, linker, progress=False), linker, units)
    assert sorted(here) == sorted(unit.name for unit in units)


def test_what_never_answers_is_ended(work, tmp_path, monkeypatch):
    """An interpreter may be anything."""
    linker, units, here = work
    (tmp_path / "silent.py").write_text("input()")
    monkeypatch.setattr(workers, "WORKER", "silent")
    monkeypatch.setattr(workers, "START_SECONDS", 0.2)
    compile_units(units[:1], linker, progress=False)
    assert here == [units[0].name]


def test_a_unit_that_was_edited_is_not_taken(work, tmp_path):
    """A worker that reads another text than this process has makes another unit."""
    linker, units, here = work
    module = tmp_path / "work_of_test.py"
    module.write_text(module.read_text().replace("d.x[0] = 1.0", "d.x[0] = 5.0"))
    check_all(compile_units(units[:2], linker, progress=False), linker, units[:2])
    assert here == [units[1].name]


@pytest.mark.usefixtures("work")
def test_an_error_is_raised_here(tmp_path):
    """What does not compile is a typed error with the kernel's name, not the end of a worker."""
    (tmp_path / "wrong_of_test.py").write_text(
        MODULE.replace("work_of_test", "wrong_of_test")
        + "\n\n@kernel(unit=True)\ndef wrong(m, d):\n    d.x[0] = d.y[0]\n"
    )
    try:
        module = importlib.import_module("wrong_of_test")
        with pytest.raises(CompilationError, match="wrong"):
            compile_units([module.wrong], module.linker(), progress=False)
    finally:
        sys.modules.pop("wrong_of_test", None)


def test_without_a_cache_workers_still_answer(work, tmp_path, monkeypatch):
    """Object files come through a pipe; that they are not kept, the user is told."""
    linker, units, here = work
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("CORTENFORGE_CACHE", str(tmp_path / "file" / "cache"))
    cache.warn_once.cache_clear()
    with pytest.warns(RuntimeWarning, match="set CORTENFORGE_CACHE"):
        made = compile_units(units[:2], linker, progress=False)
    assert set(made) == {unit.name for unit in units[:2]} and here == []


HOLDER = """
import sys
from cortenforge.kernel.load.cache import claimed_for_making
with claimed_for_making("0123456789abcdef"):
    print("claimed", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(work):
    """Another process that has claimed a key."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
    ) as process:
        assert process.stdout.readline() == b"claimed\n"
        yield process
        process.kill()


def claim(key, entered):
    with cache.claimed_for_making(key):
        entered.set()


@needs_fork
def test_others_wait_for_who_makes_a_unit(holder):
    """Of processes that need the same unit one compiles it; if that is killed, the next does."""
    other, entered = threading.Event(), threading.Event()
    claim("f123456789abcdef", other)
    assert other.is_set(), "another unit can be claimed meanwhile"
    waiting = threading.Thread(target=claim, args=("0123456789abcdef", entered), daemon=True)
    waiting.start()
    assert not entered.wait(0.3)
    holder.kill()
    assert entered.wait(30)
    waiting.join()


@needs_fork
@pytest.mark.usefixtures("holder")
def test_nobody_waits_for_ever(monkeypatch):
    """A process that has claimed a unit may be stopped."""
    monkeypatch.setattr(cache, "CLAIM_SECONDS", 0.1)
    entered = threading.Event()
    claim("0123456789abcdef", entered)
    assert entered.is_set()


def run_program(text, tmp_path, **more):
    """A program from standard input, so that its main module cannot be imported; its output."""
    (tmp_path / "work_of_test.py").write_text(
        MODULE + "".join(UNIT.format(i) for i in range(more.pop("units", UNITS)))
    )
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path]),
        "CORTENFORGE_CACHE": str(tmp_path / "cache"),
        **more,
    }
    return subprocess.run(
        [sys.executable, "-W", "error", "-"],
        input=text,
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
    )


START = """
import os, sys, time, signal, threading
import work_of_test
from cortenforge.kernel.load import workers
linker = work_of_test.linker()
units = [getattr(work_of_test, f"unit{i}") for i in range(4)]
"""
FORKED = """
linker.load(units[:1], progress=False)
(mine,) = workers._alive
child = os.fork()
if child == 0:
    assert not workers._alive
    linker.load(units[1:2], progress=False)
    assert mine not in workers._alive and "numba" not in sys.modules
    workers.end_workers()
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
linker.load(units[2:], progress=False)
assert mine in workers._alive and "numba" not in sys.modules
print("done")
"""
DAEMON = """
import multiprocessing
def load(i):
    linker.load(units[i:i+1], progress=False)
    return multiprocessing.current_process().daemon and "numba" not in sys.modules
with multiprocessing.get_context("fork").Pool(2) as pool:
    assert pool.map(load, range(4)) == [True] * 4
print("done")
"""


@needs_fork
@pytest.mark.parametrize("text", [FORKED, DAEMON], ids=["fork", "pool"])
def test_processes_have_workers_of_their_own(tmp_path, text):
    """Forked children do not talk to their parent's; daemons, which may have no children, do."""
    ended = run_program(START + text, tmp_path)
    assert ended.stdout == "done\n", ended.stderr


INTERRUPTED = """
# a shell starts its background jobs with this signal ignored
signal.signal(signal.SIGINT, signal.default_int_handler)
workers.WORKER = "slow"
threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
start = time.monotonic()
try:
    linker.load(units, progress=False)
except KeyboardInterrupt:
    pids = [worker.process.pid for worker in workers._alive]
    print(time.monotonic() - start < 30.0, *pids)
"""


@needs_fork
def test_ctrl_c_ends_at_once(tmp_path):
    """The program goes on while workers are at something; when it ends, they do."""
    (tmp_path / "slow.py").write_text(READY + "import time; time.sleep(60)")
    ended = run_program(START + INTERRUPTED, tmp_path)
    soon, *pids = ended.stdout.split()
    assert soon == "True" and pids, ended.stderr
    for pid in map(int, pids):
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_worker_leaves_ctrl_c_to_the_program(work):
    """A terminal interrupts all processes; a program that goes on finds its workers there."""
    linker, units, here = work
    compile_units(units[:1], linker, progress=False)
    (first,) = workers._alive
    first.process.send_signal(signal.SIGINT)
    time.sleep(0.1)
    compile_units(units[1:2], linker, progress=False)
    assert first in workers._alive and here == []


GROWTH = """
import os
units = [getattr(work_of_test, f"unit{i}") for i in range(48)]
def memory():
    with open("/proc/self/statm") as pages:
        return int(pages.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
for unit in units[:24]:
    linker.load([unit], progress=False)
before = memory()
for unit in units[24:]:
    linker.load([unit], progress=False)
print((memory() - before) // 24, memory(), "numba" in sys.modules)
"""


@needs_proc
def test_a_process_that_compiles_does_not_grow(tmp_path):
    """A unit takes what its code takes, some ten kilobytes; the compiler never gets in."""
    ended = run_program(START + GROWTH, tmp_path, units=48)
    growth, total, numba = ended.stdout.split()
    assert int(growth) < 100_000, ended.stderr
    assert int(total) < 300_000_000
    assert numba == "False"


@needs_proc
def test_the_check_of_memory_sees_everyone(work):
    """`python -m conformance.memory` does this with 300 real units."""
    linker, units, _ = work
    with memory.watched() as peaks:
        assert memory.compile_some([(linker, units)], 3) == 3
        time.sleep(3 * memory.INTERVAL)
    assert set(peaks) == {os.getpid(), *workers.worker_ids()} and len(peaks) == 2
    assert all(5e7 < most < 1e9 for process, most in peaks.items() if process != os.getpid())


@needs_proc
def test_a_worker_knows_its_own_memory():
    """It is that of the process, not the most that this or the one that started it ever took."""
    before = worker.resident_memory()
    block = bytearray(200_000_000)
    block[::4096] = b"x" * len(block[::4096])
    during = worker.resident_memory()
    del block
    assert during - before > 150_000_000
    assert worker.resident_memory() - before < 50_000_000
