"""The gradient tape: the nodes that eager mode records, `backward` and `grad`.

A node stores arrays and edges, not tensors. So an in-place change of a tensor does not change the record, and there are no
reference cycles.
"""

from __future__ import annotations

import functools
import itertools
import threading
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import chain, repeat
from sys import getrefcount
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.autodiff.vjp import accumulate, call_vjp
from to_static.compiler.eager import derived, saved_tensor_hooks
from to_static.compiler.eager.final_gradients import FinalGradients
from to_static.compiler.ir import mode
from to_static.compiler.ir.opdef import GradContext, OpDef
from to_static.compiler.ir.tensor import AnyTensor
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.shape_rules import compatible
from to_static.core import after_backward
from to_static.core import backend as backends
from to_static.core.atomic import Steps, commit, set_all, setting
from to_static.core.diagnostics.printable import printable
from to_static.core.errors import AutogradError, ShapeError
from to_static.core.log import warn_here
from to_static.core.processes.forking import free_in_children

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from to_static.compiler.eager.tensor import EagerTensor
    from to_static.core.array_types import Array
    from to_static.core.backend import Backend

order = itertools.count()  # of nodes, oldest first
CLEARED: Any = type("Cleared", (), {})()  # a gradient of zeros that nobody has looked at: `Tensor.grad` makes it when asked
adding = free_in_children(threading.RLock())  # held while a gradient is added to that of a tensor, which threads may share


class Edge:
    """The source of an input: output ``index`` of ``node``, or a leaf tensor."""

    __slots__ = ("index", "leaf", "node")

    def __init__(self, tensor: Any) -> None:
        self.node = tensor._node
        self.index = tensor._index
        self.leaf = tensor if tensor._node is None else None


def edge_of(tensor: EagerTensor) -> Edge | None:
    """The edge to a tensor, None when no gradient flows into it."""
    return None if tensor.stop_gradient else Edge(tensor)


def edges_of(opdef: OpDef, inputs: tuple[Any, ...]) -> list[Edge | None]:
    """Return the edges to the inputs of an operator, with those of a list in a list."""
    edges: list[Edge | None] = []
    for i, item in enumerate(inputs):
        if type(item) is list or type(item) is tuple:
            edges.extend(map(edge_of, item))
        elif item is not None:
            edges.append(None if i in opdef.constants else edge_of(item))
    return edges


class Node:
    """A recorded computation. Subclasses implement `vjp`.

    ``edges``: one for each flat input, None for an input without gradient. ``count``: the number of outputs. ``hooks``: output
    index -> functions.
    """

    __slots__ = ("count", "edges", "hooks", "name", "order", "retained")
    makes_fresh = False  # whether the gradients that `vjp` gives are tensors that nobody else has
    tensor: Any = None  # the class of the tensors that it makes: `EagerTensor`, whose module imports this one and sets it
    step: Any = None  # a compiled `backward` of such a node, if there is one (`compiled_backward.py`)

    def __init__(self, name: str, edges: list[Edge | None], count: int) -> None:
        self.name = name
        self.edges: list[Edge | None] | None = edges
        self.count = count
        self.order = next(order)
        self.hooks: dict[int, list[Any]] | None = None
        self.retained: dict[int, Any] | None = None

    def vjp(self, gouts: list[Any]) -> list[Any]:
        """Gradients of the flat inputs from those of the outputs (None = zero)."""
        raise NotImplementedError("a subclass must define this method")

    def raw(self, gouts: list[Any]) -> Any:
        """Return the gradients as arrays, without recording; None: only `vjp` can compute them."""
        return None

    def looked_up(self) -> Any:
        """Return the table, the padding_idx and the ids if the node looked up rows of a leaf; else None."""
        return None

    def leaves(self) -> list[Any] | None:
        """Return the leaf of each edge, in order; None if an edge leads to no leaf, or two edges to the same one."""
        leaf_list = [None if edge is None else edge.leaf for edge in self.edges or ()]
        for leaf in leaf_list:
            if leaf is None:
                return None
        return None if len(leaf_list) > 1 and len(set(map(id, leaf_list))) != len(leaf_list) else leaf_list

    def free(self) -> None:
        """Drop the saved arrays; a second backward through this node then raises AutogradError."""
        self.edges = None


