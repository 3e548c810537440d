"""What a case file uses. ``side.py`` runs case files on one side, and ``__main__.py`` compares the two sides.

A case is a function without arguments. It makes something of the package and hands it to `check`, or records values of its own::

    from suite import case, check, record

    @case
    def bert():
        from paddlenlp.transformers import BertConfig, BertModel

        check(BertModel(BertConfig(hidden_size=8)), [ids])  # arrays become tensors
        record("loss", lambda: [loss(bert)])  # any arrays, numbers or strings

The same file runs with real Paddle and with this package under the name ``paddle``. `check` fills the parameters with the same
numbers on both sides, and records stage by stage: results, gradients of a training step, the same of the static function, and what
a model gives that was saved and loaded.
"""

from __future__ import annotations

import collections
import collections.abc
import importlib.abc
import importlib.machinery
import os
import sys
import time
import traceback
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import paddle

DYNAMIC = bool(os.environ.get("DYNAMIC"))  # leaves out static stages, of which Paddle's take most of the time
CASES: dict[str, Callable[[], object]] = {}
STAND_INS: set[str] = set()
MISSING: set[str] = set()  # of the stand-ins those that were imported


class Record:
    """The stages of the case that runs, and the folder in which their numbers are."""

    name = ""
    folder = ""
    stages: dict[str, dict[str, Any]] = {}
    double = bool(os.environ.get("F64"))


def case(function: Callable[[], object], name: str = "") -> Callable[[], object]:
    """Register a case, by the name of the function or another one."""
    CASES[name or function.__name__] = function
    return function


def in_double(yes: bool = True) -> None:
    """Compute in double from now on: what differs then is no rounding, which deep networks amplify to some per cent."""
    Record.double = yes
    paddle.set_default_dtype("float64" if yes else "float32")


# ---- what old packages ask of their surroundings ----


def older_python() -> None:
    """Names that Python 3.10 took from `collections` and NumPy 1.24 from itself: packages of 2022 use them, on either side."""
    for name in ("Iterable", "Mapping", "Sequence", "Callable", "MutableMapping", "Hashable"):
        setattr(collections, name, getattr(collections.abc, name))
    for name, kind in {
        "float": float,
        "int": int,
        "bool": bool,
        "object": object,
        "str": str,
        "complex": complex,
    }.items():
        setattr(np, name, kind)


class _Any(type):
    """So that a class has any attribute, too."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything


class Anything(metaclass=_Any):
    """Takes any call and has any attribute, as its class does."""

    def __init__(self, *args: object, **kwargs: object) -> None: ...

    def __call__(self, *args: object, **kwargs: object) -> Any:
        return self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self


class _StandIns(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds empty modules for the names in `STAND_INS`: one finder those of third parties, one modules that Paddle had once."""

    def __init__(self, parts: int) -> None:
        self.parts = parts  # of the names that this one finds

    def find_spec(self, name: str, path: object = None, target: object = None) -> importlib.machinery.ModuleSpec | None:
        whole = ".".join(name.split(".")[: self.parts])
        found = whole in STAND_INS and whole.count(".") == self.parts - 1
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if found else None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        MISSING.add(".".join(spec.name.split(".")[: self.parts]))
        module = types.ModuleType(spec.name)
        module.__path__ = []

        def attribute(name: str) -> type:
            if name.startswith("__"):
                raise AttributeError(name)
            return type(name, (Anything,), {})

        vars(module)["__getattr__"] = attribute
        return module

    def exec_module(self, module: types.ModuleType) -> None: ...


sys.meta_path.append(_StandIns(1))  # last: what is installed is used
sys.meta_path.insert(0, _StandIns(2))  # first: neither side says of `paddle.fluid` that it is gone


def stand_ins(names: str) -> None:
    """Modules of third parties (names with spaces between) that are empty where they are not installed. The table says which."""
    STAND_INS.update(names.split())


# ---- values ----


def leaves(value: Any) -> list[Any]:
    """The tensors of a nested value, in order."""
    if isinstance(value, paddle.Tensor):
        return [value]
    if isinstance(value, dict):
        return [leaf for part in value.values() for leaf in leaves(part)]
    if isinstance(value, (list, tuple)):
        return [leaf for part in value for leaf in leaves(part)]
    return leaves(value.to_tuple()) if hasattr(value, "to_tuple") else []


