"""`World`: the processes that an ``mpiexec`` has started, through mpi4py; a world of one needs neither.

Before each exchange the processes agree on what it is: its name, dtype, shape and number. So two that differ are an error, with
what each of them wanted, and not a hang; and one that does not come within the time limit is named. An error that nobody catches
ends all.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from to_static.core.errors import ArgumentError, ExecutionError, ModeError
from to_static.core.importing.extras import need
from to_static.core.processes.launched import by_mpi, rank_and_size

HEADER = 192  # bytes
TIMEOUT = "TO_STATIC_DISTRIBUTED_TIMEOUT"  # seconds, in the environment; `launch --timeout` sets it
DEFAULT_TIMEOUT = 1800.0
SPINS = 200  # looks at a message before the first pause
PAUSE = 0.0002  # seconds, the first; each is longer than the one before, up to
LONGEST_PAUSE = 0.005
LATE_TAG = 8191
WITHIN = 1.0  # seconds in which processes that wait tell each other so


class World:
    """Processes that exchange arrays; ``comm`` is None in a world of one.

    Attributes: ``rank``, ``size``, ``timeout`` in seconds.
    """

    def __init__(self, comm: Any = None, timeout: float | None = None) -> None:
        self.comm = comm
        self.rank: int = 0 if comm is None else comm.Get_rank()
        self.size: int = 1 if comm is None else comm.Get_size()
        self.timeout = _timeout() if timeout is None else timeout
        self._count = 0

    def part(self, ranks: Sequence[int]) -> World | None:
        """The world of some of these processes; None for one that is not among them. All of them call this."""
        if self.comm is None:
            return self
        self.agree("new_group", f"{list(ranks)}")
        inside = self.rank in ranks
        undefined = need("mpi4py.MPI", "mpi").UNDEFINED
        comm = self.comm.Split(0 if inside else undefined, list(ranks).index(self.rank) if inside else 0)
        return World(comm, self.timeout) if inside else None

    def apart(self) -> World:
        """Return a World of the same processes with a duplicate communicator, so that its messages mix with no others.

        All processes call this.
        """
        return self if self.comm is None else World(self.comm.Dup(), self.timeout)

    def agree(self, name: str, what: str = "") -> None:
        """Wait for all, and make sure that all are about to do this. Raises ExecutionError, naming who differs or is missing."""
        if self.comm is None:
            return
        self._count += 1
        text = f"{self._count} {name} {what}".encode()[:HEADER]
        header = np.frombuffer(text.ljust(HEADER), np.uint8)
        everyone = np.empty((self.size, HEADER), np.uint8)
        request = self.comm.Iallgather(header, everyone)
        if not self._arrives(request.Test, self.timeout):
            missing = ", ".join(map(str, self._missing()))
            raise ExecutionError(
                f"{name}: process {missing} of {self.size} did not come within {self.timeout:g} s; {TIMEOUT} sets the time limit"
            )
        if (everyone != header).any():
            wanted = [bytes(row).decode(errors="replace").strip().partition(" ")[2] for row in everyone]
            listed = "; ".join(f"process {rank}: {words}" for rank, words in enumerate(wanted))
            raise ExecutionError(f"{name}: the processes do not do the same ({listed})")

    @staticmethod
    def _arrives(test: Callable[[], Any], limit: float) -> bool:
        """Return whether a request ends within some seconds."""
        for _ in range(SPINS):
            if test():
                return True
        end, pause = time.monotonic() + limit, PAUSE
        while not test():
            if time.monotonic() > end:
                return False
            time.sleep(pause)
            pause = min(pause * 1.2, LONGEST_PAUSE)
        return True

    def _missing(self) -> list[int]:
        """The processes that do not wait, too: those that do tell each other so."""
        byte = np.zeros(1, np.uint8)
        peers = [rank for rank in range(self.size) if rank != self.rank]
        for rank in peers:
            self.comm.Isend(byte, rank, LATE_TAG)
        received = {rank: self.comm.Irecv(np.zeros(1, np.uint8), rank, LATE_TAG) for rank in peers}
        self._arrives(lambda: all(map(_ended, received.values())), WITHIN)
        missing = [rank for rank, request in received.items() if not request.Test()]
        return missing or peers

    def need_rank(self, rank: Any, name: str) -> int:
        """The number of a process. Raises ModeError for one that there is not."""
        if not isinstance(rank, (int, np.integer)) or not 0 <= rank < self.size:
            world_text = (
                "a world of one process, number 0" if self.size == 1 else f"{self.size} processes, 0 to {self.size - 1}"
            )
            raise ModeError(f"{name}: there is {world_text}, not {rank}")
        return int(rank)

    # exchanges of arrays: each returns new ones -----------------------------------------------------------------------

    def all_reduce(self, arrays: list[np.ndarray], operation: str) -> list[np.ndarray]:
        """The sum, 'max', 'min', 'prod' or 'avg' over all processes, of each array."""
        self.agree("all_reduce", f"{operation} {_described(arrays)}")
        return [self._reduced(array, operation) for array in arrays]

    def start_sum(self, array: np.ndarray) -> Sum:
        """Start to add up an array, of a type that MPI adds, in place. All start the same sums in the same order."""
        mpi = need("mpi4py.MPI", "mpi")
        return Sum(self, self.comm.Iallreduce(mpi.IN_PLACE, array, mpi.SUM))

    def _reduced(self, array: np.ndarray, operation: str) -> np.ndarray:
        if self.comm is None:
            return array.copy()
        sendable = _sendable(array, operation)
        total = np.empty_like(sendable)
        self.comm.Allreduce(sendable, total, _operation(operation))
        if operation == "avg":
            total = total / self.size if total.dtype.kind in "fc" else total // self.size
        return total.astype(array.dtype, copy=False).reshape(array.shape)

    def all_gather(self, array: np.ndarray) -> list[np.ndarray]:
        """The arrays of all processes, which have one shape."""
        self.agree("all_gather", _described([array]))
        if self.comm is None:
            return [array.copy()]
        out = np.empty((self.size, *array.shape), array.dtype)
        self.comm.Allgather(_bytes(array), _bytes(out))
        return list(out)

    def broadcast(self, array: np.ndarray, source: int) -> np.ndarray:
        """The array of one process."""
        self.agree("broadcast", f"from {source} {_described([array])}")
        out = array.copy(order="C")
        if self.comm is not None:
            self.comm.Bcast(_bytes(out), source)
        return out

    def scatter(self, arrays: list[np.ndarray] | None, source: int, template: np.ndarray) -> np.ndarray:
        """The array that ``source`` has for this process."""
        self.agree("scatter", f"from {source} {_described([template])}")
        if self.comm is None:
            return (arrays or [template])[0].copy()
        all_arrays = None
        if self.rank == source:
            if (
                arrays is None
                or len(arrays) != self.size
                or any(a.shape != template.shape or a.dtype != template.dtype for a in arrays)
            ):
                raise ArgumentError(
                    f"scatter: process {source} needs {self.size} tensors of shape {list(template.shape)} and {template.dtype}"
                )
            all_arrays = _bytes(np.stack(arrays))
        out = np.empty(template.shape, template.dtype)
        self.comm.Scatter(all_arrays, _bytes(out), source)
        return out

    def exchange(self, arrays: list[np.ndarray], name: str = "alltoall") -> list[np.ndarray]:
        """One array to each process, one of each. Their shapes may differ."""
        if len(arrays) != self.size:
            raise ArgumentError(f"{name}: expected {self.size} tensors, one for each process, got {len(arrays)}")
        self.agree(name, f"{arrays[0].dtype}")
        if self.comm is None:
            return [array.copy() for array in arrays]
        shapes = self.comm.alltoall([array.shape for array in arrays])
        outs = [np.empty(shape, arrays[0].dtype) for shape in shapes]
        requests = [self.comm.Irecv(_bytes(out), rank) for rank, out in enumerate(outs)]
        requests += [self.comm.Isend(_bytes(np.ascontiguousarray(array)), rank) for rank, array in enumerate(arrays)]
        need("mpi4py.MPI", "mpi").Request.Waitall(requests)
        return outs

    def objects(self, value: Any) -> list[Any]:
        """Any objects of all processes."""
        self.agree("all_gather_object")
        return [value] if self.comm is None else self.comm.allgather(value)

    def send(self, array: np.ndarray, rank: int) -> Any:
        """Start sending; returns the request. The receiver compares shape and dtype."""
        head = _described([array]).encode()[:HEADER].ljust(HEADER)
        return [
            self.comm.Isend(np.frombuffer(head, np.uint8), rank),
            self.comm.Isend(_bytes(np.ascontiguousarray(array)), rank),
        ]

    def receive(self, template: np.ndarray, rank: int) -> np.ndarray:
        """The array that a process sends. Raises ExecutionError for another shape or dtype, or when none comes in time."""
        head, out = np.empty(HEADER, np.uint8), np.empty(template.shape, template.dtype)
        request = self.comm.Irecv(head, rank)
        if not self._arrives(request.Test, self.timeout):
            request.Cancel()
            raise ExecutionError(
                f"recv: process {rank} sent nothing within {self.timeout:g} s; {TIMEOUT} sets the time limit"
            )
        sent = bytes(head).decode(errors="replace").strip()
        if sent != _described([template]):
            raise ExecutionError(f"recv: process {rank} sent {sent}, this one expects {_described([template])}")
        self.comm.Recv(_bytes(out), rank)
        return out


class Sum:
    """A sum over all processes that goes on beside other work. MPI works on it whenever it is asked something."""

    def __init__(self, world: World, request: Any) -> None:
        self._world = world
        self._request = request

    def goes_on(self) -> None:
        """Let MPI work on it."""
        self._request.Test()

    def wait(self, name: str) -> None:
        """Wait for its end. Raises ExecutionError when it does not come in time."""
        if not self._world._arrives(self._request.Test, self._world.timeout):
            raise ExecutionError(f"{name}: the sum did not end within {self._world.timeout:g} s; {TIMEOUT} sets the time limit")


def _ended(request: Any) -> bool:
    return bool(request.Test())


def _timeout() -> float:
    text = os.environ.get(TIMEOUT, "")
    try:
        return float(text) if text else DEFAULT_TIMEOUT
    except ValueError:
        raise ArgumentError(f"{TIMEOUT} must be a number of seconds, got {text!r}") from None


def _described(arrays: Sequence[np.ndarray]) -> str:
    if len(arrays) > 4:
        return f"{len(arrays)} tensors of {sum(a.size for a in arrays)} elements, first {_described(arrays[:2])}"
    return ", ".join(f"{a.dtype}{list(a.shape)}" for a in arrays)


def _bytes(array: np.ndarray) -> np.ndarray:
    """An array that is in one piece, as bytes: what is moved but not added up has no type for MPI."""
    return array.reshape(-1).view(np.uint8)


def _sendable(array: np.ndarray, operation: str) -> np.ndarray:
    """The array in a type that MPI can add up."""
    if array.dtype == np.float16:
        return np.ascontiguousarray(array, np.float32)
    if array.dtype == bool:
        return np.ascontiguousarray(array, np.uint8 if operation in ("max", "min", "prod") else np.int64)
    return np.ascontiguousarray(array)


def _operation(name: str) -> Any:
    mpi = need("mpi4py.MPI", "mpi")
    return {"sum": mpi.SUM, "avg": mpi.SUM, "max": mpi.MAX, "min": mpi.MIN, "prod": mpi.PROD}[name]


ALONE = World()
_world = [ALONE]


def world() -> World:
    """The world of this process: of one until `connect`."""
    return _world[0]


def connect() -> World:
    """Meet the other processes, where a launcher has started some. Raises ModeError where it is no ``mpiexec``, ImportError."""
    if _world[0].comm is not None:
        return _world[0]
    count = rank_and_size()[1]
    if count == 1:
        return ALONE
    if not by_mpi():
        raise ModeError(
            f"init_parallel_env: {count} processes were launched (PADDLE_TRAINERS_NUM), but not by mpiexec, so they can't exchange "
            f"gradients: start them with `python -m to_static.distributed.launch --nproc_per_node {count} SCRIPT`"
        )
    mpi = need("mpi4py.MPI", "mpi")
    comm = mpi.COMM_WORLD.Dup()
    if comm.Get_size() != count:
        raise ModeError(
            f"init_parallel_env: the launcher has started {count} processes, mpi4py sees {comm.Get_size()}: it was built for "
            "another MPI than that of mpiexec"
        )
    _world[0] = World(comm)
    _end_all_with_one(mpi, _world[0].rank)
    return _world[0]


def _end_all_with_one(mpi: Any, rank: int) -> None:
    """Let an error that nobody catches end all processes: the others would wait for this one for ever."""
    show = sys.excepthook

    def show_and_end(error_class: Any, error: Any, trace: Any) -> None:
        show(error_class, error, trace)
        print(f"process {rank} of {mpi.COMM_WORLD.Get_size()} failed: all end", file=sys.stderr, flush=True)
        mpi.COMM_WORLD.Abort(1)

    sys.excepthook = show_and_end