def was_freed(node: Node) -> AutogradError:
    """Return the error for a gradient that reaches a node after the node was freed."""
    return AutogradError(f"the graph of {node.name!r} was freed by an earlier backward; call that one with retain_graph=True")


class OpNode(Node):
    """One operator call. ``edges``: see `edges_of`."""

    __slots__ = ("attrs", "inputs", "opdef", "outputs")

    def __init__(
        self,
        opdef: OpDef,
        inputs: tuple[Any, ...],
        edges: list[Edge | None],
        arrays: list[Any],
        attrs: dict[str, Any],
        outputs: list[Any],
    ) -> None:
        self.name = opdef.name  # the fields of a Node, set here: a call of its __init__ costs as much as all of them
        self.edges = edges
        self.count = 1
        self.order = next(order)
        self.hooks = self.retained = None
        self.opdef = opdef
        self.inputs = self._packed(inputs, arrays) if saved_tensor_hooks.hooks.get() else arrays
        self.attrs = attrs
        self.outputs = outputs

    def vjp(self, gouts: list[Any]) -> list[Any]:
        edges = iter(self.edges)  # type: ignore[arg-type]
        inputs: list[Any] = []
        needs: list[Any] = []
        for item in self.inputs:
            if item is None:
                inputs.append(None)
                needs.append(False)
            elif type(item) is list:
                item_edges = [next(edges) for _ in item]
                inputs.append(list(map(rebuilt, item, item_edges)))
                needs.append([edge is not None for edge in item_edges])
            else:
                edge = next(edges)
                inputs.append(rebuilt(item, edge))
                needs.append(edge is not None)
        outputs = []
        for i, array in enumerate(self.outputs):
            tensor = Node.tensor(array)
            if i not in self.opdef.auxiliary:
                tensor._node, tensor._index, tensor.stop_gradient = self, i, False
            outputs.append(tensor)
        context = GradContext(tuple(inputs), tuple(outputs), self.attrs, tuple(needs))
        return call_vjp(self.opdef, context, gouts)

    def raw(self, gouts: list[Any]) -> Any:
        return derived.gradients(self.opdef, self.inputs, self.outputs, self.edges, self.attrs, gouts)  # type: ignore[arg-type]

    def looked_up(self) -> Any:
        assert self.edges is not None
        edge, ids = self.edges[1], self.inputs[0]
        if edge is None or edge.leaf is None or type(ids) is saved_tensor_hooks.Packed:
            return None
        return edge.leaf, self.attrs["padding_idx"], Node.tensor(ids)

    def _packed(self, inputs: tuple[Any, ...], arrays: list[Any]) -> list[Any]:
        """The arrays, as the hooks of the user want them kept."""
        return [
            [saved_tensor_hooks.Packed(t) for t in item]
            if isinstance(array, list)
            else None
            if array is None
            else saved_tensor_hooks.Packed(item)
            for item, array in zip(inputs, arrays, strict=True)
        ]

    def free(self) -> None:
        super().free()
        self.inputs = []
        self.outputs = []


@functools.lru_cache(256)
def shaped(shape: tuple[int, ...], dtype: np.dtype) -> Any:
    """Return a placeholder array of this shape and dtype; its values are never read."""
    return np.broadcast_to(np.zeros((), dtype), shape)


def leave_numbers(node: OpNode, inputs: tuple[Any, ...], inplace_target: EagerTensor | None = None) -> None:
    """Let a node keep no array of a memory that may be written to: what stands for it, or a copy if its rule reads the numbers.

    ``inplace_target`` is the one of them that is being changed.
    """
    if saved_tensor_hooks.hooks.get():
        return  # which have taken them
    arrays, unread, where = node.inputs, node.opdef.unread, node.opdef.unread_where
    if where is not None and not where(node.attrs):
        unread = frozenset()
    for i, tensor in enumerate(inputs):
        if type(tensor) is not Node.tensor or (tensor._memory is None and not tensor._version and tensor is not inplace_target):
            continue
        array = arrays[i]
        if i in unread:
            if tensor._node is not None or tensor.stop_gradient:
                arrays[i] = shaped(array.shape, array.dtype)
        elif tensor._memory is not None and tensor._memory.written and array.base is not None and array.size < array.base.size:
            arrays[i] = array.copy()
    if len(arrays) in unread:
        node.outputs = [shaped(array.shape, array.dtype) for array in node.outputs]


