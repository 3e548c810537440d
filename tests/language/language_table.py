"""The table of constructs: cases that run dynamically and statically, and how they are compared.

A section is a module ``case_*.py`` whose docstring is the section's title. In it, `case` declares a function and `scenario` a piece
of user code that gets ``to_static``; each gives Python's result by default. Whether it is static, and if not, why, is recorded in
``tests/golden/language.json`` (`record`). `refused` declares a function that has no Program: it is refused where one is asked for,
and gives Python's result by default; the text of the refusal is recorded. `unseen` is a scenario that sees a known difference.
"""

from __future__ import annotations

import collections
import contextlib
import copy
import dataclasses
import enum
import importlib
import inspect
import io
import logging
import pathlib
import random
import re
import sys
import types
import warnings

import numpy as np
from readable import readable

import to_static as paddle
from to_static.compiler.frontend.function.graph_breaks import RecordedBreaks
from to_static.core import flags
from to_static.core.errors import AutogradError, ExecutionError, ToStaticError

HERE = pathlib.Path(__file__).parent
SECTIONS = [
    "conditions", "match", "loops", "generators", "lazy", "containers", "tables", "lists", "iterators", "drawn", "growth",
    "holders", "returns", "rows", "choices", "library", "replaced", "aliases", "identity", "names", "absent", "tensors",
    "calls", "scopes", "tries", "raises", "told", "fails", "thrown", "ended", "leaving", "native", "kinds", "enums", "heaps",
    "unused", "closures", "lacking", "state", "effects", "strings", "texts", "layers", "layer_state", "layer_changes",
    "outside", "indirect", "world", "gradients", "grad_attribute", "shapes", "signatures", "api", "methods", "classes", "hooks",
    "numerics", "structures", "decoding", "vision", "networks", "keeping", "training", "style", "mistakes", "unseen",
]  # fmt: skip


def T(value, dtype="float32", **kwargs):
    return paddle.to_tensor(np.asarray(value, dtype), **kwargs)


POS, NEG = T([1.0, 2.0]), T([-1.0, -2.0])
BOTH = [(POS,), (NEG,)]
COUNTS = [(T(n, "int64"),) for n in (0, 1, 4)]  # zero trips, one, many


@dataclasses.dataclass
class Row:
    section: str
    title: str
    function: object
    calls: list
    kind: str  # 'case', 'refused', 'scenario' or 'unseen'
    error: type = Exception
    instead: str = ""
    note: str = ""

    @property
    def name(self):
        return f"{self.section}-{self.function.__name__}"


ROWS: list[Row] = []
NETWORKS: dict[type, list] = {}  # Layer classes with the argument lists that they are called with


def _declare(function, title, calls, kind, **kwargs):
    section = function.__module__.removeprefix("case_")
    calls = [c if isinstance(c, tuple) else (c,) for c in calls]
    ROWS.append(Row(section, title, function, calls, kind, **kwargs))
    return function


def case(title, *calls, note=""):
    """The function gives the same dynamically and statically for each argument list."""
    return lambda function: _declare(function, title, calls, "case", note=note)


def refused(title, *calls, error=ToStaticError):
    """The function is refused before it runs, with an error that names the place."""
    return lambda function: _declare(function, title, calls, "refused", error=error)


def scenario(title, note=""):
    """``function(to_static)`` returns what can be seen; called with an identity in place of ``to_static`` it returns the same."""
    return lambda function: _declare(function, title, [], "scenario", note=note)


def unseen(title, instead):
    """A `scenario` that differs, as it should not: the table says so, and ``instead`` what to do."""
    return lambda function: _declare(function, title, [], "unseen", instead=instead)


def twice(to_static, function, change):
    """For scenarios: what ``function`` gives before and after ``change()``."""
    run = to_static(function)
    first = run(POS)
    change()
    return first, run(POS)


def network(title, *calls, train=True, saved=True):
    """A Layer class made without arguments behaves alike: in eval and train mode, called twice with each list, and trained.

    `NETWORKS` has it with its calls, if it can be saved.
    """

    def declare(kind):
        arguments = [c if isinstance(c, tuple) else (c,) for c in calls]
        if saved:
            NETWORKS[kind] = arguments

        def used(to_static):
            paddle.seed(3)
            net = kind()
            run, seen = to_static(net), []
            for change in (net.eval, net.train):
                change()
                seen += [run(*fresh(args)) for args in [*arguments, *arguments]]
            step = paddle.optimizer.SGD(0.1, parameters=net.parameters())
            for args in arguments if train else ():
                results = [t for t in floats(run(*fresh(args))) if not t.stop_gradient]
                if results:
                    sum((t**2).mean() for t in results).backward()
                seen.append([p.grad for p in net.parameters()])
                step.step()
                step.clear_grad()
            return seen, list(net.state_dict().values())

        used.__name__, used.__module__ = kind.__name__, kind.__module__
        _declare(used, title, [], "scenario")
        return kind

    return declare


def floats(value):
    """The floating tensors in a structure."""
    if isinstance(value, paddle.Tensor):
        return [value] if value.dtype.is_floating else []
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = vars(value)
    if isinstance(value, dict):
        value = list(value.values())
    return [x for v in value for x in floats(v)] if isinstance(value, (list, tuple)) else []


