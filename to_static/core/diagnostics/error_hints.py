"""Hints for newcomers: calls as other frameworks have them, and a list that is shorter than expected.

Advice goes into the text of an error where the error is ours, and stands below it as a note where it is Python's own.
"""

from __future__ import annotations

import ast
import copy
import re
import sys
import types
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from to_static.core.diagnostics import source_expressions, source_location
from to_static.core.diagnostics.exception_notes import add_note

if TYPE_CHECKING:
    from collections.abc import Callable

KEYWORDS = {  # of PyTorch and NumPy
    "dim": "axis", "dims": "axis", "axes": "axis", "keepdims": "keepdim", "requires_grad": "stop_gradient", "lr": "learning_rate",
    "eps": "epsilon", "bias": "bias_attr", "device": "place", "input": "x", "other": "y", "size": "shape",
    "betas": "beta1=..., beta2", "params": "parameters", "elementwise_affine": "weight_attr", "affine": "weight_attr",
    "memory_format": "data_format", "start_dim": "start_axis", "end_dim": "stop_axis",
}  # fmt: skip
_LEFT_OUT = {
    "inplace": "leave it out: functions that change a tensor in place have a name of their own, `F.relu_(x)`",
    "batch_first": "leave it out: the batch comes first, unless `time_major=True` says that time does",
    "pin_memory": "leave it out: batches are made in ordinary memory, and go to a GPU with `x.cuda()`",
    "pin_memory_device": "leave it out: batches are made in ordinary memory, and go to a GPU with `x.cuda()`",
    "non_blocking": "leave it out: copies are finished when the call returns",
    "input_shape": "leave it out: `in_features` or `in_channels`, the first argument, says it",
    "momentum": "`paddle.optimizer.Momentum` has one",
    "nesterov": "`paddle.optimizer.Momentum(use_nesterov=True)` has it",
    "amsgrad": "leave it out: `paddle.optimizer.Adam` is without",
    "dtype_policy": "leave it out: `paddle.set_default_dtype('float64')` is for all layers",
}
_OF_KERAS = {  # and others: the names that are tried, the first that the function has is meant
    "rate": ("p", "learning_rate"), "units": ("out_features",), "filters": ("out_channels",), "strides": ("stride",),
    "input_dim": ("in_features", "num_embeddings", "input_size"), "output_dim": ("out_features", "embedding_dim"),
    "use_bias": ("bias_attr",), "kernel_initializer": ("weight_attr",), "bias_initializer": ("bias_attr",),
    "alpha": ("negative_slope",), "dilation_rate": ("dilation",), "pool_size": ("kernel_size",), "target": ("label",),
    "targets": ("label",), "y_true": ("label",), "y_pred": ("input",), "dim0": ("perm",), "in_dim": ("in_features",),
    "out_dim": ("out_features",), "sampler": ("batch_sampler",), "decay": ("weight_decay",), "inputs": ("x",), "a": ("x",),
    "b": ("y",), "min_val": ("min",), "a_min": ("min",), "a_max": ("max",), "repeats": ("repeat_times",), "reps": ("repeat_times",),
    "sections": ("num_or_sections",), "split_size_or_sections": ("num_or_sections",), "max_norm": ("clip_norm",),
}  # fmt: skip
_VALUES = {"requires_grad": "stop_gradient=False", "bias": "bias_attr=False", "betas": "beta1=..., beta2=..."}
PACKAGES = {"gast": "static functions are translated with the package gast"}
_CALLED = {"tensor": "to_tensor(...)` makes a tensor", "device": "set_device('cpu')` chooses one"}  # modules here
_NO_FUNCTION = "`{owner}.{name}` is no function: leave out the parentheses, `{owner}.shape[0]` is the size of a dimension"
_PROPERTIES = {
    **dict.fromkeys(("shape", "ndim", "dtype", "place", "T"), _NO_FUNCTION),
    "size": "`{owner}.size` is the number of elements; the size of a dimension is `{owner}.shape[0]`",
    "type": "`{owner}.type` is the kind of variable; `{owner}.astype('float32')` converts, and `{owner}.dtype` tells",
}
_SHORT = ("list index out of range", "tuple index out of range", "list assignment index out of range")
_LACKING = re.compile(r"'(NoneType|int|float|str|list|tuple|dict|set|ndarray|generator)' object has no attribute")
_PLAIN = {  # what was meant to be a tensor, by what it is
    "float": "is a number of Python's, as `.item()` and `float()` give: leave these out where a tensor is needed",
    "int": "is a number of Python's, as `.item()` and `int()` give: leave these out where a tensor is needed",
    "list": "is a list: `paddle.to_tensor(...)` makes a tensor of numbers, `paddle.stack(...)` one of tensors",
    "tuple": "is a tuple: take one of its items, `{0}[0]`, or make a tensor of numbers, `paddle.to_tensor({0})`",
    "ndarray": "is a NumPy array, as `.numpy()` gives: `paddle.to_tensor({0})` makes a tensor of it",
}
_LISTS = "LayerList|ParameterList|Compose|TensorDataset|ComposeDataset|ChainDataset|ConcatDataset"
_SEVERAL = re.compile(rf"({_LISTS})\.__init__\(\) takes .*positional arguments? but \d+ were given")
_UNPACKED = re.compile(r"(not enough|too many) values to unpack")
_RESULTS = {  # of layers that return several things, as Python unpacks them
    "LSTM": "out, (h, c)", "GRU": "out, h", "SimpleRNN": "out, h", "RNN": "out, states", "BiRNN": "out, (forward, backward)",
    "LSTMCell": "out, (h, c)", "GRUCell": "out, h", "SimpleRNNCell": "out, h",
}  # fmt: skip
_NO_GRADIENT_THERE = "leave it out: a gradient is asked for afterwards, `x.stop_gradient = False`"
_UNKNOWN = re.compile(r"(?:(\w[\w.]*)(?:\(\))?:? )?got an unexpected keyword argument '(\w+)'")