def rebuilt(array: Array, edge: Edge | None) -> Any:
    """Return a tensor for a saved array, with its place in the gradient graph."""
    if type(array) is saved_tensor_hooks.Packed:
        array = array.tensor()._array
    if edge is None:
        return Node.tensor(array)
    if edge.leaf is not None and edge.leaf._array is array:
        return edge.leaf
    tensor = Node.tensor(array, False)
    tensor._node, tensor._index = edge.node, edge.index
    return tensor


class MoveNode(Node):
    """A copy to another device; the gradient is copied back."""

    __slots__ = ("source",)

    def __init__(self, tensor: EagerTensor, source: Backend) -> None:
        super().__init__("to", [edge_of(tensor)], 1)
        self.source = source

    def vjp(self, gouts: list[Any]) -> list[Any]:
        return [gouts[0]._on(self.source.place)]


def backward(tensors: list[Any], grads: list[Any] | None = None, retain_graph: bool = False) -> None:
    """Add the gradients of ``tensors`` (weighted by ``grads``, ones by default) to ``.grad`` of every leaf they depend on.

    Tensors with stop_gradient=True are left out, with a warning.
    """
    waiting = after_backward.waiting()
    if waiting:
        watch = FinalGradients(tensors, waiting)
        mode.in_grad_mode(False, _swept, tensors, grads, retain_graph, watch)
        after_backward.gradients_added(watch.reached)
        return
    one_default = len(tensors) == 1 and (grads is None or grads[0] is None)
    if not (one_default and backward_one_node(tensors[0], retain_graph)):
        mode.in_grad_mode(False, _swept, tensors, grads, retain_graph)


def takes_part(out: EagerTensor, weight: EagerTensor | None, warns: bool = True) -> bool:
    """True if a gradient flows from ``out``, weighted by ``weight``. None does with stop_gradient=True: Paddle is silent, we warn.

    Raises ShapeError when the weight has another shape.
    """
    if weight is not None and not compatible(weight.spec.shape, out.spec.shape):
        raise ShapeError(f"the gradient given for {printable(out.name)} has shape {weight.shape}, the tensor {out.shape}")
    if out.stop_gradient and warns:
        name = printable(out._name or "the tensor")  # a generated name would make each warning another one
        warn_here(
            f"backward: {name} has stop_gradient=True, so nothing is differentiated and no gradient changes: "
            "it depends on no tensor with stop_gradient=False, or was computed under no_grad()"
        )
    return not out.stop_gradient


def backward_one_node(out: EagerTensor, retain_graph: bool) -> bool:
    """Run `backward` if one node computed ``out`` from leaves (as a static function does). False: it did nothing."""
    node = out._node
    if node is None or not node.makes_fresh or node.edges is None or node.hooks or node.retained or out.stop_gradient:
        return False
    step = node.step
    if step is None or not step(node):
        leaves = node.leaves()
        if leaves is None or any(leaf._hooks for leaf in leaves):
            return False
        array = out._array
        xp = np if type(array) is np.ndarray else backends.backend_of(array).xp
        gouts = [type(out)(xp.ones_like(array)) if i == out._index else None for i in range(node.count)]
        gradients = mode.in_grad_mode(False, node.vjp, gouts)
        with adding:
            add(leaves, gradients)
    if not retain_graph:
        node.free()
    return True


def adding_to(leaf: EagerTensor, gradient: Any) -> list[Steps]:
    """Return the steps that add a gradient, which the caller owns, to the gradient of a leaf. The caller holds the lock `adding`.

    The gradient tensor of the leaf gets the sum in place, so that other references and views see it, as in PaddlePaddle.
    """
    old_grad = leaf._grad
    total = gradient if old_grad is None or old_grad is CLEARED else plus(old_grad, gradient)
    if type(old_grad) is type(total) is Node.tensor and old_grad._node is None:
        return old_grad.holding(total._array, {})  # type: ignore[no-any-return]
    total.stop_gradient = False
    return [setting((leaf, "_grad", total))]


