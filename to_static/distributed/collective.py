"""Exchanges of tensors between the processes of a group; in a world of one each gives what it was given.

They are operators with an effect (`py_func`), so they keep their order in dynamic mode and in static functions alike.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from to_static.compiler.ir import mode
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions
from to_static.core.errors import ArgumentError, ModeError
from to_static.core.importing.paddle_module_aliases import names_around
from to_static.distributed.groups import Group, group_of
from to_static.distributed.world import World

Arrays = list[np.ndarray]


class ReduceOp:
    """The ways to reduce tensors of several processes.

    Example:
        >>> paddle.distributed.ReduceOp.SUM
        0
    """

    SUM, MAX, MIN, PROD, AVG = range(5)


_NAMES = {ReduceOp.SUM: "sum", ReduceOp.MAX: "max", ReduceOp.MIN: "min", ReduceOp.PROD: "prod", ReduceOp.AVG: "avg"}


def _get_reduce_op(reduce_op: Any, func_name: str) -> Any:
    """The operation as code of model collections asks for it; Paddle has a number of its own for each."""
    return reduce_op


class Task:
    """The result of an exchange that does not wait."""

    def __init__(self, finish: Callable[[], None] | None = None) -> None:
        self._finish = finish

    def wait(self) -> bool:
        """Wait for its end: True."""
        finish, self._finish = self._finish, None
        if finish is not None:
            finish()
        return True

    def is_completed(self) -> bool:
        """Return whether it has ended."""
        return self._finish is None

    def synchronize(self) -> None:
        """Wait for its end."""
        self.wait()


_DONE = Task()


def _world(group: Group | None) -> World:
    return (group_of(0) if group is None else group).world


def _operation(op: int) -> str:
    if op not in _NAMES:
        raise ArgumentError(f"op must be one of ReduceOp.SUM, MAX, MIN, PROD and AVG, got {op!r}")
    return _NAMES[op]


def _member(group: Group | None, rank: Any, name: str) -> int:
    """The number within the group of a process of the whole world. Raises ModeError for one that is not there."""
    processes = _world(group)
    if group is None or group.id == 0:
        return processes.need_rank(rank, name)
    group_rank = group.get_group_rank(rank)
    if group_rank < 0:
        raise ModeError(f"{name}: process {rank} is not in the group of {group.ranks}")
    return group_rank


def _exchanged(inputs: Sequence[Tensor], call: Callable[[Arrays], Arrays], results: Sequence[Any]) -> list[Any]:
    """Return what ``call`` gives for the arrays of tensors, as tensors of the specs ``results``."""
    with mode.grad_mode(False):
        outputs = functions.py_func(list(inputs), call, None, tuple(results))
    return list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]


def _put(target: Tensor, value: Tensor) -> None:
    """Make ``target`` hold a value; the tensor itself is left as it is."""
    if target is not value:
        with mode.grad_mode(False):
            target.set_value(value)


def all_reduce(tensor: Tensor, op: int = ReduceOp.SUM, group: Group | None = None, sync_op: bool = True) -> Task:
    """Make ``tensor`` the sum (or ``op``) of those of all processes, which have one shape and dtype.

    Raises ExecutionError where they have not, or a process does not come.
    ``group``: see `new_group`; ``sync_op``: False returns before the exchange has ended: call ``wait()`` of the
    result.

    Example:
        >>> paddle.distributed.all_reduce(loss, paddle.distributed.ReduceOp.AVG)
    """
    processes, operation = _world(group), _operation(op)
    if processes.size > 1:
        _put(tensor, *_exchanged([tensor], lambda arrays: processes.all_reduce(arrays, operation), [tensor.spec]))
    return _DONE


def reduce(
    tensor: Tensor, dst: int = 0, op: int = ReduceOp.SUM, group: Group | None = None, sync_op: bool = True
) -> Task:
    """Make ``tensor`` of process ``dst`` the sum (or ``op``) of those of all processes; the others keep theirs.

    ``group``, ``sync_op``: see `all_reduce`. Raises ModeError for a process that is not there, as do all functions
    that name one.

    Example:
        >>> x = paddle.ones([2])
        >>> task = paddle.distributed.reduce(x, dst=0)
        >>> x.tolist()
        [1.0, 1.0]
    """
    processes, target, operation = _world(group), _member(group, dst, "reduce"), _operation(op)
    if processes.size > 1:
        [total] = _exchanged([tensor], lambda arrays: processes.all_reduce(arrays, operation), [tensor.spec])
        if processes.rank == target:
            _put(tensor, total)
    return _DONE


def broadcast(tensor: Tensor, src: int = 0, group: Group | None = None, sync_op: bool = True) -> Task:
    """Make ``tensor`` that of process ``src``.

    ``group``, ``sync_op``: see `all_reduce`. Raises ModeError for a process that is not there.

    Example:
        >>> task = paddle.distributed.broadcast(paddle.ones([2]), src=0)
    """
    processes, source = _world(group), _member(group, src, "broadcast")
    if processes.size > 1:
        _put(tensor, *_exchanged([tensor], lambda arrays: [processes.broadcast(arrays[0], source)], [tensor.spec]))
    return _DONE


def broadcast_object_list(object_list: list[Any], src: int = 0, group: Group | None = None) -> None:
    """Make the objects those of process ``src``.

    ``object_list``: as many objects everywhere; ``group``: see `new_group`.

    Example:
        >>> paddle.distributed.broadcast_object_list([{"rank": 0}], src=0)
    """
    processes, source = _world(group), _member(group, src, "broadcast_object_list")
    if processes.size > 1:
        object_list[:] = processes.objects(object_list if processes.rank == source else None)[source]


def all_gather(tensor_list: list[Any], tensor: Tensor, group: Group | None = None, sync_op: bool = True) -> Task:
    """Put the tensors of all processes, which have one shape, at the end of ``tensor_list``.

    ``tensor``: this process's own. ``group``: see `new_group`; ``sync_op``: False returns before the exchange has
    ended: call ``wait()`` of the result.

    Example:
        >>> tensors = []
        >>> paddle.distributed.all_gather(tensors, x)
    """
    processes = _world(group)
    tensor_list.extend(_exchanged([tensor], lambda arrays: processes.all_gather(arrays[0]), [tensor.spec] * processes.size))
    return _DONE


def all_gather_object(object_list: list[Any], obj: Any, group: Group | None = None) -> None:
    """Put the objects of all processes at the end of ``object_list``, as copies.

    ``obj``: this process's own, which can be pickled; ``group``: see `new_group`.

    Example:
        >>> objects = []
        >>> paddle.distributed.all_gather_object(objects, {"rank": 0})
        >>> objects
        [{'rank': 0}]
    """
    processes = _world(group)
    object_list.extend(processes.objects(obj) if processes.size > 1 else [copy.deepcopy(obj)])


def gather(
    tensor: Tensor, gather_list: list[Any] | None = None, dst: int = 0, group: Group | None = None, sync_op: bool = True
) -> Task:
    """`all_gather` for process ``dst`` alone.

    ``tensor``, ``gather_list``, ``group``, ``sync_op``: as there; other processes need no list.

    Example:
        >>> tensors = []
        >>> task = paddle.distributed.gather(paddle.ones([2]), tensors, dst=0)
        >>> tensors[0].tolist()
        [1.0, 1.0]
    """
    processes, target = _world(group), _member(group, dst, "gather")
    tensors: list[Any] = []
    all_gather(tensors, tensor, group)
    if gather_list is not None and processes.rank == target:
        gather_list.extend(tensors)
    return _DONE


def scatter(
    tensor: Tensor, tensor_list: Any = None, src: int = 0, group: Group | None = None, sync_op: bool = True
) -> Task:
    """Make ``tensor`` the one that process ``src`` has in ``tensor_list`` for this process.

    ``group``, ``sync_op``: see `all_reduce`.

    Example:
        >>> y = paddle.zeros([2])
        >>> task = paddle.distributed.scatter(y, [paddle.ones([2])], src=0)
        >>> y.tolist()
        [1.0, 1.0]
    """
    processes, source = _world(group), _member(group, src, "scatter")
    tensors = list(tensor_list or ())

    def call(arrays: Arrays) -> Arrays:
        return [processes.scatter(arrays[1:] if processes.rank == source else None, source, arrays[0])]

    if tensors or processes.size > 1:
        _put(tensor, *_exchanged([tensor, *tensors], call, [tensor.spec]))
    return _DONE


def scatter_object_list(
    out_object_list: list[Any], in_object_list: Any = None, src: int = 0, group: Group | None = None
) -> None:
    """Make ``out_object_list`` hold the one object that process ``src`` has in ``in_object_list`` for this process.

    ``group``: see `new_group`.

    Example:
        >>> objects = []
        >>> paddle.distributed.scatter_object_list(objects, [{"rank": 0}], src=0)
        >>> objects
        [{'rank': 0}]
    """
    processes, source = _world(group), _member(group, src, "scatter_object_list")
    if processes.size > 1:
        out_object_list[:] = [processes.objects(in_object_list if processes.rank == source else None)[source][processes.rank]]
    elif in_object_list:
        out_object_list[:] = [copy.deepcopy(in_object_list[0])]


def reduce_scatter(
    tensor: Tensor, tensor_list: Any, op: int = ReduceOp.SUM, group: Group | None = None, sync_op: bool = True
) -> Task:
    """Make ``tensor`` the sum over all processes of that one of ``tensor_list`` that is for this process.

    A tensor in place of the list is divided along its first axis.
    ``op``: see `ReduceOp`; ``group``, ``sync_op``: see `all_reduce`.

    Example:
        >>> y = paddle.zeros([2])
        >>> task = paddle.distributed.reduce_scatter(y, [paddle.ones([2])])
        >>> y.tolist()
        [1.0, 1.0]
    """
    processes, operation = _world(group), _operation(op)
    tensors = list(tensor_list) if isinstance(tensor_list, (list, tuple)) else [tensor_list]

    def call(arrays: Arrays) -> Arrays:
        parts = arrays if len(arrays) > 1 else np.split(arrays[0], processes.size)
        return [processes.all_reduce([np.stack(parts)], operation)[0][processes.rank]]

    _put(tensor, *_exchanged(tensors, call, [tensor.spec]))
    return _DONE


def alltoall(in_tensor_list: Any, out_tensor_list: Any, group: Group | None = None, sync_op: bool = True) -> Task:
    """Send one tensor of ``in_tensor_list`` to each process; put one of each at the end of ``out_tensor_list``.

    The tensors that come have the shapes of those that go, so all tensors at one place of the lists have one shape.
    ``group``, ``sync_op``: see `all_reduce`.

    Example:
        >>> outputs = []
        >>> task = paddle.distributed.alltoall([paddle.ones([2])], outputs)
        >>> outputs[0].tolist()
        [1.0, 1.0]
    """
    processes = _world(group)
    if not isinstance(out_tensor_list, list):
        return alltoall_single(in_tensor_list, out_tensor_list, group=group)
    tensors = list(in_tensor_list)
    if processes.size == 1:  # whose list may have any length
        with mode.grad_mode(False):
            out_tensor_list.extend(map(functions.assign, tensors))
        return _DONE
    out_tensor_list.extend(_exchanged(tensors, processes.exchange, [tensor.spec for tensor in tensors]))
    return _DONE


def alltoall_single(
    in_tensor: Tensor,
    out_tensor: Tensor,
    in_split_sizes: Sequence[int] | None = None,
    out_split_sizes: Sequence[int] | None = None,
    group: Group | None = None,
    sync_op: bool = True,
) -> Task:
    """Send a share of the rows of ``in_tensor`` to each process; ``out_tensor`` holds those that came.

    ``in_split_sizes``, ``out_split_sizes``: how many rows go to each and come from each (default: equal shares).
    ``group``, ``sync_op``: see `all_reduce`.

    Example:
        >>> out = paddle.zeros([2])
        >>> task = paddle.distributed.alltoall_single(paddle.ones([2]), out)
        >>> out.tolist()
        [1.0, 1.0]
    """
    processes = _world(group)

    def call(arrays: Arrays) -> Arrays:
        sizes: Any = processes.size if not in_split_sizes else np.cumsum(in_split_sizes)[:-1]
        return [np.concatenate(processes.exchange(np.split(arrays[0], sizes), "alltoall_single"))]

    _put(out_tensor, *_exchanged([in_tensor], call, [out_tensor.spec]))
    return _DONE


def send(tensor: Tensor, dst: int = 0, group: Group | None = None, sync_op: bool = True) -> Task:
    """Send to another process, which calls `recv`. Raises ModeError for a process that is not there, or is this one.

    ``tensor``: what goes; ``dst``: the number of the receiver; ``group``, ``sync_op``: see `all_reduce`.

    Example:
        >>> task = paddle.distributed.send(tensor, dst=1)
    """
    processes, target = _peer(group, dst, "send")
    requests: list[Any] = []

    def call(arrays: Arrays) -> Arrays:
        requests[:] = processes.send(arrays[0], target)
        return []

    _exchanged([tensor], call, [])

    def finish() -> None:
        for request in requests:
            request.Wait()

    task = Task(finish)
    if sync_op:
        task.wait()
    return task


def recv(tensor: Tensor, src: int = 0, group: Group | None = None, sync_op: bool = True) -> Task:
    """Make ``tensor`` what another process sends. Raises ExecutionError for another shape or dtype, or where nothing comes.

    ``src``: the number of the sender; ``group``, ``sync_op``: see `all_reduce`.

    Example:
        >>> task = paddle.distributed.recv(tensor, src=1)
    """
    processes, source = _peer(group, src, "recv")

    def receive() -> None:
        _put(tensor, *_exchanged([tensor], lambda arrays: [processes.receive(arrays[0], source)], [tensor.spec]))

    task = Task(receive)
    if sync_op:
        task.wait()
    return task


def _peer(group: Group | None, rank: Any, name: str) -> tuple[World, int]:
    processes = _world(group)
    if processes.size == 1:
        raise ModeError(f"{name}: there is a world of one process, so that there is nobody else")
    group_rank = _member(group, rank, name)
    if group_rank == processes.rank:
        raise ModeError(f"{name}: process {rank} is this one")
    return processes, group_rank


def isend(tensor: Tensor, dst: int, group: Group | None = None) -> Task:
    """`send` without waiting; ``wait()`` of what it returns waits.

    ``tensor``: what goes; ``dst``: the number of the receiver; ``group``: see `new_group`.

    Example:
        >>> task = paddle.distributed.isend(tensor, dst=1)
    """
    return send(tensor, dst, group, sync_op=False)


def irecv(tensor: Tensor, src: int | None = None, group: Group | None = None) -> Task:
    """`recv` without waiting; the tensor holds what came after ``wait()`` of what it returns.

    ``src``: the number of the sender; ``group``: see `new_group`.

    Example:
        >>> task = paddle.distributed.irecv(tensor, src=1)
    """
    return recv(tensor, src or 0, group, sync_op=False)


def barrier(group: Group | None = None) -> None:
    """Wait for all. Raises ExecutionError, naming it, when a process does not come.

    ``group``: see `new_group`.

    Example:
        >>> paddle.distributed.barrier()
    """
    _world(group).agree("barrier")


def wait(tensor: Tensor, group: Group | None = None, use_calc_stream: bool = True) -> None:
    """Wait for exchanges of ``tensor``: they are over.

    ``group``, ``use_calc_stream``: not used.

    Example:
        >>> paddle.distributed.wait(paddle.ones([2]))
    """


__getattr__ = names_around(__name__)
