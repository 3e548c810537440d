"""The texts of `StaticFunction.explain`: why a call made a new Program, what a Program does, and which values are constants in it.

`inspection.py` puts the texts together. `graph_breaks.py` uses `closest` and `differences` to find out why calls make Programs.
"""

from __future__ import annotations

import types
from collections.abc import Collection
from typing import Any

from to_static.compiler.frontend.function.program.trace_result import TraceResult
from to_static.compiler.frontend.tracing.guards import ABSENT, MISSING, Guards
from to_static.compiler.frontend.tracing.input_places import INPUT, NUMBERS
from to_static.compiler.frontend.tracing.name_usage import collect_names, is_plain, plain_attributes
from to_static.compiler.ir.input_spec import InputSpec
from to_static.compiler.ir.program import Program
from to_static.compiler.ir.spec import TensorSpec
from to_static.core import tree
from to_static.core.diagnostics.bytecode_positions import globals_read
from to_static.core.diagnostics.source_lines import line_in
from to_static.core.importing.skiplist import is_user_module
from to_static.nn.layer import Layer

_REASONS = 4  # the most reasons that a line lists


def closest(key: tuple[Any, ...], program_keys: list[Any]) -> Any:
    """Return the one of ``program_keys`` with the least difference to ``key``; None if there are none."""
    return min(program_keys, key=lambda known_key: _distance(key, known_key), default=None)


def _distance(key: tuple[Any, ...], known_key: tuple[Any, ...]) -> int:
    """Return how different two keys are: another structure counts most, another size of a tensor least."""
    if key[0] != known_key[0]:
        return 1000
    total = 10 * sum(mine != theirs for mine, theirs in zip(key[2:], known_key[2:], strict=True))
    for mine, theirs in zip(key[1], known_key[1], strict=False):  # (one may have more, from outside)
        a, b = (leaf[0] if isinstance(leaf, tuple) and len(leaf) == 2 else None for leaf in (mine, theirs))
        if isinstance(a, TensorSpec) and isinstance(b, TensorSpec) and a.ndim == b.ndim and a.dtype is b.dtype:
            total += 2 * (mine != theirs)
        else:
            total += 5 * (mine != theirs) + 5 * (a is not b and a != b)
    return total


def new_program(name: str, key: tuple[Any, ...], program_keys: list[Any], paths: list[str], guards: Guards) -> list[str]:
    """Return lines that say that a call makes a new Program, how its key differs from the closest one, and what to do about it."""
    first = f"{name}: this call makes a new Program ({len(program_keys)} in the cache)"
    nearest = closest(key, program_keys)
    if nearest is None:
        return [first]
    reasons = [*differences(key, nearest, paths, guards), *advice(key, nearest, paths)]
    return [f"{first}; the closest is Program {program_keys.index(nearest) + 1}:", *(f"  {line}" for line in reasons)]


def differences(key: tuple[Any, ...], known_key: tuple[Any, ...], paths: list[str], guards: Guards) -> list[str]:
    """Return the differences of a call's ``key`` and the key of a Program, a line each; ``paths``: the names of the arguments."""
    reasons = []
    recipe, leaves, object_aliases, flags, environment, answers = key
    if recipe != known_key[0]:
        reasons.append("the structure of the arguments is different (number, nesting or types of containers)")
    else:
        for i, (mine, theirs) in enumerate(zip(leaves, known_key[1], strict=False)):
            if mine != theirs and i < tree.count(recipe):
                name = paths[i] if i < len(paths) else f"argument {i}"
                reasons.append(f"{name}: {_leaf(mine)} here, {_leaf(theirs)} there")
    if object_aliases != known_key[2]:
        reasons.append("the same tensor is passed for several arguments, or read outside as well, in only one of the calls")
    if flags != known_key[3]:
        reasons += _outside(dict(flags[0]), dict(known_key[3][0]), guards) + _of_layers(flags[1:], known_key[3][1:])
    if environment != known_key[4]:
        reasons.append("the device or the default dtype is another one")
    if not reasons and answers != known_key[5]:
        mine, theirs = dict(answers), dict(known_key[5])
        questions = [text for text in {**mine, **theirs} if mine.get(text) != theirs.get(text)]
        reasons += [f"`{text}` has another result for this number" for text in questions if text in theirs]
    return reasons