def add(leaves: list[Any], gradients: list[Any]) -> None:
    """Add gradients (None, or tensors that the caller owns) to those of leaves in one step. The caller holds `adding`."""
    additions = _Additions()
    for leaf, gradient in zip(leaves, gradients, strict=True):
        if gradient is not None:
            additions.add(leaf, gradient)
    additions.write()


class _Additions:
    """Gradients that are added to those of leaves in one step, by `write`."""

    def __init__(self) -> None:
        self.owners: list[Any] = []  # of gradients that are to be others
        self.totals: list[Any] = []
        self._current_gradient: list[Any] = []  # tensors that are to have other numbers
        self._arrays: list[Any] = []
        self._steps: list[Steps] = []

    def add(self, leaf: EagerTensor, gradient: Any) -> None:
        """Add a gradient to that of ``leaf``, as `adding_to` says, when `write` is called."""
        old_grad = leaf._grad
        if type(old_grad) is Node.tensor and old_grad._memory is old_grad._node is None:
            a, b = old_grad._array, gradient if type(gradient) is np.ndarray else gradient._array
            if type(a) is type(b) is np.ndarray and a.dtype is b.dtype and a.shape == b.shape:
                self._current_gradient.append(old_grad)
                self._arrays.append(np.asarray(a + b))
                return
        self._steps += adding_to(leaf, _wrapped(gradient))

    def write(self) -> None:
        """Perform all additions in one step."""
        entries, steps = self._current_gradient, self._steps
        objects: Any = self.owners
        names, values = repeat("_grad"), self.totals
        if entries:
            versions = [tensor._version + 1 for tensor in entries]
            objects, values = [*objects, *entries, *entries], [*values, *self._arrays, *versions]
            names = chain(repeat("_grad", len(self.owners)), repeat("_array", len(entries)), repeat("_version"))  # type: ignore[assignment]
        if steps:
            commit([*steps, map(setattr, objects, names, values)])
        else:
            set_all(objects, names, values)


def putting(leaf: EagerTensor, array: Array) -> list[Steps]:
    """Return the steps that write ``array`` to the gradient of a leaf.

    The existing gradient tensor, which others may hold, gets the array; if there is none, a new tensor does.
    """
    old_grad = leaf._grad
    if type(old_grad) is Node.tensor and old_grad._node is None and old_grad._array.dtype == array.dtype:
        return old_grad.holding(array, {})  # type: ignore[no-any-return]
    return [setting((leaf, "_grad", Node.tensor(array, False)))]  # which takes part in differentiation, as others do


def clearing(leaf: EagerTensor) -> list[Steps]:
    """The steps that clear the gradient of a leaf.

    Holders of the old tensor, or of a view of it, see zeros, but no later gradient.
    """
    old_grad = leaf._grad
    steps = [setting((leaf, "_grad", CLEARED))]
    if type(old_grad) is Node.tensor and (old_grad._memory is not None or getrefcount(old_grad) > _UNSEEN):
        steps += old_grad.holding(backends.backend_of(old_grad._array).xp.zeros_like(old_grad._array), {})
    return steps


def clear(leaves: list[Any]) -> None:
    """Clear the gradients of all ``leaves`` in one step, each as `clearing` says."""
    cleared, steps, tensor = [], [], Node.tensor
    for leaf in leaves:
        old_grad = leaf._grad
        if old_grad is not None and old_grad is not CLEARED:
            cleared.append(leaf)
            if type(old_grad) is tensor and (old_grad._memory is not None or getrefcount(old_grad) > _UNSEEN):
                steps += old_grad.holding(backends.backend_of(old_grad._array).xp.zeros_like(old_grad._array), {})
    if steps:
        steps.append(map(setattr, cleared, repeat("_grad"), repeat(CLEARED)))
        commit(steps)
    else:
        set_all(cleared, repeat("_grad"), repeat(CLEARED))


def _unseen() -> int:
    """Return the reference count of a tensor that only a leaf and `clearing` refer to, so that a change of it is invisible."""
    leaf = [Node("nothing", [], 1)]
    old_grad = leaf[0]
    return getrefcount(old_grad)


_UNSEEN = _unseen()