def in_one_list(takes_tensor: bool = False) -> str:
    """``; several numbers go into one list: `paddle.randn([2, 3])` `` for the running call ``paddle.randn(2, 3)``.

    ``takes_tensor``: the function has a tensor as its first argument, if it is not called as a method.
    """
    some = "; several numbers go into one list, `[2, 3]`"
    call, frame = _call(source_expressions.running_expression()), source_expressions.users_frame()
    if call is None or frame is None or any(isinstance(arg, ast.Starred) for arg in call.args):
        return some
    first = int(takes_tensor and not _is_method(call.func, frame))
    last = len(call.args) - (getattr(call.func, "attr", getattr(call.func, "id", "")) == "full")
    if last - first < (1 if isinstance(call.func, ast.Attribute) else 2):
        return some
    rewritten = copy.deepcopy(call)
    rewritten.args = [*rewritten.args[:first], ast.List(rewritten.args[first:last], ast.Load()), *rewritten.args[last:]]
    several = "several numbers go" if last - first > 1 else "numbers go"
    return f"; {several} into one list: `{ast.unparse(rewritten)}`"


def note_meaning(error: BaseException) -> None:
    """Note on an error of Python's own what to write, where that can be told from the user's expression."""
    if isinstance(error, ModuleNotFoundError) and error.name in PACKAGES:
        add_note(error, "meaning", f"{PACKAGES[error.name]}: `pip install {error.name}`, or install to_static again with pip")
    if type(error) is ValueError and _UNPACKED.match(str(error)):
        advice = _of_unpacking(error)
        if advice:
            add_note(error, "meaning", advice)
    if type(error) not in _RULES:
        return
    text, frame = source_expressions.of_error(error, entire=True)
    advice = None if frame is None else _advice(error, text, frame)
    if advice:
        add_note(error, "meaning", advice)


def _advice(error: BaseException, text: str, frame: types.FrameType) -> str | None:
    try:
        node: Any = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return None
    return next(filter(None, (rule(error, node, frame) for rule in _RULES[type(error)])), None)