def rows():
    if not ROWS:
        sys.path.insert(0, str(HERE))
        for section in SECTIONS:
            importlib.import_module(f"case_{section}")
    return ROWS


# comparing -----------------------------------------------------------------------------------------------------------


def picture(value):
    """Everything a caller can see of a value: structure, Python types, dtypes, shapes, numbers."""
    if isinstance(value, paddle.Tensor):
        return "Tensor", value.dtype.name, tuple(value.shape), np.asarray(value.numpy(), "float64").round(4).tolist()
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [picture(v) for v in value]
    if isinstance(value, dict):
        return type(value).__name__, [(picture(k), picture(v)) for k, v in value.items()]
    if type(value) in (set, frozenset):  # in an order that hash seeds and histories don't decide
        return type(value).__name__, sorted(map(repr, map(picture, value)))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = vars(value) if hasattr(value, "__dict__") else {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
        return type(value).__name__, picture(fields)
    if isinstance(value, np.ndarray):
        return "ndarray", value.dtype.name, value.tolist()
    if isinstance(value, (type, enum.Enum)):
        return type(value).__name__, repr(value)
    if type(value).__module__ not in ("builtins", "collections"):
        return type(value).__name__, picture(vars(value)) if hasattr(value, "__dict__") else None
    return type(value).__name__, repr(value)


def fresh(value):
    """A copy of an argument that shares nothing with it."""
    if isinstance(value, paddle.Tensor):
        made = paddle.to_tensor(value.numpy().copy())
        made.stop_gradient = value.stop_gradient
        return made
    if isinstance(value, tuple):
        items = [fresh(v) for v in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if isinstance(value, list):
        return [fresh(v) for v in value]
    if isinstance(value, dict):
        return {k: fresh(v) for k, v in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.replace(value, **{f.name: fresh(getattr(value, f.name)) for f in dataclasses.fields(value)})
    return value if callable(value) or isinstance(value, paddle.nn.Layer) else copy.copy(value)


def outcome(function, args, gradients=False, told=None):
    """What a call does: ('value', result, arguments afterwards, printed text) or ('error', type, message, ...).

    ``gradients``: each floating argument needs one, and which results need one and all of them follow; ('no gradients',) is a
    refusal to give them. ``told``: a list that gets the warnings.
    """
    args = fresh(args)
    kwargs = args[-1].kwargs if args and isinstance(args[-1], Keywords) else {}
    positional = args[:-1] if kwargs else args
    inputs = floats([*positional, kwargs]) if gradients else []
    for x in inputs:
        x.stop_gradient = False
    printed = io.StringIO()
    random.seed(7)
    paddle.seed(7)
    paddle.set_default_dtype("float32")
    with contextlib.redirect_stdout(printed), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        logging.disable(logging.CRITICAL)
        try:
            result = function(*positional, **kwargs)
            if inspect.iscoroutine(result):
                result.close()  # which nobody awaits
            seen = "value", picture(result), picture([*positional, kwargs]), printed.getvalue()
            if gradients:
                results = floats(result)
                for x in results:
                    if not x.stop_gradient:
                        x.sum().backward(retain_graph=True)
                seen += [x.stop_gradient for x in results], [picture(x.grad) for x in inputs]
        except Exception as error:
            if gradients and isinstance(error, AutogradError):
                return ("no gradients",)
            kind = next(k for k in type(error).__mro__ if k.__module__ == "builtins")
            if isinstance(error, ExecutionError):  # which is of the class of the operator's error as well
                kind = type(error).__bases__[-1]
            kind = NameError if issubclass(kind, NameError) else kind
            # Python's words for a variable without value differ between its versions
            text = "" if isinstance(error, NameError) else str(error).split("\n")[0]
            return "error", kind.__name__, text, picture(list(positional)), printed.getvalue()
        finally:
            logging.disable(logging.NOTSET)
            if told is not None:
                told += warned
    return seen


class Keywords:
    """Keyword arguments at the end of an argument list."""

    def __init__(self, **kwargs):
        self.kwargs = kwargs

    def __copy__(self):
        return Keywords(**fresh(self.kwargs))


def run(row, gradients=False):
    """Check one row, with ``gradients`` or for values alone; returns what is recorded of it.

    {"static": control operators of its Programs}, {"breaks": why it runs in Python}, {"refused": the message} or
    {"unseen": what to do instead}; "raises" beside them names the errors that its calls end in, dynamically as statically.
    """
    if row.kind == "refused":
        with by_default():  # a Program is asked for
            text = _refusal(row)
        if not hasattr(row.function, "stays_refused"):
            _in_two_worlds(row, gradients=False)
        return {"refused": text}
    return _seen(row) if row.kind in ("scenario", "unseen") else _in_two_worlds(row, gradients)


def _seen(row):
    with by_default() as why:
        wanted = outcome(row.function, (lambda f=None, *a, **k: f if f is not None else (lambda g: g),), told=[])
        got = outcome(row.function, (paddle.jit.to_static,), told=[])
    if row.kind == "unseen":
        assert wanted[0] == got[0] == "value"
        assert wanted[1] != got[1], "this is the same now: make it a scenario"
        return {"unseen": row.instead}
    assert wanted[0] == "value" and wanted[:2] + wanted[3:] == got[:2] + got[3:], f"\n dynamic: {wanted}\n static:  {got}"
    return {"breaks": why[0]} if why else {"static": "the same, seen from outside"}


def _in_two_worlds(row, gradients):
    """Python's function and the static one, which may share what is outside of them; if it differs, each in a world of its own."""
    try:
        return _compared(row, row.function, row.function, gradients)
    except AssertionError:
        return _compared(row, anew(row), anew(row), gradients)


def _compared(row, dynamic, function, gradients):
    raised: set[str] = set()
    with by_default() as why:
        static, lacking = paddle.jit.to_static(function), False
        for args in [*row.calls, row.calls[0]]:
            wanted, got = (outcome(f, args, gradients, told=[]) for f in (dynamic, static))
            words = f"called with {args}\n dynamic: {wanted}\n static:  {got}\n{why}"
            if gradients and (wanted[0] != "value" or got[0] == "no gradients"):
                assert got[0] in (wanted[0], "no gradients"), words
                lacking = True
            else:
                assert _steady(got[:4]) == _steady(wanted[:4]), words
                assert got[4:] == wanted[4:], words  # where -0.0 is 0.0
            if wanted[0] == "error":
                raised.add(wanted[1])
    if lacking or (gradients and not static.program_cache):  # what has no gradient in a Program ran in Python
        return _compared(row, dynamic, function, gradients=False)
    result = {"breaks": why[0]} if why else {"static": becomes(static)}
    return result | ({"raises": ", ".join(sorted(raised))} if raised else {})


def _steady(seen):
    """As text, without the addresses of objects."""
    return re.sub(r" at 0x\w+", "", repr(seen))


def becomes(static):
    names = collections.Counter()
    for concrete in static.program_cache.values():
        names.update({op.name for op in concrete.main_program.block.walk()})
    found = [f"`{n}`" for n in sorted(names) if n in ("cond", "while_loop", "assert", "print") or n.startswith("list_")]
    return ", ".join(found) or "no control operator"


def anew(row):
    """The function of a row from a module of its own: what it changes outside of itself starts as it was."""
    known = len(ROWS), dict(NETWORKS)
    made = types.ModuleType(row.function.__module__)
    made.__file__ = row.function.__globals__["__file__"]
    paddle.seed(7)
    random.seed(7)
    exec(compile(pathlib.Path(made.__file__).read_text(), made.__file__, "exec"), vars(made))
    del ROWS[known[0] :]
    NETWORKS.clear()
    NETWORKS.update(known[1])
    return getattr(made, row.function.__name__)


@contextlib.contextmanager
def by_default():
    """Static functions as users have them: what has no Program runs in Python. Gives the list of the reasons, as they come."""
    old_value, flags.full_graph.value = flags.full_graph.value, False
    why = []

    def add(breaks, key, found, programs):
        why.append(_anywhere(f"{found.reason}; rewrite: {found.rewrite}" if found.rewrite else found.reason))
        return Breaks_add(breaks, key, found, programs)

    Breaks_add, RecordedBreaks.add = RecordedBreaks.add, add
    try:
        yield why
    finally:
        flags.full_graph.value, RecordedBreaks.add = old_value, Breaks_add


def _refusal(row):
    """The text of the refusal of the last call."""
    for args in row.calls:
        static = paddle.jit.to_static(row.function)
        printed, given = io.StringIO(), fresh(args)
        try:
            with contextlib.redirect_stdout(printed):
                static.get_concrete_program(*given)
        except Exception as error:
            text = str(error)
            assert isinstance(error, row.error), f"{type(error)}: {text}"
            assert isinstance(error, ToStaticError), f"{type(error)}: {text}"
            place = [line.strip() for line in text.split("\n") if line.startswith("  File ")]
            assert len(place) == 1 and re.match(r'File ".*", line \d+', place[0]), text
            readable(text)
            assert not printed.getvalue()
            assert repr(picture(given)) == repr(picture(args)), "the arguments were changed"
        else:
            raise AssertionError("this was not refused; if it works now, make it a case")
    return _anywhere(text)


def _anywhere(message):
    """A message without what depends on where the case stands: its folder, and how many lines are above it."""
    message = re.sub(r"(generated_tensor)_\d+", r"\1", message)
    message = re.sub(r" at 0x\w+", "", re.sub(r'File "(?!<).*/(\w+\.py)"', r'File "\1"', message))
    first = re.search(r"\n(?:-->|   ) +(\d+) \|", message)
    less = int(first[1]) - 1 if first else 0
    message = re.sub(r"(\n(?:-->|   )) +(\d+) \|", lambda m: f"{m[1]} {int(m[2]) - less:4d} |", message)
    return re.sub(r"\b(lines?) (\d+)", lambda m: f"{m[1]} {int(m[2]) - less}", message) if less else message
