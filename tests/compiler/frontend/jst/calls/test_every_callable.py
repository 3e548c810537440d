"""Whatever can be called gets through `call`, or is refused with the user's line: no callable is asked what it does not have."""

import collections
import contextlib
import datetime
import functools
import importlib
import random
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from to_static.compiler.frontend.jst.operators import call
from to_static.compiler.frontend.tracing.graph_break import GraphBreak
from to_static.compiler.frontend.tracing.trace_context import TraceContext
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.core import callables
from to_static.core.errors import TranslationError

MODULES = (
    "numpy numpy.random numpy.linalg numpy.fft numpy.ma random _random math cmath operator itertools functools collections "
    "builtins statistics string re json copy pickle struct array bisect heapq os os.path sys time datetime decimal fractions queue "
    "logging warnings io contextlib inspect types typing enum weakref gc abc uuid secrets hashlib zlib base64 csv shutil pathlib "
    "threading"
)
ELSEWHERE = ["PIL.ImageOps", "scipy.special"]  # where somebody has them
OBJECTS = {
    "array": np.arange(3), "generator": np.random.default_rng(0), "old generator": np.random.RandomState(0),
    "bits": np.random.PCG64(3), "python's generator": random.Random(1), "system's generator": random.SystemRandom(),
    "date": datetime.datetime(2020, 1, 1), "list": [1], "dict": {}, "set": {1}, "tuple": (1,), "text": "a", "bytes": b"a",
    "bytearray": bytearray(b"a"), "pattern": re.compile("a"), "deque": collections.deque(),
    "counter": collections.Counter(), "int": 3, "float": 1.5, "view": memoryview(b"a"),
    "vectorized": np.vectorize(abs), "dtype": np.dtype("int32"), "masked": np.ma.array([1]), "iterator": iter([1]),
}  # fmt: skip


def members(owner: Any, name: str) -> Iterator[tuple[str, Any]]:
    for key in dir(owner):
        with contextlib.suppress(Exception):
            value = getattr(owner, key)
            if callable(value):
                yield f"{name}.{key}", value


def of_module(name: str) -> Iterator[tuple[str, Any]]:
    for label, value in members(importlib.import_module(name), name):
        yield label, value
        yield f"partial({label})", functools.partial(value)
        if isinstance(value, type):
            yield from members(value, label)


def failures(every: Iterator[tuple[str, Any]], refusals: tuple[type[BaseException], ...] = (GraphBreak,)) -> list[str]:
    found = []
    for label, value in every:
        for building in (True, False):
            builder = Builder()
            builder.session = TraceContext(builder, for_file=len(label) % 2 == 0)
            try:
                with mode.use(builder) if building else contextlib.nullcontext():
                    assert callable(call(value))
            except refusals:
                pass
            except Exception as error:
                found.append(f"{label}, a {type(value).__name__}: {type(error).__name__}: {error}")
    return found


@pytest.mark.parametrize("module", MODULES.split())
def test_of_a_module(module: str) -> None:
    assert not failures(of_module(module))


@pytest.mark.parametrize("kind", OBJECTS)
def test_of_an_object(kind: str) -> None:
    assert not failures(members(OBJECTS[kind], kind))


@pytest.mark.parametrize("module", ELSEWHERE)
def test_of_other_libraries(module: str) -> None:
    pytest.importorskip(module)
    assert not failures(of_module(module), (GraphBreak, TranslationError))


class Bare:
    """A callable of which nothing can be asked."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __call__(self) -> None:
        pass


def test_a_callable_tells_what_it_can() -> None:
    items = [1]
    assert (callables.owner(items.append), callables.name(items.append)) == (items, "append")
    assert callables.owner(list) is callables.owner(lambda: 0) is callables.owner(functools.partial(print)) is None
    assert callables.module(np.random.seed).startswith("numpy.random")
    assert callables.module(random.random) == callables.module(random.Random(3).getrandbits) == "random"
    assert callables.name(functools.partial(print)) == "partial"
    assert (callables.owner(Bare()), callables.name(Bare()), callables.full_name(Bare())) == (None, "Bare", "Bare")
