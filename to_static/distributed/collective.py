"""Exchanges between processes, with nobody but oneself: what would be summed over all is what it is, what is gathered is one."""

from __future__ import annotations

import copy
from typing import Any

from to_static.compiler.ir import mode
from to_static.compiler.ops import functions
from to_static.core.errors import ModeError
from to_static.core.paddle_module_aliases import names_around


class ReduceOp:
    """The ways to reduce tensors of several processes. With one process each returns its tensor."""

    SUM, MAX, MIN, PROD, AVG = range(5)


def _get_reduce_op(reduce_op: Any, func_name: str) -> Any:
    """The operation as code of model collections asks for it; Paddle has a number of its own for each."""
    return reduce_op


class Task:
    """The result of an exchange that does not wait; it is complete."""

    def wait(self) -> bool:
        """Wait for its end: True."""
        return True

    def is_completed(self) -> bool:
        """Return whether it is complete: True."""
        return True

    def synchronize(self) -> None:
        """Wait for its end."""


_DONE = Task()


def _alone(rank: Any, what: str) -> None:
    if rank != 0:
        raise ModeError(f"{what}: there is a world of one process, number 0, not {rank}")


def _put(target: Any, value: Any) -> None:
    """Make ``target`` hold a value; the tensor itself is left as it is."""
    if target is not value:
        with mode.grad_mode(False):
            target.set_value(value)


def _copied(tensor: Any) -> Any:
    with mode.grad_mode(False):
        return functions.assign(tensor)


def all_reduce(tensor: Any, op: int = ReduceOp.SUM, group: Any = None, sync_op: bool = True) -> Task:
    """Make ``tensor`` the sum (or ``op``) of those of all processes: it is that."""
    return _DONE


def reduce(tensor: Any, dst: int = 0, op: int = ReduceOp.SUM, group: Any = None, sync_op: bool = True) -> Task:
    """The same for process ``dst`` alone. Raises ModeError for another than 0, as do all that name a process."""
    _alone(dst, "reduce")
    return _DONE


def broadcast(tensor: Any, src: int = 0, group: Any = None, sync_op: bool = True) -> Task:
    """Make ``tensor`` that of process ``src``: it is."""
    _alone(src, "broadcast")
    return _DONE


def broadcast_object_list(object_list: list[Any], src: int = 0, group: Any = None) -> None:
    """Make the objects those of process ``src``: they are."""
    _alone(src, "broadcast_object_list")


def all_gather(tensor_list: list[Any], tensor: Any, group: Any = None, sync_op: bool = True) -> Task:
    """Put the tensors of all processes at the end of ``tensor_list``: a copy of this one.

    Example:
        >>> found = []
        >>> paddle.distributed.all_gather(found, x)
    """
    tensor_list.append(_copied(tensor))
    return _DONE


def all_gather_object(object_list: list[Any], obj: Any, group: Any = None) -> None:
    """The same for any object, of which a deep copy is put there."""
    object_list.append(copy.deepcopy(obj))


def gather(tensor: Any, gather_list: list[Any] | None = None, dst: int = 0, group: Any = None, sync_op: bool = True) -> Task:
    """The same for process ``dst`` alone."""
    _alone(dst, "gather")
    if gather_list is not None:
        gather_list.append(_copied(tensor))
    return _DONE


def scatter(tensor: Any, tensor_list: Any = None, src: int = 0, group: Any = None, sync_op: bool = True) -> Task:
    """Make ``tensor`` the one of ``tensor_list`` that is for this process: the first."""
    _alone(src, "scatter")
    if tensor_list:
        _put(tensor, tensor_list[0])
    return _DONE


def scatter_object_list(out_object_list: list[Any], in_object_list: Any = None, src: int = 0, group: Any = None) -> None:
    """The same for objects."""
    _alone(src, "scatter_object_list")
    if in_object_list:
        out_object_list[:] = [copy.deepcopy(in_object_list[0])]


def reduce_scatter(tensor: Any, tensor_list: Any, op: int = ReduceOp.SUM, group: Any = None, sync_op: bool = True) -> Task:
    """Make ``tensor`` the sum over all processes of that one of ``tensor_list`` that is for this process."""
    _put(tensor, tensor_list[0] if isinstance(tensor_list, (list, tuple)) else tensor_list)
    return _DONE


def alltoall(in_tensor_list: Any, out_tensor_list: Any, group: Any = None, sync_op: bool = True) -> Task:
    """Send one tensor of ``in_tensor_list`` to each process and get one of each: the own one."""
    if isinstance(out_tensor_list, list):
        out_tensor_list.extend(map(_copied, in_tensor_list))
    else:
        _put(out_tensor_list, in_tensor_list)
    return _DONE


def alltoall_single(
    in_tensor: Any,
    out_tensor: Any,
    in_split_sizes: Any = None,
    out_split_sizes: Any = None,
    group: Any = None,
    sync_op: bool = True,
) -> Task:
    """The same for the rows of one tensor."""
    _put(out_tensor, in_tensor)
    return _DONE


def send(tensor: Any, dst: int = 0, group: Any = None, sync_op: bool = True) -> Task:
    """Send to another process: there is none. Raises ModeError."""
    raise ModeError("send: there is a world of one process, so that nobody could receive this")


def recv(tensor: Any, src: int = 0, group: Any = None, sync_op: bool = True) -> Task:
    """Receive from another process: there is none. Raises ModeError."""
    raise ModeError("recv: there is a world of one process, so that nobody sends anything")


def isend(tensor: Any, dst: int, group: Any = None) -> Task:
    """See `send`."""
    return send(tensor, dst, group)


def irecv(tensor: Any, src: int | None = None, group: Any = None) -> Task:
    """See `recv`."""
    return recv(tensor, src or 0, group)


def barrier(group: Any = None) -> None:
    """Wait for all: there is nobody to wait for."""


def wait(tensor: Any, group: Any = None, use_calc_stream: bool = True) -> None:
    """Wait for exchanges of ``tensor``: they are over."""


__getattr__ = names_around(__name__)