def _of_attribute(error: BaseException, node: ast.expr, frame: types.FrameType) -> str | None:
    lacking = _LACKING.match(str(error))
    if lacking is None:
        return None
    if _raised_by_ours(error):
        return _of_no_tensor(lacking[1], node)
    return _of_plain(str(error), lacking[1], node) or (_of_none(node) if lacking[1] == "NoneType" else None)


def _of_ufunc(error: BaseException, node: ast.expr, frame: types.FrameType) -> str | None:
    return _of_numpy(node, frame) if str(error).startswith("operand 'Tensor' does not support ufuncs") else None


def _of_unknown_keyword(error: BaseException, node: ast.expr, frame: types.FrameType) -> str | None:
    unknown = _UNKNOWN.search(str(error))
    if unknown is None or not isinstance(node, ast.Call) or "did you mean" in str(error):
        return None
    return _of_keyword(unknown[1] or "", unknown[2], node, frame) or _of_passed_on(error, unknown[1] or "", unknown[2])


def _of_one_list(error: BaseException, node: ast.expr, frame: types.FrameType) -> str | None:
    if not _SEVERAL.search(str(error)) or not isinstance(node, ast.Call) or not node.args:
        return None
    function = ast.unparse(node.func)
    return f"`{function}` takes one list: `{function}([{', '.join(map(ast.unparse, node.args))}])`"


def _of_called(error: BaseException, node: ast.expr, frame: types.FrameType) -> str | None:
    if not isinstance(node, ast.Call):
        return None
    if isinstance(module := _value(node.func, frame), types.ModuleType):
        return _of_module(node.func, module)
    is_property = str(error).endswith("object is not callable") and isinstance(node.func, ast.Attribute)
    return _of_property(node.func) if is_property else None  # type: ignore[arg-type]


def _of_unpacking(error: BaseException) -> str | None:
    """Return the hint for ``out, h, c = lstm(x)``, where Python cannot unpack the result so."""
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    if step is None or not source_location.is_user_file(step.tb_frame.f_code.co_filename):
        return None
    frame = step.tb_frame
    call = getattr(source_expressions.statement_of(frame.f_code.co_filename, step.tb_lineno), "value", None)
    if not isinstance(call, ast.Call):
        return None
    layer_class = next((c.__name__ for c in type(_value(call.func, frame)).__mro__ if c.__name__ in _RESULTS), None)
    return None if layer_class is None else f"{layer_class} returns two things: `{_RESULTS[layer_class]} = {ast.unparse(call)}`"


def _raised_by_ours(error: BaseException) -> bool:
    """True if the last frame of an error is ours, or a Layer of ours was the last to be called (those leave their frames out)."""
    layer_class = error.__dict__.get("__layer__", ("",))[0]
    if layer_class in getattr(sys.modules.get("to_static.nn"), "__all__", ()):
        return True
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    return step is not None and source_location.is_internal(step.tb_frame.f_code.co_filename)


def _of_numpy(node: ast.expr, frame: types.FrameType) -> str | None:
    """Return the hint for a NumPy function that was called with a tensor."""
    calls = (inner for inner in ast.walk(node) if isinstance(inner, ast.Call) and inner.args)
    ufunc_call = next((call for call in calls if type(_value(call.func, frame)).__name__ == "ufunc"), None)
    if ufunc_call is None:
        return None
    name, arguments = _value(ufunc_call.func, frame).__name__, ", ".join(map(ast.unparse, ufunc_call.args))
    as_array = f"`{ast.unparse(ufunc_call.func)}({ast.unparse(ufunc_call.args[0])}.numpy())`"
    if not hasattr(sys.modules["to_static"], name):
        return f"NumPy's functions are for arrays: {as_array}"
    return f"NumPy's functions are for arrays: `paddle.{name}({arguments})`, or {as_array}"