def by_tensors_only(key: tuple[Any, ...], known_key: tuple[Any, ...]) -> bool:
    """True if two keys differ in shapes and dtypes of tensors only."""
    if key[0] != known_key[0] or key[2:] != known_key[2:] or len(key[1]) != len(known_key[1]):
        return False  # (an int from outside of more than 64 bits is no input, and has a leaf of its own)
    return all(_is_tensor(mine) or mine == theirs for mine, theirs in zip(key[1], known_key[1], strict=True))


def _is_tensor(leaf: Any) -> bool:
    """True if this part of a key is that of a tensor."""
    return isinstance(leaf, tuple) and len(leaf) == 2 and isinstance(leaf[0], TensorSpec)


def _outside(mine: dict[Any, Any], theirs: dict[Any, Any], guards: Guards) -> list[str]:
    """Lines for the globals, closure variables and attributes of objects whose values differ."""
    labels = guards.labels()
    reasons: list[str] = []
    structures: list[str] = []
    for source in {**mine, **theirs}:
        value, known_value = (side.get(source, guards.first_keys.get(source)) for side in (mine, theirs))
        if value != known_value:
            reason = f"{labels.get(source, 'what the code reads')}: {_both(value, known_value)}"
            (reasons if _is_structure(value) is _is_structure(known_value) else structures).append(reason)
    return reasons or structures  # (a container that counts by its items since: its items are the reason)


def _is_structure(key: Any) -> bool:
    """True if this is the key of a container that counts by its items."""
    return isinstance(key, tuple) and len(key) == 3 and isinstance(key[0], type)


def _both(mine: Any, theirs: Any) -> str:
    """The text of two values: of the call, and of the Program."""
    return f"{_value(mine)} here, {_value(theirs)} there"


def _value(key: tuple[Any, ...]) -> str:
    """The text of a value from outside of the arguments, by its key."""
    has_type = isinstance(key, tuple) and len(key) == 2 and isinstance(key[0], type)
    if has_type and key[1] is INPUT:
        return f"any {key[0].__name__}"
    if isinstance(key, tuple) and key and isinstance(key[0], TensorSpec):
        return f"any {key[0]}" if key[-1] is INPUT else str(key[0])
    if has_type and isinstance(key[1], str):
        return key[1]
    return "other contents" if isinstance(key, tuple) else "another object"


def _of_layers(mine: tuple[Any, ...], theirs: tuple[Any, ...]) -> list[str]:
    """Lines for the differences between two states of Layers (`name_usage.state_of`)."""
    if len(mine) != len(theirs):
        return ["other Layers are involved"]
    reasons: dict[str, None] = {}
    for state, known_state in zip(mine, theirs, strict=True):
        if state[0] is not known_state[0]:
            return ["other Layers are involved"]
        if state[1] != known_state[1]:
            reasons[f"{'train' if state[1] else 'eval'} mode here, {'train' if known_state[1] else 'eval'} mode there"] = None
        tuples = [[e for e in side[2:] if isinstance(e, tuple)] for side in (state, known_state)]
        entries: list[dict[Any, Any]] = [{e[0]: e[1] if len(e) == 2 else e[1:] for e in side} for side in tuples]
        for name in {**entries[0], **entries[1]}:
            values = [side.get(name) for side in entries]
            if values[0] != values[1] and not any(type(value) is tuple and INPUT in value for value in values):
                reasons[f"attribute {name!r} of a Layer: {_both(*values)}"] = None
    hooks_differ = any(_hooks(state) != _hooks(known_state) for state, known_state in zip(mine, theirs, strict=True))
    return list(reasons) or ["the hooks of a Layer have changed"] * hooks_differ


def _hooks(state: tuple[Any, ...]) -> list[Any]:
    """The hooks in the state of a Layer: its entries that are not names with values."""
    return [entry for entry in state[2:] if not isinstance(entry, tuple)]


