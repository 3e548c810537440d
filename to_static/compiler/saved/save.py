"""`save`: writes a Layer or function as Paddle files, for `paddle.jit.save` and `Model.save`; also Programs for other files."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.formats.hub import NAMES, format_named, path_text, write_models
from to_static.compiler.formats.paddle.messages.conventions import names_apart, own_names
from to_static.compiler.frontend.function.program.buffer_slots import tensor_of
from to_static.compiler.frontend.function.program.concrete import ConcreteProgram
from to_static.compiler.frontend.function.program.trace_result import Write
from to_static.compiler.frontend.function.settings import Settings
from to_static.compiler.frontend.function.static_function import StaticFunction
from to_static.compiler.frontend.jst.objects.union import UnionSpec
from to_static.compiler.frontend.jst.protocol import ConstantSpec
from to_static.compiler.frontend.jst.values.tensor import OneTensor
from to_static.compiler.frontend.tracing.side_effects import AttributeTarget
from to_static.compiler.ir import registry, rewriter
from to_static.compiler.ir.program import Program, Stored, Var
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ir.var_kinds import BUFFER, CONST, PARAM
from to_static.compiler.ir.verifier import compatible
from to_static.compiler.passes.pipeline import EXPORT, EXPORT_FROZEN, optimize
from to_static.compiler.saved.load import SavedMethod, TranslatedLayer
from to_static.compiler.saved.train_eval import drop_unchanged_state, in_mode
from to_static.core import backend
from to_static.core.diagnostics.printable import harmless, quoted
from to_static.core.diagnostics.source_location import SourceLocation, of_function, report
from to_static.core.diagnostics.tracebacks import for_users
from to_static.core.dtypes import bool_
from to_static.core.errors import ModeError, TranslationError
from to_static.nn.layer import Layer

if TYPE_CHECKING:
    from collections.abc import Sequence

CONFIGS = frozenset((
    "output_spec", "with_hook", "combine_params", "clip_extra", "skip_forward", "input_names_after_prune", "skip_prune_program",
    "format",
))  # fmt: skip
SMALL = 64  # elements up to which a closed-over tensor becomes a constant of the saved Program


@for_users
def save(layer: object, path: str | os.PathLike[str], input_spec: Sequence[object] | None = None, **configs: Any) -> None:
    """Write a static model: ``path.pdmodel`` (Program), ``path.pdiparams`` (parameters), ``path.pdiparams.info`` (their names).

    Other static methods of a layer go to ``path.<method>.pdmodel`` and ``.pdiparams``. PaddlePaddle 2.x loads these files with
    ``paddle.jit.load`` and ``paddle.inference``.

    Args:
        layer: Layer (need not be static yet), function, or what `load` returned.
        path: prefix of the files; missing folders are made.
        input_spec: list of `InputSpec` (or tensors), one per argument of ``forward``; default: that of `to_static`, or of the
            newest call.
        output_spec (list of names, Variables or positions): keep only these outputs.
        with_hook (bool): for a static ``forward`` in place of its layer: include the layer's hooks. Of a layer, and of its
            sublayers, they always are, as is a ``__call__`` of its class.
        format (str): that of the files: "pdmodel" (the default), or another one of `formats.hub.NAMES`.
        combine_params, clip_extra, skip_forward, input_names_after_prune, skip_prune_program: accepted for Paddle's sake.

    Raises TypeError for something that can't be saved, ValueError for a bad path, an unknown config or inputs that are not known,
    ModeError when `enable_to_static(False)` is set, TranslationError for results that files have no place for, FormatError for
    operators that Paddle lacks. Nothing half-written is left behind. As in Paddle, files hold flat lists of tensors: what is in
    dicts (by sorted key; outputs of models are dicts, too) and nested lists is loaded as a list, one tensor as itself, Python's
    numbers not at all. Predictors have the keys of a dict as the names of outputs. Random numbers that Python or NumPy draw are
    constants of the file, which a warning says with the line.

    Example:
        >>> net = nn.Linear(784, 10)
        >>> paddle.jit.save(net, 'model/mnist', input_spec=[InputSpec([None, 784], 'float32', 'x')])
    """
    unknown = set(configs) - CONFIGS
    if unknown:
        raise ValueError(f"jit.save: unknown options {', '.join(sorted(unknown))}; known: {', '.join(sorted(CONFIGS))}")
    form = format_named(configs.get("format", NAMES[0]))
    prefix = path_text(path)
    if not os.path.basename(prefix):
        raise ValueError(f"jit.save: path must be a prefix such as 'model/net', got {prefix!r}, which names a folder")
    programs = programs_of(layer, input_spec, configs)
    files = {prefix if name == "forward" else f"{prefix}.{name}": program for name, program in programs.items()}
    os.makedirs(os.path.dirname(prefix) or os.curdir, exist_ok=True)
    # everything that can go wrong in translation has gone wrong before the first byte
    if form.frozen:
        files = {path: frozen(program) for path, program in files.items()}
    write_models(files, form)


def frozen(program: Program) -> Program:
    """Return a Program in eval mode, with weights as constants, and with all computations on constants done."""
    return optimize(in_mode(program, False), EXPORT_FROZEN)


def programs_of(
    layer: Any, input_spec: Sequence[Any] | None, configs: dict[str, Any], caller: str = "jit.save"
) -> dict[str, Program]:
    """Return the Programs for files, by method name, 'forward' first; see `save`. ``caller``: the public function, for messages."""
    if not Settings.enabled:
        raise ModeError(f"{caller} needs static functions: call enable_to_static(True) first")
    methods = static_methods(layer)
    further_methods = [name for name in methods if name != "forward"]
    if not isinstance(input_spec, (list, tuple, type(None))):
        raise TypeError(f"{caller}: input_spec must be a list, `[InputSpec(...)]`, not one {type(input_spec).__name__}")
    if further_methods and input_spec is not None:
        raise ValueError(
            f"{caller}: input_spec would be ambiguous, since {', '.join(further_methods)} is saved too; "
            "give each method its own with to_static(input_spec=...)"
        )
    names = structured_names(layer)
    captured: dict[int, str] = {}
    programs: dict[str, Program] = {}
    random_calls: list[tuple[str, SourceLocation | None]] = []
    for name, function in methods.items():
        if name == "forward" and configs.get("skip_forward"):
            continue
        as_called = bool(configs.get("with_hook")) or (name == "forward" and _does_more_than_forward(layer))
        try:
            program = export(function, input_spec, names, configs, captured, random_calls, as_called)
        except Exception as error:
            if not as_called or not _has_user_call(layer):
                raise
            program = export(function, input_spec, names, configs, captured, random_calls)
            call = f"{type(layer).__name__}.__call__"
            warnings.warn(f"{caller}: {call} can't be a part of a file, which holds {name}() alone: {error}", stacklevel=4)
        programs[name] = program
    _share_a_parameter(programs)
    if random_calls:
        warnings.warn(_built_in(random_calls), stacklevel=4)
    return programs


def static_methods(layer: object) -> dict[str, Any]:
    """Static methods by name, 'forward' first; a function counts as 'forward'. Raises TypeError for anything else."""
    if isinstance(layer, TranslatedLayer):
        return {**layer._methods, **_forward_of(layer)}
    if isinstance(layer, Layer):
        forward = layer.forward
        methods = {"forward": forward if isinstance(forward, StaticFunction) else StaticFunction(forward)}
        for name in dir(type(layer)):
            if isinstance(getattr(type(layer), name, None), StaticFunction) and name != "forward":
                methods[name] = getattr(layer, name)
        return methods
    if callable(layer):
        return {"forward": layer if isinstance(layer, StaticFunction) else StaticFunction(layer)}
    raise TypeError(f"jit.save expects a Layer or a function, got {type(layer).__name__}")


def _forward_of(layer: TranslatedLayer) -> dict[str, StaticFunction]:
    """The ``forward`` of a loaded model, where a call of it is more than the saved one, or another; else nothing."""
    saved, forward = layer._methods.get("forward"), layer.forward
    if saved is None:
        return {}
    declared = forward._target.input_spec if isinstance(forward, StaticFunction) else None
    is_static = isinstance(forward, StaticFunction) and forward._function is TranslatedLayer.forward and forward._instance is layer
    if forward is not saved and not is_static:
        return {"forward": forward if isinstance(forward, StaticFunction) else StaticFunction(forward, saved.input_spec)}
    if declared is None and not _does_more_than_forward(layer):
        return {}
    return {"forward": StaticFunction(TranslatedLayer.forward, declared or saved.input_spec, layer)}


def _share_a_parameter(files: dict[str, Program]) -> None:
    """Give a ``forward`` without parameters the smallest one of another method, because Paddle reads none otherwise."""
    first, *further_programs = files.values()
    parameters = [var for program in further_programs for var in program.params]
    if parameters and not first.params:
        smallest = min(parameters, key=lambda var: var.holder._array.nbytes)
        first.add_param(smallest.spec, smallest.kind, smallest.holder, smallest.name)


def _does_more_than_forward(layer: object) -> bool:
    """True if a call of a Layer does more than its ``forward``."""
    if not isinstance(layer, Layer):
        return False
    return _has_user_call(layer) or bool(layer._forward_pre_hooks or layer._forward_post_hooks)


def _has_user_call(layer: object) -> bool:
    """True for a Layer whose class defines ``__call__``."""
    return isinstance(layer, Layer) and type(layer).__call__ is not Layer.__call__


def structured_names(layer: object) -> dict[int, str]:
    """Return the dotted names of the tensors of a Layer, by id."""
    owner = layer._instance if isinstance(layer, StaticFunction) else layer
    if not isinstance(owner, Layer):
        return {}
    return {id(tensor): name for name, tensor in owner.to_static_state_dict().items()}


def _refused(function: Any, why: str, rewrite: str, cls: type[Exception] = TranslationError) -> Exception:
    """The error for a function that cannot be saved: why, and what to write instead."""
    return cls(report(f"jit.save: {function.__name__!r} {why}", of_function(function), rewrite))


def _built_in(random_calls: list[tuple[str, SourceLocation | None]]) -> str:
    """The warning for random numbers that are constants of a file."""
    (name, where), further_count = random_calls[0], len(random_calls) - 1
    more = f", and {further_count} more such call{'s' * (further_count > 1)}" if further_count else ""
    text = f"jit.save: {name}() runs once, while the file is made{more}: what Python or NumPy draw is constant in the file"
    rewrite = "paddle's, which are drawn in every run: `paddle.rand([1])`, `paddle.randint(0, n, [1])`"
    return harmless(report(text, where, rewrite))


def _not_saved(description: str, function: object) -> Exception:
    """The error for a result that a file cannot hold."""
    return _refused(
        function,
        f"returns {description}, but a file holds tensors only",
        "return tensors of one kind on all paths: `paddle.zeros([1])` instead of None, a list for each field, and make "
        "strings of what the loaded function returns",
    )


def _shares(function: object, name: str) -> Exception:
    """The refusal of a buffer that shares memory with a tensor that runs change."""
    why = f"leaves a view of a tensor that it changes in the buffer {name!r}: in a file each tensor has a memory of its own"
    return _refused(function, why, f"a copy: `self.{name} = x.clone()`")


def _not_kept(function: object, new_spec: object, name: object, old_spec: object) -> Exception:
    """The refusal of a buffer that becomes another kind of value."""
    return _refused(
        function,
        f"makes {new_spec} of {name!r}, which is {old_spec}; a file keeps one shape and dtype for it",
        "keep the shape and dtype of buffers: a buffer of the full size, written with `self.buf[i] = value`",
    )


def _state(program: Program, concrete: ConcreteProgram, function: object) -> list[Any]:
    """Make all tensors that change in a run state of a Program for a file; return their new values.

    Of the buffers that the function assigns, these are the registered ones, and others that the function reads.
    """
    outputs, values = program.outputs, dict(zip(program.state, program.state_values, strict=True))
    copies = dict(zip(concrete.main_program.params, program.params, strict=True))
    values.update((copies[var], outputs[index]) for var, index in concrete.traced.carried)
    for var, value in values.items():
        if not compatible(var.spec, value.spec):
            raise _not_kept(function, value.spec, var.name, var.spec)
    roots = {id(tensor_of(var.holder)): var for var in program.params}
    changing = {*concrete.main_program.state, *(var for var, _ in concrete.traced.carried)}
    for slot, index in concrete.traced.bindings:
        old_tensor, value = slot.tensor, outputs[index]
        view = concrete.traced.views.get(index)
        if view is not None and view.source in changing and slot.is_registered:
            raise _shares(function, slot.buffer)
        root = roots.get(id(old_tensor))
        if slot.is_registered and not compatible(old_tensor.spec, value.spec):
            raise _not_kept(function, value.spec, slot.buffer, old_tensor.spec)
        if root is None and slot.is_registered:
            root = program.add_param(old_tensor.spec, BUFFER, old_tensor, old_tensor.name)
        if root is not None and compatible(root.spec, value.spec):
            values[root] = value  # (not the change in place of the old tensor)
    program.state = list(values)
    return list(values.values())


def _check_buffer(write: Write, function: object) -> None:
    """Raise an error if every run assigns a value to a registered buffer that a file cannot hold."""
    target = write.target
    if isinstance(target, AttributeTarget) and isinstance(target.owner, Layer) and write.count:
        buffer = target.owner._buffers.get(target.name)
        if buffer is not None and target.name not in target.owner._assigned_buffer_names_set:
            raise _not_kept(function, ", ".join(map(str, write.spec.tensor_specs())), target.name, buffer.spec)


def export(
    function: Any,
    input_spec: Sequence[object] | None,
    names: dict[int, str],
    configs: dict[str, Any],
    captured: dict[int, str],
    random_calls: list[tuple[str, SourceLocation | None]],
    as_called: bool = False,
) -> Program:
    """Return the Program of a static method for a file: pruned, optimized, with arrays in place of tensors.

    ``captured``: the names of closure tensors, shared by all methods. The calls that draw random numbers of Python or NumPy are
    appended to ``random_calls``. ``as_called``: include what a call of the Layer does around its ``forward``.
    """
    if isinstance(function, SavedMethod):
        method = function if input_spec is None else function.with_input_spec(input_spec)
        concrete: ConcreteProgram = method.concrete_program
    else:
        concrete = function.concrete_program_specify_input_spec(input_spec, as_called, for_file=True)
    traced = concrete.traced
    random_calls += traced.random_calls
    if traced.trains:
        raise _refused(
            function,
            "is a training step: it calls backward(), and a file is for inference",
            "save the network, `paddle.jit.save(net, path, input_spec=[...])`; to go on training, keep `net.state_dict()` and "
            "`opt.state_dict()` with `paddle.save`",
        )
    program = concrete.main_program.clone()
    result = traced.result
    if isinstance(result, UnionSpec) and (choice := _as_tensor(program, result)) is not None:
        wanted = [choice]
    else:
        wanted = [program.outputs[i] for i in traced.tensors(lambda spec: _not_saved(spec, function))]
    output_names: Sequence[str | None] | None = (
        concrete.main_program.output_names if isinstance(function, SavedMethod) else traced.key_names()
    )
    chosen = configs.get("output_spec")
    if chosen is not None:
        name_of = dict(zip(wanted, output_names or (), strict=False))
        wanted = _chosen_outputs(wanted, chosen, concrete.main_program.outputs, program.outputs)
    if not wanted:
        why, rewrite = "returns no tensor, so there is nothing to save", "return the result: `return paddle.to_tensor(result)`"
        raise _refused(function, why, rewrite, ValueError)
    for write in traced.writes:
        _check_buffer(write, function)
    state = _state(program, concrete, function)
    if traced.order:
        leaf_of = dict(zip(program.block.args, concrete.feeds, strict=True))
        position = {leaf: i for i, leaf in enumerate(traced.order)}
        program.block.args.sort(key=lambda var: position[leaf_of[var]])
    program.block.results = wanted + state
    output_names = output_names if chosen is None else [name_of.get(var) for var in wanted]
    program.output_names = own_names(names_apart(output_names or (), [var.name for var in program.feeds]))
    drop_unchanged_state(program)
    _settle_constants(program, captured)
    optimize(program, EXPORT)
    rewriter.remove_unused_params(program)
    for var in program.params:
        holder = tensor_of(var.holder)
        array = backend.backend_of(holder._array).to_numpy(holder._array)
        name = var.name or holder.name
        var.name = name
        stored_name = names.get(id(holder)) or (holder.structured_name if isinstance(holder, Stored) else None)
        trainable = var.kind == PARAM and not holder.stop_gradient
        var.holder = Stored(array, name, bool(holder.stop_gradient), trainable, stored_name)
    return program


def _as_tensor(program: Program, result: UnionSpec) -> Any:
    """Return a 0-D tensor in place of a result that is a number or a 0-D tensor; None if the dtype cannot hold the number."""
    tensors = [option for option in result.options if isinstance(option, OneTensor)]
    if len(tensors) != 1 or tensors[0].spec.shape:
        return None
    spec, which = program.outputs[1].spec, program.outputs[0]

    def emit(name: str, inputs: tuple[Any, ...], attrs: dict[str, Any], spec: TensorSpec) -> Any:
        return rewriter.insert_before(program.block, None, registry.get(name), inputs, attrs, (spec,)).out

    chosen = program.outputs[1]
    for index, option in enumerate(result.options):
        if option is tensors[0]:
            continue
        if not isinstance(option, ConstantSpec) or type(option.value) not in (bool, int, float):
            return None
        value = np.asarray(option.value, spec.dtype.name)
        if value.item() != option.value:
            return None
        own_index = emit("constant", (), {"value": np.asarray(index, "int64")}, which.spec)
        is_it = emit("equal", (which, own_index), {}, TensorSpec((), bool_))
        chosen = emit("where", (is_it, emit("constant", (), {"value": value}, spec), chosen), {}, spec)
    return chosen


def _chosen_outputs(outputs: list[Any], chosen: Any, traced: list[Any], copied: list[Any]) -> list[Any]:
    """Return the ``outputs`` that ``output_spec`` selects: values of `StaticFunction.outputs`, names, or positions.

    ``traced`` are the outputs of the Program that was traced, ``copied`` those of its copy, in the same order.
    """
    items = list(chosen) if isinstance(chosen, (list, tuple)) else [chosen]
    by_name: dict[Any, Any] = {v.name: v for v in outputs if v.name} | dict(enumerate(outputs))
    copy_of = {id(a): b for a, b in zip(traced, copied, strict=True)}
    chosen_vars = []
    for item in items:
        var = copy_of.get(id(getattr(item, "var", item)))
        if var not in outputs:
            key = item if isinstance(item, (str, int)) else getattr(item, "name", None)
            var = None if key is None else by_name.get(key)
        if var is None:
            names = ", ".join(quoted(name) if isinstance(name, str) else str(name) for name in by_name)
            what = "a value" if isinstance(item, (Var, Tensor)) else quoted(item)
            advice = "write positions, as in `output_spec=[0]`, or `output_spec=net.forward.outputs[:1]`"
            raise ValueError(f"jit.save: output_spec names {what} that is no output of this model (its outputs: {names}): {advice}")
        chosen_vars.append(var)
    return chosen_vars


def _settle_constants(program: Program, captured: dict[int, str]) -> None:
    """Make small closure tensors constants of the Program; larger ones are saved like buffers."""
    mapping = {}
    for var in list(program.params):
        if var.kind != CONST or var in program.state:
            continue
        array = backend.backend_of(var.holder._array).to_numpy(var.holder._array)
        if array.size <= SMALL:
            first = program.block.ops[0] if program.block.ops else None
            op = rewriter.insert_before(program.block, first, registry.get("constant"), (), {"value": array}, (var.spec,))
            mapping[var] = op.out
            program.params.remove(var)
        else:
            var.kind, var.name = BUFFER, var.name or captured.setdefault(id(tensor_of(var.holder)), f"captured_{len(captured)}")
    rewriter.replace_all(program.block, mapping)