def _of_no_tensor(class_name: str, node: ast.expr | None) -> str | None:
    """Return the hint for a function of the package that was called with a value that is no tensor."""
    if not isinstance(node, ast.Call):
        return None
    function = ast.unparse(node.func)
    if class_name == "NoneType":
        return f"`{function}` takes a tensor, and got None: a function that ends without `return` gives None"
    makes = "`paddle.to_tensor(...)` makes tensors of numbers, lists and arrays"
    return f"`{function}` takes a tensor, and got a {class_name}: {makes}"


def _of_plain(message: str, class_name: str, node: ast.expr) -> str | None:
    """Return the hint for ``loss.backward()`` where ``loss`` is a number, an array or a list."""
    name = message.rpartition("attribute ")[2].strip("'")
    if class_name not in _PLAIN or not hasattr(sys.modules["to_static"].Tensor, name):
        return None
    owners = [ast.unparse(inner.value) for inner in ast.walk(node) if isinstance(inner, ast.Attribute) and inner.attr == name]
    return f"`{owners[0]}` {_PLAIN[class_name].format(owners[0])}" if owners else None


def _of_none(node: ast.expr) -> str | None:
    """Return the hint for ``net.weight.grad.numpy()`` where there is no gradient."""
    grads = [inner for inner in ast.walk(node) if isinstance(inner, ast.Attribute) and inner.attr == "grad"]
    attribute = node.func if isinstance(node, ast.Call) else node
    if not grads and isinstance(attribute, ast.Attribute) and isinstance(attribute.value, ast.Call):
        return f"`{ast.unparse(attribute.value)}` gave None, as a function does that ends without `return`"
    if not grads:
        return None
    owner = ast.unparse(grads[0])
    return f"`{owner}` is None: no `backward()` has come there since it was made or cleared, or it has stop_gradient=True"


def _of_index(error: BaseException, node: ast.expr, frame: types.FrameType) -> str | None:
    if str(error) not in _SHORT or not isinstance(node, ast.Subscript):
        return None
    value = _value(node.value, frame)
    if not isinstance(value, (list, tuple)):
        return None
    name = ast.unparse(node.value)
    if not value:
        return f"`{name}` is empty: `{name}.append(...)` adds an item" if isinstance(value, list) else f"`{name}` is empty"
    items = "1 item" if len(value) == 1 else f"{len(value)} items"
    return f"`{name}` has {items}: the last one is `{name}[{len(value) - 1}]`, or `{name}[-1]`"


def _of_keyword(name: str, keyword: str, call: ast.Call, frame: types.FrameType) -> str | None:
    """``name``: of the function that does not know the keyword, which need not be the one that the expression calls."""
    function: Any = _value(call.func, frame)
    if function is None and isinstance(call.func, ast.Attribute) and name == call.func.attr:  # of the result of another call
        function = getattr(sys.modules["to_static"].Tensor, name, None)
    module = str(getattr(function, "__module__", ""))
    if module.partition(".")[0] == "numpy" and call.args and all(argument.arg != keyword for argument in call.keywords):
        owner = ast.unparse(call.args[0])  # NumPy calls the method of whatever has one
        return f"NumPy's functions are for arrays: `{owner}.{function.__name__}()`, or `{ast.unparse(call.func)}({owner}.numpy())`"
    owners = [cls.__name__ for cls in function.__mro__] if isinstance(function, type) else [getattr(function, "__name__", "")]
    if module.partition(".")[0] != "to_static" or not {*name.split(".")} & {*owners}:
        return None
    if keyword in _LEFT_OUT:
        return _LEFT_OUT[keyword]
    if keyword in ("stop_gradient", "requires_grad") and "stop_gradient" not in _parameters(function):
        return _NO_GRADIENT_THERE
    if keyword in _OF_KERAS and keyword not in KEYWORDS:
        meant = [paddle_keyword for paddle_keyword in _OF_KERAS[keyword] if paddle_keyword in _parameters(function)]
        if meant:
            return f"PaddlePaddle calls it `{meant[0]}=...`"
    if keyword not in KEYWORDS:
        return close_to(keyword, _parameters(function)).removeprefix("; ") or None
    return f"PaddlePaddle calls it `{_VALUES.get(keyword, KEYWORDS[keyword] + '=...')}`"