def plus(total: Any, gradient: Any) -> Any:
    """Return the sum of an existing gradient and another one, as a new tensor that is not recorded."""
    a, b = total._array, gradient._array
    if type(a) is type(b) is np.ndarray and a.dtype is b.dtype and a.shape == b.shape:
        array = a + b
        return Node.tensor(array if type(array) is np.ndarray else np.asarray(array), False)
    return accumulate(total, gradient)


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool = False,
    no_grad_vars: Any = None,
) -> list[Any]:
    """Gradients of ``outputs`` with respect to ``inputs``, without touching any ``.grad``.

    ``grad_outputs``: weights of the outputs (ones where None). ``create_graph``: the gradients can be differentiated again.
    ``retain_graph``: keep the graph for another backward (default: as ``create_graph``). ``allow_unused``: give None for an
    input that no output depends on, instead of raising. ``no_grad_vars``: tensors to treat as constants.
    Raises AutogradError when an input is not used and ``allow_unused`` is False, TypeError for what is no tensor.
    ``only_inputs``: must be True.

    Example:
        >>> x = paddle.to_tensor(3.0, stop_gradient=False)
        >>> [g] = paddle.grad(x * x, x)        # 6.0
    """
    if not only_inputs:
        raise AutogradError("grad: only_inputs=False is not supported; call backward() instead")
    outs = list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]
    ins = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    for what, listed in (("outputs", outs), ("inputs", ins)):
        for item in listed:
            if not isinstance(item, AnyTensor):
                advice = ": call it, `paddle.grad(f(x), x)`" if callable(item) else ""
                raise TypeError(f"grad: {what} must be a Tensor or a list of them, got {type(item).__name__}{advice}")
    if mode.building():
        # brings the rules of control flow, which eager mode does not need
        from to_static.compiler.autodiff.backward import gradients
        from to_static.compiler.autodiff.gradient_reachability import check_decided

        check_decided(outs, ins)
        return _all_found(gradients(outs, ins, grad_outputs, no_grad_vars, create_graph), ins, allow_unused)
    sources, outs, ins = ins, _dense(outs), _dense(ins)
    weights = grad_outputs if isinstance(grad_outputs, (list, tuple)) or grad_outputs is None else [grad_outputs]
    weights = weights and _dense(weights)
    block = no_grad_vars if isinstance(no_grad_vars, (list, tuple, set)) else [no_grad_vars] if no_grad_vars is not None else []
    keep = create_graph if retain_graph is None else retain_graph
    by_input = mode.in_grad_mode(create_graph, _sweep, outs, weights, keep, ins, _dense(block))
    by_input = _all_found(by_input, ins, allow_unused)
    return [g if g is None else x._with_dense_values(g) for x, g in zip(sources, by_input, strict=True)]


def _dense(tensors: Iterable[EagerTensor]) -> list[Any]:
    """The tensors that the graph is of."""
    return [t._dense_values() if isinstance(t, AnyTensor) else t for t in tensors]


def _all_found(grads: list[Any], inputs: list[Any], allow_unused: bool) -> list[Any]:
    for i, g in enumerate(grads):
        if g is None and not allow_unused:
            x = inputs[i]
            stopped = "has stop_gradient=True: set `x.stop_gradient = False` before anything is computed of it"
            reason = stopped if x.stop_gradient else "does not influence the outputs"
            advice = "or pass allow_unused=True to get None for it"
            raise AutogradError(f"grad: input {i} ({x.name}, of shape {list(x.shape)}) {reason}; {advice}")
    return grads


def grad_up_to(outputs: list[Any], weights: list[Any], inputs: list[Any]) -> list[Any]:
    """`grad` with ``create_graph``, for a part of the graph: the sweep ends at ``inputs``."""
    return mode.in_grad_mode(True, _sweep, outputs, weights, True, inputs, [], True)  # type: ignore[no-any-return]