def arguments(key: tuple[Any, ...], outside: Collection[int] = ()) -> str:
    """Return the text of the arguments for which a Program was traced; ``outside``: the leaves that come from outside."""
    return ", ".join(_leaf(leaf) for i, leaf in enumerate(key[1]) if i not in outside)


def cause(key: tuple[Any, ...], earlier: list[Any], paths: list[str], guards: Guards) -> list[str]:
    """Return a line that says how a Program differs from the closest of the ``earlier`` ones; no line for the first Program."""
    nearest = closest(key, earlier)
    if nearest is None:
        return []
    reasons = differences(key, nearest, paths, guards)
    remaining = f"; and {len(reasons) - _REASONS} more" if len(reasons) > _REASONS else ""
    listed = "; ".join(reasons[:_REASONS]) + remaining
    return [f"traced beside Program {earlier.index(nearest) + 1}: {listed or 'the tensors from outside are others'}"]


def declared(key: tuple[Any, ...]) -> str:
    """Return the text of the arguments of a Program that was traced from declared inputs."""
    return ", ".join(str(leaf.tensor_spec) if isinstance(leaf, InputSpec) else _leaf(leaf) for leaf in key[2])


def inputs(traced: TraceResult) -> list[str]:
    """Return lines for the numbers and tensors from outside that are inputs of a Program, and for the tests on these numbers.

    Numbers for which the tests have other outcomes have other Programs.
    """
    names = [traced.names[traced.feeds.index(i)] for i in traced.inputs]
    lines = [f"numbers that are inputs: {', '.join(names)}"] if names else []
    names = [traced.names[traced.feeds.index(i)] for i in traced.outside if i in traced.feeds and i not in traced.inputs]
    lines += [f"tensors from outside that are inputs: {', '.join(names)}"] if names else []
    answers = [(question.description, answer[1] if isinstance(answer, tuple) else answer) for question, answer in traced.asked]
    return lines + [f"only for calls in which `{text}` is {answer}" for text, answer in answers]


def contents(program: Program) -> list[str]:
    """Return lines for the tests, prints, random draws and checks of a Program's runs, each with the user's source line."""
    lines_by_kind: dict[str, dict[str, None]] = {"tests": {}, "prints": {}, "draws random numbers": {}, "checks": {}}
    for op in program.block.walk():
        draws = "random" in op.opdef.traits and not op.attrs.get("is_test")
        effect = _KINDS.get(op.name) or ("draws random numbers" if draws else "")
        if effect and op.site is not None:
            line = line_in(op.site.file, op.site.line).strip()
            lines_by_kind[effect][f"{op.site}: `{line}`"] = None
    return [f"{effect} in each run, {text}" for effect, lines in lines_by_kind.items() for text in lines]


def plans(compiled: list[tuple[str, Any]]) -> list[str]:
    """Return the lines of plans, each with its purpose and the size of its buffers."""
    lines = []
    for purpose, plan in compiled:
        lines.append(f"the plan of {purpose}, {plan.steps} steps, {plan.nbytes} bytes of buffers:")
        lines += [f"  {line}" for line in plan.source.splitlines()]
    return lines


_KINDS = {"cond": "tests", "while_loop": "tests", "print": "prints", "assert": "checks"}


def _leaf(key: tuple[Any, ...]) -> str:
    """The text of an argument leaf, by its key."""
    if isinstance(key, tuple) and len(key) == 2 and isinstance(key[0], TensorSpec):
        return f"{key[0]}{'' if key[1] else ' with gradient'}"
    if isinstance(key, tuple) and len(key) == 2 and isinstance(key[0], type):
        value = key[1]
        if value is INPUT:
            return f"any {key[0].__name__}"
        return value if isinstance(value, str) and (key[0] is not str or value[:1] in "'\"") else repr(value)
    return repr(key)


