"""The reason why a call made a new Program, and the values that a Program has built in: the text of `StaticFunction.explain`."""

from __future__ import annotations

import types
from collections.abc import Collection
from typing import Any

from to_static.compiler.frontend.function.program.trace_result import TraceResult
from to_static.compiler.frontend.tracing.guards import Guards
from to_static.compiler.frontend.tracing.input_places import INPUT, NUMBERS
from to_static.compiler.frontend.tracing.name_usage import collect_names, is_plain
from to_static.compiler.ir.input_spec import InputSpec
from to_static.compiler.ir.program import Program
from to_static.compiler.ir.spec import TensorSpec
from to_static.core import tree
from to_static.core.diagnostics.bytecode_positions import globals_read
from to_static.core.diagnostics.source_lines import line_in

_REASONS = 4  # that are listed


def closest(key: tuple[Any, ...], program_keys: list[Any]) -> Any:
    """The known key that is most like ``key``; None when there is none."""
    return min(program_keys, key=lambda other: _distance(key, other), default=None)


def _distance(key: tuple[Any, ...], other: tuple[Any, ...]) -> int:
    """The distance of two keys: another structure counts most, another size of a tensor least."""
    if key[0] != other[0]:
        return 1000
    total = 10 * sum(mine != theirs for mine, theirs in zip(key[2:], other[2:], strict=True))
    for mine, theirs in zip(key[1], other[1], strict=False):  # (one may have more, from outside)
        a, b = (leaf[0] if isinstance(leaf, tuple) and len(leaf) == 2 else None for leaf in (mine, theirs))
        if isinstance(a, TensorSpec) and isinstance(b, TensorSpec) and a.ndim == b.ndim and a.dtype is b.dtype:
            total += 2 * (mine != theirs)
        else:
            total += 5 * (mine != theirs) + 5 * (a is not b and a != b)
    return total


def new_program(name: str, key: tuple[Any, ...], others: list[Any], paths: list[str], guards: Guards) -> list[str]:
    """That a call makes a new Program, what tells it from the most similar of the ``others``, and what to do about it."""
    first = f"{name}: this call makes a new Program ({len(others)} in the cache)"
    nearest = closest(key, others)
    if nearest is None:
        return [first]
    reasons = [*differences(key, nearest, paths, guards), *advice(key, nearest, paths)]
    return [f"{first}; the closest is Program {others.index(nearest) + 1}:", *(f"  {line}" for line in reasons)]


def differences(key: tuple[Any, ...], other: tuple[Any, ...], paths: list[str], guards: Guards) -> list[str]:
    """The differences of two keys of a cache, a line each; ``paths`` names the arguments."""
    reasons = []
    recipe, leaves, alias, flags, environment, answers = key
    if recipe != other[0]:
        reasons.append("the structure of the arguments is different (number, nesting or types of containers)")
    else:
        for i, (mine, theirs) in enumerate(zip(leaves, other[1], strict=False)):
            if mine != theirs and i < tree.count(recipe):
                name = paths[i] if i < len(paths) else f"argument {i}"
                reasons.append(f"{name}: {_leaf(mine)} here, {_leaf(theirs)} there")
    if alias != other[2]:
        reasons.append("the same tensor is passed for several arguments, or read outside as well, in only one of the calls")
    if flags != other[3]:
        reasons += _outside(dict(flags[0]), dict(other[3][0]), guards) + _of_layers(flags[1:], other[3][1:])
    if environment != other[4]:
        reasons.append("the device or the default dtype is another one")
    if not reasons and answers != other[5]:
        mine, theirs = dict(answers), dict(other[5])
        asked = [text for text in {**mine, **theirs} if mine.get(text) != theirs.get(text)]
        reasons += [f"`{text}` has another result for this number" for text in asked if text in theirs]
    return reasons