def _sweep(
    outputs: list[Any],
    weights: Sequence[EagerTensor | None],
    retain_graph: bool,
    targets: list[Any],
    blocked: list[Any],
    up_to: bool = False,
) -> list[Any]:
    """Go through the graph from the newest node to the oldest, once each, for the gradients of ``targets``.

    ``up_to``: not beyond these.
    """
    pending: dict[Node, list[Any]] = {}
    heap: list[tuple[int, Node]] = []
    wanted = {_key(t): i for i, t in enumerate(targets)}
    stopped = {_key(t) for t in blocked}
    results: list[Any] = [None] * len(targets)

    def send(edge: Edge, gradient: Any) -> None:
        node, index = edge.node, edge.index
        if node is None:
            key = "leaf", id(edge.leaf)
            if key in wanted and key not in stopped:
                position = wanted[key]
                results[position] = accumulate(results[position], gradient)
            return
        if stopped and (id(node), index) in stopped:
            return
        if up_to and (position := wanted.get((id(node), index))) is not None:
            results[position] = accumulate(results[position], gradient)
            return
        slots = pending.get(node)
        if slots is None:
            slots = pending[node] = [None] * node.count
            heappush(heap, (-node.order, node))
        slots[index] = accumulate(slots[index], gradient)

    for i, out in enumerate(outputs):
        weight = None if weights is None else weights[i]
        if not takes_part(out, weight, False):
            continue
        if weight is None:
            weight = F.ones_like(out)
        send(Edge(out), weight)
    visited = []
    while heap:
        _, node = heappop(heap)
        gouts = pending.pop(node)
        if node.edges is None:
            raise was_freed(node)
        if node.hooks:
            for index, functions in node.hooks.items():
                if gouts[index] is not None:
                    gouts[index] = run_hooks(functions, gouts[index])
        for index, g in enumerate(gouts):
            position = wanted.get((id(node), index))  # type: ignore[assignment]
            if position is not None and g is not None:
                results[position] = g
        visited.append(node)
        for edge, gradient in zip(node.edges, node.vjp(gouts), strict=True):
            if edge is not None and gradient is not None:
                send(edge, gradient)
    if not retain_graph:
        for node in visited:
            node.free()
    return results


def _swept(
    outputs: list[Any], weights: Sequence[EagerTensor | None], retain_graph: bool, watch: FinalGradients | None = None
) -> None:
    """The same for ``.grad`` of all leaves. Gradients on the way are arrays, where they are NumPy's."""
    pending: dict[Node, list[Any]] = {}
    heap: list[tuple[int, Node]] = []
    leaves: dict[int, tuple[Any, Any]] = {}

    def send(edge: Edge, gradient: Any) -> None:
        node = edge.node
        if node is None:
            leaf = edge.leaf
            sum_so_far = leaves.get(id(leaf))
            leaves[id(leaf)] = leaf, gradient if sum_so_far is None else _sum(sum_so_far[1], gradient)
            return
        slots = pending.get(node)
        if slots is None:
            slots = pending[node] = [None] * node.count
            heappush(heap, (-node.order, node))
        sum_so_far = slots[edge.index]
        slots[edge.index] = gradient if sum_so_far is None else _sum(sum_so_far, gradient)

    for i, out in enumerate(outputs):
        weight = None if weights is None else weights[i]
        if (weight is not None or out.stop_gradient) and not takes_part(out, weight):
            continue
        if weight is not None:
            send(Edge(out), _unwrapped(weight))
        elif type(out._array) is np.ndarray:
            ones = np.empty(out._array.shape, out._array.dtype)
            ones.fill(1)
            send(Edge(out), ones)
        else:
            send(Edge(out), F.ones_like(out))
    visited = []
    keepers: list[tuple[Any, Any]] = []  # tensors that keep their gradients though they are no leaves
    lookups: dict[Any, tuple[Any, list[Any], list[Any]]] = {}  # in each table: ids, and gradients of what was found
    while heap:
        node = heappop(heap)[1]
        gouts = pending.pop(node)
        if node.edges is None:
            raise was_freed(node)
        if node.hooks:
            for index, functions in node.hooks.items():
                if gouts[index] is not None:
                    gouts[index] = _unwrapped(run_hooks(functions, _wrapped(gouts[index])))
        if node.retained:
            for index, keeper in node.retained.items():
                if gouts[index] is not None:
                    keepers.append((keeper, _wrapped(gouts[index])))
        visited.append(node)
        lookup = node.looked_up() if node.name == "embedding" else None
        if lookup is not None:
            leaf, padding_idx, looked = lookup
            _, ids, rows = lookups.setdefault((id(leaf), padding_idx), (leaf, [], []))
            ids.append(looked)
            rows.append(_wrapped(gouts[0]))
            continue
        gradients = node.raw(gouts)
        if gradients is None:
            gradients = map(_unwrapped, node.vjp(list(map(_wrapped, gouts))))
        for edge, gradient in zip(node.edges, gradients, strict=True):
            if edge is not None and gradient is not None:
                send(edge, gradient)
        if watch is not None:
            watch.passed(node, leaves)
    for (_, padding_idx), (leaf, ids, rows) in lookups.items():
        send(Edge(leaf), leaf._of_lookups(ids, rows, padding_idx))
    pairs = [(leaf, run_hooks(leaf._hooks, _wrapped(g)) if leaf._hooks else g) for leaf, g in leaves.values()]
    with adding:
        _add_all(keepers, pairs)
    if not retain_graph:
        for node in visited:
            node.free()