def advice(key: tuple[Any, ...], known_key: tuple[Any, ...], paths: list[str]) -> list[str]:
    """Return advice for arguments whose shapes, dtypes or Python values differ from those of the closest Program."""
    hints: dict[str, None] = {}
    for i, (mine, theirs) in enumerate(zip(key[1], known_key[1], strict=False)):
        name = paths[i] if i < len(paths) else f"argument {i}"
        types_at = [k[0] if isinstance(k, tuple) and len(k) == 2 else None for k in (mine, theirs)]
        if mine == theirs or key[0] != known_key[0]:
            continue
        a, b = types_at
        if isinstance(a, TensorSpec) and isinstance(b, TensorSpec):
            if a.dtype is not b.dtype:
                hints[f"convert it: `{name}.astype({b.dtype.name!r})`"] = None
            elif a.ndim == b.ndim and a.shape != b.shape:
                shape = ", ".join("None" if m != t else str(m) for m, t in zip(a.shape, b.shape, strict=True))
                spec = f"InputSpec([{shape}], {a.dtype.name!r}, {name!r})"
                hints[f"a dimension that varies can be None: `to_static(input_spec=[{spec}])`"] = None
        elif a in (int, float) and b in (int, float) and mine[1] is not INPUT:
            hints["a Python number that varies can be passed as a tensor, so that it is an input of the Program"] = None
    return list(hints)


def built_in(function: Any, instance: Any = None) -> list[str]:
    """Return a line for each plain value from outside that the function reads: name, value, and what happens if it changes."""
    code, names = function.__code__, set[str]()
    collect_names(code, names)
    values = {name: function.__globals__[name] for name in globals_read(code) & function.__globals__.keys()}
    cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
    values |= {name: cell.cell_contents for name, cell in cells if cell != types.CellType()}
    attributes = getattr(instance, "__dict__", {}) if code.co_argcount else {}
    values |= {f"{code.co_varnames[0]}.{name}": attributes[name] for name in names & attributes.keys()}
    plain_values = [(name, value) for name, value in sorted(values.items()) if is_plain(value) and value is not None]
    return [f"{name} = {value!r} ({_WORDS[type(value) in NUMBERS]})" for name, value in plain_values]


def guarded(guards: Guards, layers: Collection[Layer], function: Any, instance: Any = None) -> list[str]:
    """Return a line for each further place that the guards compare, with its value, and what happens if it changes.

    Places of code (functions, classes, modules) are left out, and those that `built_in` lists for ``function`` and ``instance``.
    """
    listed_ids = {id(function.__globals__), *map(id, function.__closure__ or ()), id(getattr(instance, "__dict__", None))}
    lines: dict[str, None] = {}
    for source in guards.places:
        value, comparison = source.value, guards.comparison(source)
        is_code = isinstance(value, _CODE) or hasattr(type(value), "dygraph_function") or source.label.endswith(_OF_CODE)
        if is_code or value is MISSING or source.name == ABSENT or (not source.keyed and comparison in ("object", "value")):
            continue
        if comparison == "an input":
            lines[f"{source.label}, an input"] = None
        elif comparison != "value":
            lines[f"{source.label}, of type {type(value).__name__} ({_CHANGES[comparison]})"] = None
        elif is_plain(value) and value is not None and listed_ids.isdisjoint((id(source.space), id(source.owner))):
            lines[f"{source.label} = {value!r} ({_WORDS[type(value) in NUMBERS]})"] = None
    for layer in layers:
        cls: Any = type(layer)
        if layer is not instance and is_user_module(cls.__module__):
            for name, _ in plain_attributes(layer, guards.names_of(cls), ()):
                value = vars(layer)[name]
                lines[f"attribute {name!r} of a {cls.__name__} = {value!r} ({_WORDS[type(value) in NUMBERS]})"] = None
    more = [f"and {len(lines) - _PLACES} more places"] if len(lines) > _PLACES else []
    return [*list(lines)[:_PLACES], *more]


_PLACES = 50  # places that are listed
_WORDS = {True: "an input of the next Program if it changes", False: "another value needs another Program"}
_CHANGES = {
    "items": "its items are compared one by one; another structure needs another Program",
    "contents": "other contents need another Program",
    "object": "another object needs another Program",
    "spec": "another shape or dtype needs another Program",
}
_CODE = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType, types.CodeType, type, Layer)
_OF_CODE = ("__defaults__", "__kwdefaults__", "__code__", "__class__")