def tensors(value: Any) -> Any:
    """A nested value with tensors for its arrays; doubles for floats when all is done in double."""
    if isinstance(value, np.ndarray):
        return paddle.to_tensor(value.astype("float64") if Record.double and value.dtype == np.float32 else value)
    if isinstance(value, dict):
        return {name: tensors(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(tensors(part) for part in value)
    return value


def arrays(value: Any) -> list[np.ndarray]:
    """The arrays of the tensors of a value."""
    return [
        np.asarray((leaf.astype("float32") if "bfloat16" in str(leaf.dtype) else leaf).detach().numpy())
        for leaf in leaves(value)
    ]


def fill(net: Any, scale: float = 0.1) -> None:
    """The same numbers on both sides, by order and shape. What batch norms divide by stays positive."""
    for index, (name, parameter) in enumerate(net.named_parameters()):
        if parameter.dtype not in (paddle.float32, paddle.float64):
            continue
        values = np.random.RandomState(index).standard_normal(parameter.shape) * scale
        if name.endswith("_variance"):
            values = np.abs(values) + 0.5
        elif len(parameter.shape) == 1 and index % 2 == 0:
            values = values + 1.0
        parameter.set_value(values.astype(str(parameter.dtype).split(".")[-1]))
    for layer in net.sublayers(include_self=True):
        variance = getattr(layer, "_variance", None)
        if variance is not None:
            variance.set_value(np.abs(variance.numpy()) + 0.5)


def loss_of(value: Any) -> Any:
    """One number that everything in a result has its part in."""
    parts = [leaf for leaf in leaves(value) if "float" in str(leaf.dtype) and not leaf.stop_gradient]
    return sum(
        (leaf.astype("float64" if Record.double else "float32") * (0.5 + index)).mean()
        for index, leaf in enumerate(parts)
    )


def gradients(net: Any) -> list[np.ndarray]:
    """The gradients of all parameters, which are cleared."""
    found = [parameter.grad.numpy() for _, parameter in net.named_parameters() if parameter.grad is not None]
    for parameter in net.parameters():
        parameter.clear_gradient()
    return found


# ---- stages ----


def stage(name: str, compute: Callable[[], list[Any]]) -> bool:
    """Record the arrays that ``compute`` returns, or the error that it raises. True when there was none."""
    start = time.perf_counter()
    try:
        found = [np.asarray(value) for value in compute()]
        file = f"{Record.name}-{len(Record.stages)}.npz"
        np.savez(os.path.join(Record.folder, file), *found)
        Record.stages[name] = {"file": file, "count": len(found)}
    except Exception as error:
        Record.stages[name] = {"error": described(error)}
    Record.stages[name]["seconds"] = round(time.perf_counter() - start, 3)
    return "error" not in Record.stages[name]


def described(error: BaseException) -> str:
    """An error in one line: its first and last lines, and the file where it was raised."""
    said = [line.strip() for line in str(error).strip().splitlines() if line.strip()]
    frames = traceback.extract_tb(error.__traceback__)[-1:]
    at = "".join(f" @ {os.sep.join(frame.filename.split(os.sep)[-2:])}:{frame.lineno}" for frame in frames)
    return f"{type(error).__name__}: {' | '.join(said[:3] + said[-2:] if len(said) > 5 else said)}"[:600] + at


def record(name: str, value: Any) -> bool:
    """Record tensors, arrays, numbers or strings: a list of them, made by a function, or one."""

    def compute() -> list[Any]:
        found = value() if callable(value) else [value]
        return [part.detach().numpy() if isinstance(part, paddle.Tensor) else part for part in found]

    return stage(name, compute)


def check(
    net: Any,
    args: list[Any],
    kwargs: dict[str, Any] | None = None,
    *,
    spec: list[Any] | None = None,
    train: bool = True,
    save: bool = True,
    static: bool = True,
    scale: float = 0.1,
    fresh: Callable[[], Any] | None = None,
) -> None:
    """Record the stages of a Layer on some arguments.

    spec: what it is saved for; fixed shapes of the arguments without. train, static, save: leave out what a Layer can't do.
    scale: of the numbers in its parameters. fresh: makes another Layer for the static stages, where the first one remembers things.
    """
    kwargs = kwargs or {}

    first: dict[str, np.ndarray] = {}  # what it holds before anything has run: power iterations and statistics move

    def prepared(layer: Any) -> Any:
        fill(layer, scale)
        layer.eval()
        for name, value in layer.state_dict().items():
            if name in first:
                value.set_value(first[name])
            else:
                first[name] = value.numpy()
        paddle.seed(1)
        np.random.seed(1)
        return layer

    def results(layer: Any) -> list[np.ndarray]:
        with paddle.no_grad():
            return arrays(layer(*tensors(args), **tensors(kwargs)))

    def trained(layer: Any) -> list[np.ndarray]:
        layer.train()
        dropouts = {
            part: part.p for part in layer.sublayers() if "Dropout" in type(part).__name__ and hasattr(part, "p")
        }
        for part in dropouts:
            part.p = 0.0
        loss_of(layer(*tensors(args), **tensors(kwargs))).backward()
        layer.eval()
        for part, p in dropouts.items():
            part.p = p
        return gradients(layer)

    prepared(net)
    runs = stage("dynamic", lambda: results(net))
    if runs and train:
        stage("gradients", lambda: trained(net))
    if not runs or not static or DYNAMIC:
        return
    net = prepared(fresh() if fresh else net)
    made: list[Any] = []

    def static_results() -> list[np.ndarray]:
        made.append(paddle.jit.to_static(net))
        return results(made[0])

    if stage("static", static_results) and train:
        stage("static gradients", lambda: trained(made[0]))
    if not save or not made:
        return
    net = prepared(fresh() if fresh else net)
    path = os.path.join(Record.folder, f"{Record.name}-model")
    double = "float64" if Record.double else "float32"
    shapes = [
        paddle.static.InputSpec(list(array.shape), double if array.dtype == np.float32 else str(array.dtype))
        for array in args
        if isinstance(array, np.ndarray)
    ]

    def saved() -> list[Any]:
        paddle.jit.save(net if fresh else made[0], path, input_spec=spec or shapes)
        return []

    if stage("save", saved):
        stage("loaded", lambda: arrays(paddle.jit.load(path)(*leaves(tensors(args)), *leaves(tensors(kwargs)))))


def net(
    name: str,
    make: Callable[[], Any],
    args: list[Any],
    kwargs: dict[str, Any] | None = None,
    *,
    single: bool = False,
    **options: Any,
) -> None:
    """Register a case that makes a Layer and checks it. single: in single precision also where the other cases are in double."""

    def checked() -> None:
        if single:
            in_double(False)
        check(make(), args, kwargs, **options)

    case(checked, name)


def image(*shape: int, seed: int = 0) -> np.ndarray:
    """Numbers of a normal distribution in float32."""
    return np.random.RandomState(seed).standard_normal(shape).astype("float32")