def _wrapped(gradient: Array | EagerTensor | None) -> Any:
    """A tensor that holds the array, if it is one."""
    return Node.tensor(gradient) if type(gradient) is np.ndarray else gradient


def _unwrapped(gradient: EagerTensor) -> Any:
    """The array of a plain tensor on the host, of anything else itself."""
    is_numpy_leaf = type(gradient) is Node.tensor and gradient._node is None and type(gradient._array) is np.ndarray
    return gradient._array if is_numpy_leaf else gradient


def _sum(total: Array | None, gradient: Array) -> Any:
    """The sum of two gradients, arrays or tensors."""
    if type(total) is type(gradient) is np.ndarray and total.dtype is gradient.dtype and total.shape == gradient.shape:
        total_array = total + gradient
        return total_array if type(total_array) is np.ndarray else np.asarray(total_array)
    return accumulate(_wrapped(total), _wrapped(gradient))


def _add_all(keepers: list[tuple[Any, Any]], leaves: list[tuple[Any, Any]]) -> None:
    """Add gradients to those of leaves, and of tensors with `retain_grads`, in one step."""
    additions, tensor = _Additions(), Node.tensor
    owners, totals = additions.owners, additions.totals
    for keeper, gradient in keepers:
        owners.append(keeper)
        totals.append(_leaf_gradient(accumulate(_current_gradient(keeper), gradient)))
    for leaf, gradient in leaves:
        old_grad = leaf._grad
        if old_grad is None or old_grad is CLEARED:
            owners.append(leaf)
            totals.append(_leaf_gradient(gradient))
        elif type(old_grad) is not tensor:
            owners.append(leaf)
            totals.append(_leaf_gradient(old_grad._plus(_wrapped(gradient))))
        else:
            additions.add(leaf, gradient)
    additions.write()


def _current_gradient(tensor: EagerTensor) -> Any:
    """Return the gradient to which the next one is added, or None if there is none or it is cleared."""
    return None if tensor._grad is CLEARED else tensor._grad


def _leaf_gradient(gradient: EagerTensor) -> Any:
    """The tensor for ``.grad``: one of its own that takes part in differentiation, as in Paddle."""
    if type(gradient) is np.ndarray:
        return Node.tensor(gradient, False)
    if type(gradient) is Node.tensor:
        return Node.tensor(gradient._array, False)
    gradient = gradient.detach()
    gradient.stop_gradient = False
    return gradient


def run_hooks(functions: list[Any], gradient: EagerTensor) -> Any:
    """Apply gradient hooks in order; a hook that returns None leaves the gradient as it is."""
    if gradient.stop_gradient:
        gradient = gradient.detach()
        gradient.stop_gradient = False  # as gradients are in Paddle
    for function in functions:
        hook_result = function(gradient)
        if hook_result is not None:
            gradient = hook_result
    return gradient


def _key(tensor: EagerTensor) -> Any:
    return ("leaf", id(tensor)) if tensor._node is None else (id(tensor._node), tensor._index)


class HookHandle:
    """The handle that `register_hook` returns; ``remove()`` takes the hook off again."""

    def __init__(self, functions: list[Callable[..., Any]], function: Callable[..., Any]) -> None:
        self._functions = functions
        self._function = function

    def remove(self) -> bool:
        """Take the hook off; True when it was still there."""
        if self._function in self._functions:
            self._functions.remove(self._function)
            return True
        return False
