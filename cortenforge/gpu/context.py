"""The adapter and device that all GPU batches of a process share."""

from __future__ import annotations

import contextlib
import os
import re
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from weakref import WeakValueDictionary

from cortenforge.batch.threads import BatchThreads
from cortenforge.errors import (
    BufferReadback,
    DeviceLost,
    GpuSimError,
    NotAvailable,
    ShaderCompilation,
)
from cortenforge.model.calls.progress_bar import DelayedProgressBar

#: better adapters first
ADAPTERS = ("DiscreteGPU", "IntegratedGPU", "VirtualGPU", "CPU", "Unknown")
BACKENDS = ("Vulkan", "Metal", "D3D12", "OpenGL")
FORKED = (
    "this process was forked from one that uses the GPU, whose driver does not survive that: start "
    'processes by "spawn" or "forkserver"'
)
#: a part of an adapter's name or backend, for machines with several
CHOICE = "CORTENFORGE_GPU"
#: compiled shaders kept for the next batch, about those of two models; a software driver takes
#: 2 MB for each
KEPT_PIPELINES = 100
#: the optional feature of an adapter by which it measures time
TIMESTAMPS = "timestamp-query"
#: threads that compile shaders
MOST_COMPILERS = 8
RAISED_LIMITS = ("max-storage-buffer-binding-size", "max-buffer-size")


class DeviceLock(BatchThreads):
    """The lock of the device: one call after another, of all batches."""

    def __init__(self) -> None:
        super().__init__(1)
        self._made_in = os.getpid()

    def enter(self) -> Any:
        """The lock; raises NotAvailable in a forked process, whose driver would not answer."""
        if self._made_in != os.getpid():
            raise NotAvailable(FORKED)
        return self.lock