def by_tensors_only(key: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """True if two keys differ in shapes and dtypes of tensors only."""
    if key[0] != other[0] or key[2:] != other[2:]:
        return False
    return all(_is_tensor(mine) or mine == theirs for mine, theirs in zip(key[1], other[1], strict=True))


def _is_tensor(leaf: Any) -> bool:
    return isinstance(leaf, tuple) and len(leaf) == 2 and isinstance(leaf[0], TensorSpec)


def _outside(mine: dict[Any, Any], theirs: dict[Any, Any], guards: Guards) -> list[str]:
    """Globals, closed-over variables and attributes of objects that have another value."""
    labels = guards.labels()
    reasons: list[str] = []
    structures: list[str] = []
    for source in {**mine, **theirs}:
        here, there = (side.get(source, guards.first_keys.get(source)) for side in (mine, theirs))
        if here != there:
            reason = f"{labels.get(source, 'what the code reads')}: {_both(here, there)}"
            (reasons if _is_structure(here) is _is_structure(there) else structures).append(reason)
    return reasons or structures  # of a container that counts by its items now, these


def _is_structure(key: Any) -> bool:
    """True if this is the key of a container that counts by its items."""
    return isinstance(key, tuple) and len(key) == 3 and isinstance(key[0], type)


def _both(mine: Any, theirs: Any) -> str:
    return f"{_value(mine)} here, {_value(theirs)} there"


def _value(key: tuple[Any, ...]) -> str:
    """The text of a value from outside of the arguments."""
    plain = isinstance(key, tuple) and len(key) == 2 and isinstance(key[0], type)
    if plain and key[1] is INPUT:
        return f"any {key[0].__name__}"
    if isinstance(key, tuple) and key and isinstance(key[0], TensorSpec):
        return f"any {key[0]}" if key[-1] is INPUT else str(key[0])
    plain = plain and isinstance(key[1], str)
    return key[1] if plain else "other contents" if isinstance(key, tuple) else "another object"


def _of_layers(mine: tuple[Any, ...], theirs: tuple[Any, ...]) -> list[str]:
    """The differences between the states of Layers (`name_usage.state_of`)."""
    if len(mine) != len(theirs):
        return ["other Layers are involved"]
    reasons: dict[str, None] = {}
    for one, other in zip(mine, theirs, strict=True):
        if one[0] is not other[0]:
            return ["other Layers are involved"]
        if one[1] != other[1]:
            reasons[f"{'train' if one[1] else 'eval'} mode here, {'train' if other[1] else 'eval'} mode there"] = None
        tuples = [[e for e in side[2:] if isinstance(e, tuple)] for side in (one, other)]
        entries: list[dict[Any, Any]] = [{e[0]: e[1] if len(e) == 2 else e[1:] for e in side} for side in tuples]
        for name in {**entries[0], **entries[1]}:
            values = [side.get(name) for side in entries]
            if values[0] != values[1] and not any(type(value) is tuple and INPUT in value for value in values):
                reasons[f"attribute {name!r} of a Layer: {_both(*values)}"] = None
    hooks = any(_hooks(one) != _hooks(other) for one, other in zip(mine, theirs, strict=True))
    return list(reasons) or ["the hooks of a Layer have changed"] * hooks


def _hooks(state: tuple[Any, ...]) -> list[Any]:
    """Return what the state of a Layer has beside names with values: its hooks."""
    return [entry for entry in state[2:] if not isinstance(entry, tuple)]


def arguments(key: tuple[Any, ...], outside: Collection[int] = ()) -> str:
    """The arguments that a Program is for; ``outside``: leaves that are none."""
    return ", ".join(_leaf(leaf) for i, leaf in enumerate(key[1]) if i not in outside)


def cause(key: tuple[Any, ...], earlier: list[Any], paths: list[str], guards: Guards) -> list[str]:
    """A line that says what made a Program, beside the ``earlier`` one that is most like it; none for the first Program."""
    nearest = closest(key, earlier)
    if nearest is None:
        return []
    reasons = differences(key, nearest, paths, guards)
    more = f"; and {len(reasons) - _REASONS} more" if len(reasons) > _REASONS else ""
    what = "; ".join(reasons[:_REASONS]) + more
    return [f"traced beside Program {earlier.index(nearest) + 1}: {what or 'the tensors from outside are others'}"]


def declared(key: tuple[Any, ...]) -> str:
    """The same of a Program that was traced from declared inputs."""
    return ", ".join(str(leaf.tensor_spec) if isinstance(leaf, InputSpec) else _leaf(leaf) for leaf in key[2])


def inputs(traced: TraceResult) -> list[str]:
    """The numbers, and tensors from outside, that are inputs of a Program, and what its trace asked of these numbers.

    For other answers there are other Programs.
    """
    names = [traced.names[traced.feeds.index(i)] for i in traced.inputs]
    lines = [f"numbers that are inputs: {', '.join(names)}"] if names else []
    names = [traced.names[traced.feeds.index(i)] for i in traced.outside if i in traced.feeds and i not in traced.inputs]
    lines += [f"tensors from outside that are inputs: {', '.join(names)}"] if names else []
    answers = [(question.description, answer[1] if isinstance(answer, tuple) else answer) for question, answer in traced.asked]
    return lines + [f"only for calls in which `{shown}` is {answer}" for shown, answer in answers]


def contents(program: Program) -> list[str]:
    """The decisions, prints and random draws of a Program's runs, by the lines of the user's source."""
    lines_by_kind: dict[str, dict[str, None]] = {"tests": {}, "prints": {}, "draws random numbers": {}, "checks": {}}
    for op in program.block.walk():
        draws = "random" in op.opdef.traits and not op.attrs.get("is_test")
        effect = _KINDS.get(op.name) or ("draws random numbers" if draws else "")
        if effect and op.site is not None:
            line = line_in(op.site.file, op.site.line).strip()
            lines_by_kind[effect][f"{op.site}: `{line}`"] = None
    return [f"{effect} in each run, {text}" for effect, lines in lines_by_kind.items() for text in lines]


def plans(compiled: list[tuple[str, Any]]) -> list[str]:
    """The text of plans, each with what it is for and how large its buffers are."""
    lines = []
    for purpose, plan in compiled:
        lines.append(f"the plan of {purpose}, {plan.steps} steps, {plan.nbytes} bytes of buffers:")
        lines += [f"  {line}" for line in plan.source.splitlines()]
    return lines


_KINDS = {"cond": "tests", "while_loop": "tests", "print": "prints", "assert": "checks"}


def _leaf(key: tuple[Any, ...]) -> str:
    if isinstance(key, tuple) and len(key) == 2 and isinstance(key[0], TensorSpec):
        return f"{key[0]}{'' if key[1] else ' with gradient'}"
    if isinstance(key, tuple) and len(key) == 2 and isinstance(key[0], type):
        value = key[1]
        if value is INPUT:
            return f"any {key[0].__name__}"
        return value if isinstance(value, str) and (key[0] is not str or value[:1] in "'\"") else repr(value)
    return repr(key)


def advice(key: tuple[Any, ...], other: tuple[Any, ...], paths: list[str]) -> list[str]:
    """Advice about differences in shapes, dtypes or Python values of the arguments."""
    hints: dict[str, None] = {}
    for i, (mine, theirs) in enumerate(zip(key[1], other[1], strict=False)):
        name = paths[i] if i < len(paths) else f"argument {i}"
        types_at = [k[0] if isinstance(k, tuple) and len(k) == 2 else None for k in (mine, theirs)]
        if mine == theirs or key[0] != other[0]:
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
    """Python values from outside that the function reads while it is traced."""
    code, names = function.__code__, set[str]()
    collect_names(code, names)
    values = {name: function.__globals__[name] for name in globals_read(code) & function.__globals__.keys()}
    cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
    values |= {name: cell.cell_contents for name, cell in cells if cell != types.CellType()}
    own = getattr(instance, "__dict__", {}) if code.co_argcount else {}
    values |= {f"{code.co_varnames[0]}.{name}": own[name] for name in names & own.keys()}
    read = [(name, value) for name, value in sorted(values.items()) if is_plain(value) and value is not None]
    words = {True: "an input of the next Program if it changes", False: "another value needs another Program"}
    return [f"{name} = {value!r} ({words[type(value) in NUMBERS]})" for name, value in read]