def _of_passed_on(error: BaseException, name: str, keyword: str) -> str | None:
    """Return the hint for a keyword that a function passes on, with ``**kwargs``, to a class or function that it calls."""
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    if step is None or not source_location.is_internal(step.tb_frame.f_code.co_filename):
        return None
    function = step.tb_frame.f_globals.get(name.partition(".")[0])
    return None if function is None else close_to(keyword, _parameters(function)).removeprefix("; ") or None


def _parameters(function: Callable[..., Any]) -> list[str]:
    import inspect  # only for errors: it costs start-up time

    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []


def close_to(keyword: str, names: Iterable[str]) -> str:
    """``; did you mean `padding=...`?`` for a keyword that is much like one that is known, else ''."""
    suggestion = closest(keyword, names)
    return f"; did you mean `{suggestion}=...`?" if suggestion else ""


def closest(name: str, names: Iterable[str]) -> str | None:
    """The known name that is most like one that is not, if one is much like it."""
    import difflib  # only for errors: it costs start-up time

    return next(iter(difflib.get_close_matches(name, names, 1)), None)


def _of_module(callee: ast.expr, module: types.ModuleType) -> str | None:
    """Return the hint for a call of a module: the class or function whose name differs only in case, or PyTorch's ``tensor``."""
    if not module.__name__.startswith("to_static.") or not isinstance(callee, ast.Attribute):
        return None
    text, owner = ast.unparse(callee), ast.unparse(callee.value)
    if callee.attr in _CALLED:
        return f"`{text}` is a module; `{owner}.{_CALLED[callee.attr]}"
    parent_module = sys.modules[module.__name__.rpartition(".")[0]]
    named = [name for name in getattr(parent_module, "__all__", ()) if name.lower() == callee.attr.lower() and name != callee.attr]
    return f"`{text}` is a module; did you mean `{owner}.{named[0]}`?" if named else None


def _of_property(function: ast.Attribute) -> str | None:
    """Return the hint for a call of a property of tensors."""
    advice = _PROPERTIES.get(function.attr)
    return None if advice is None else advice.format(owner=ast.unparse(function.value), name=function.attr)


def _call(text: str) -> ast.Call | None:
    """The call that a text is, or the only one in it that is given several values."""
    try:
        node = ast.parse(text, mode="eval").body
    except SyntaxError:
        return None
    if isinstance(node, ast.Call):
        return node
    calls = [inner for inner in ast.walk(node) if isinstance(inner, ast.Call) and len(inner.args) > 1]
    return calls[0] if len(calls) == 1 else None


def _is_method(function: ast.expr, frame: types.FrameType) -> bool:
    """Return whether what is called is a method of a value, and no function of a module."""
    return isinstance(function, ast.Attribute) and not isinstance(_value(function.value, frame), types.ModuleType)


def _value(node: ast.expr, frame: types.FrameType) -> Any:
    """The object that a name, or a chain of attributes without computations, stands for; None for anything else."""
    if isinstance(node, ast.Name):
        return next((space[node.id] for space in (frame.f_locals, frame.f_globals) if node.id in space), None)
    if not isinstance(node, ast.Attribute):
        return None
    owner = _value(node.value, frame)
    if isinstance(owner, (types.ModuleType, type)):
        return getattr(owner, node.attr, None)
    fields = getattr(owner, "__dict__", {})
    return fields[node.attr] if node.attr in fields else getattr(type(owner), node.attr, None)


# the advice on an error of Python's own: the first rule that has some
_RULES: dict[type[BaseException], tuple[Callable[[BaseException, ast.expr, types.FrameType], str | None], ...]] = {
    AttributeError: (_of_attribute,),
    IndexError: (_of_index,),
    TypeError: (_of_ufunc, _of_unknown_keyword, _of_one_list, _of_called),
}