class GpuSimContext:
    """Device, queue, limits and compiled shaders; made once a process.

    >>> GpuSimContext.is_available()
    >>> GpuSimContext.get().adapter_info["device"]
    """

    _made: GpuSimContext | None = None
    #: why there is none
    _reason: str | None = None
    _lock = threading.Lock()
    #: the process that looked for one
    _process: int | None = None

    def __init__(self, wgpu: Any, adapter: Any) -> None:
        limits = {name: adapter.limits[name] for name in RAISED_LIMITS if name in adapter.limits}
        self.wgpu = wgpu
        #: whether the device measures the time of its shaders
        self.has_clock = TIMESTAMPS in adapter.features
        self.device = adapter.request_device_sync(
            required_limits=limits, required_features=[TIMESTAMPS] if self.has_clock else []
        )
        self.queue = self.device.queue
        #: name, vendor, type and backend of the adapter
        self.adapter_info: dict[str, Any] = dict(adapter.info)
        #: what the device allows, by WebGPU's names
        self.limits: dict[str, int] = dict(self.device.limits)
        #: whether the driver ends the loops of a shader after some ten thousand turns
        self.ends_loops = "llvmpipe" in str(adapter.info.get("device", ""))
        self.group_layout, self._pipeline_layout = self._layouts()
        # shaders of batches that are alive, by text; beside them the latest stay, in case the next
        # batch is of the same model
        self._pipelines: WeakValueDictionary[str, Any] = WeakValueDictionary()
        self._latest: deque[Any] = deque(maxlen=KEPT_PIPELINES)
        self.turn = DeviceLock()

    @classmethod
    def get(cls) -> GpuSimContext | None:
        """The context, made at the first call; None if there is no adapter."""
        if cls._is_forked():
            return None
        with cls._lock:
            if cls._made is None and cls._reason is None:
                cls._process = os.getpid()
                cls._make()
            return cls._made

    @classmethod
    def _is_forked(cls) -> bool:
        return cls._process not in (None, os.getpid())

    @classmethod
    def required(cls) -> GpuSimContext:
        """The context; raises NotAvailable, with the reason, if there is no adapter."""
        context = cls.get()
        if context is None:
            reason = FORKED if cls._is_forked() else cls._reason
            raise NotAvailable(f"no GPU to simulate on: {reason}")
        return context

    @classmethod
    def is_available(cls) -> bool:
        """Whether there is an adapter."""
        return cls.get() is not None

    @classmethod
    def forget(cls) -> None:
        """Look for an adapter again at the next call; a lost device does not come back."""
        cls._made, cls._reason = None, None

    @classmethod
    def _make(cls) -> None:
        try:
            import wgpu
        except ImportError as error:
            cls._reason = f"{error}; install it with `pip install cortenforge[gpu]`"
            return
        adapters = sorted(wgpu.gpu.enumerate_adapters_sync(), key=_rank)
        wanted = os.environ.get(CHOICE, "").lower()
        named = [
            a for a in adapters if wanted in f"{a.info['device']} {a.info['backend_type']}".lower()
        ]
        if not named:
            cls._reason = (
                f"no adapter matches {CHOICE}={wanted!r}"
                if adapters
                else "no adapter found; a software one comes with Mesa (mesa-vulkan-drivers)"
            )
            return
        try:
            cls._made = cls(wgpu, named[0])
        except (wgpu.GPUError, RuntimeError) as error:
            cls._reason = f"{named[0].info['device']} gave no device: {error}"

    def _layouts(self) -> tuple[Any, Any]:
        """Every shader has the same five bindings: two Data, two Model buffers, a uniform."""
        kinds = ("storage", "storage", "read-only-storage", "read-only-storage", "uniform")
        entries = [
            {"binding": i, "visibility": self.wgpu.ShaderStage.COMPUTE, "buffer": {"type": kind}}
            for i, kind in enumerate(kinds)
        ]
        group = self.device.create_bind_group_layout(entries=entries)
        return group, self.device.create_pipeline_layout(bind_group_layouts=[group])

    def validate(self, name: str, text: str) -> Any:
        """A shader module; raises ShaderCompilation with the line that is wrong."""
        try:
            return self.device.create_shader_module(label=name, code=text)
        except self.wgpu.GPUError as error:
            raise _compilation_error(name, text, str(error)) from error

    def pipelines(self, named: Sequence[tuple[str, str]]) -> list[Any]:
        """Compiled shaders, given by name and text; a bar shows how far they are.

        The same text is compiled once, as long as it is in use or kept.
        """
        made = {text: self._pipelines.get(text) for _, text in named}
        missing = {text: name for name, text in named if made[text] is None}
        threads = min(MOST_COMPILERS, os.cpu_count() or 1)
        with (
            DelayedProgressBar("Compiling shaders", sum(map(len, missing))) as bar,
            ThreadPoolExecutor(threads) as pool,
        ):
            waiting = [pool.submit(self._compiled, name, text) for text, name in missing.items()]
            try:
                for text, future in zip(missing, waiting, strict=True):
                    made[text] = self._pipelines[text] = future.result()
                    self._latest.append(made[text])
                    self._run_without_worlds(made[text])
                    bar.advance(len(text))
            finally:
                pool.shutdown(cancel_futures=True)
        return [made[text] for _, text in named]

    def _run_without_worlds(self, pipeline: Any) -> None:
        """Run a shader on no world: a software driver compiles it only then."""
        size = {"offset": 0, "size": 16}
        usage = self.wgpu.BufferUsage
        with self.working():
            storage = [
                self.device.create_buffer(size=16, usage=usage.STORAGE | usage.COPY_SRC)
                for _ in range(4)
            ]
            # no worlds
            uniform = self.device.create_buffer(size=16, usage=usage.UNIFORM)
            group = self.device.create_bind_group(
                layout=self.group_layout,
                entries=[
                    {"binding": i, "resource": {"buffer": buffer, **size}}
                    for i, buffer in enumerate([*storage, uniform])
                ],
            )
            encoder = self.device.create_command_encoder()
            work = encoder.begin_compute_pass()
            work.set_bind_group(0, group)
            work.set_pipeline(pipeline)
            work.dispatch_workgroups(1)
            work.end()
            self.queue.submit([encoder.finish()])
        # a read waits for what was submitted before
        self.read(storage[0], 0, 16)

    def _compiled(self, name: str, text: str) -> Any:
        module = self.validate(name, text)
        try:
            return self.device.create_compute_pipeline(
                label=name,
                layout=self._pipeline_layout,
                compute={"module": module, "entry_point": "main"},
            )
        except self.wgpu.GPUError as error:
            raise _compilation_error(name, text, str(error)) from error

    def nanoseconds_a_tick(self) -> float:
        """Unit of the device's timestamps."""
        from wgpu.backends.wgpu_native import lib

        # wgpu-py has no name for it; WebGPU's timestamps would be nanoseconds
        return float(lib.wgpuQueueGetTimestampPeriod(self.queue._internal))

    @contextlib.contextmanager
    def working(self) -> Iterator[None]:
        """Turn what the device raises into this package's errors."""
        try:
            yield
        except self.wgpu.GPUError as error:
            raise self._device_error(error, GpuSimError) from error

    def read(self, buffer: Any, offset: int, size: int) -> memoryview:
        """Bytes of a buffer, once everything submitted before is done."""
        try:
            found: memoryview = self.queue.read_buffer(buffer, offset, size)
        except (self.wgpu.GPUError, RuntimeError) as error:
            raise self._device_error(error, BufferReadback) from error
        return found

    def _device_error(self, error: Exception, otherwise: type[GpuSimError]) -> GpuSimError:
        text = str(error)
        if "lost" in text.lower() or isinstance(error, self.wgpu.GPUOutOfMemoryError):
            GpuSimContext.forget()
            return DeviceLost(f"the device was lost: {text}")
        return otherwise(text)

    def __repr__(self) -> str:
        info = self.adapter_info
        return f"<GpuSimContext {info['device']} ({info['adapter_type']}, {info['backend_type']})>"


def _rank(adapter: Any) -> tuple[int, int]:
    kind, backend = adapter.info["adapter_type"], adapter.info["backend_type"]
    return (
        ADAPTERS.index(kind) if kind in ADAPTERS else len(ADAPTERS),
        BACKENDS.index(backend) if backend in BACKENDS else len(BACKENDS),
    )


def _compilation_error(name: str, text: str, message: str) -> ShaderCompilation:
    place = re.search(r"wgsl:(\d+):\d+", message)
    line = int(place.group(1)) if place else 0
    lines = text.splitlines()
    return ShaderCompilation(name, message, line, lines[line - 1] if 0 < line <= len(lines) else "")
