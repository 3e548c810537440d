"""`Executor`: running static Programs."""

from __future__ import annotations

import enum
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir.program import Var
from to_static.compiler.ops.sequence.offsets import SUFFIX, known_offsets
from to_static.compiler.passes.pipeline import INFERENCE, training_passes
from to_static.compiler.passes.simplify.specialize_shapes import optimize_for
from to_static.compiler.runtime.executor import PlanExecutor as Runner
from to_static.core import backend as backends
from to_static.core.diagnostics.printable import printable
from to_static.core.errors import DTypeError, ModeError, ProgramError, ShapeError
from to_static.core.processes.compile_lock import with_compile_lock
from to_static.framework.lod_tensor import LoDTensor
from to_static.static import lod
from to_static.static.ir_graph import Graph, IrGraph
from to_static.static.program import Program, default_main_program, store
from to_static.static.scope import Scope, global_scope


class Executor:
    """Runs Programs on a device.

    Args:
        place: a Place or device name; default: the current device.

    Example:
        >>> exe = paddle.static.Executor()
        >>> [y_value] = exe.run(main, feed={'x': array}, fetch_list=[y])
    """

    def __init__(self, place: Any = None) -> None:
        self.backend = backends.current() if place is None else backends.get_backend(place)
        self.place = self.backend.place
        self._closed = False

    def flush(self) -> None:
        """End trainers that a run left: none is left."""

    def run(
        self,
        program: Any = None,
        feed: Any = None,
        fetch_list: Any = None,
        feed_var_name: str = "feed",
        fetch_var_name: str = "fetch",
        scope: Scope | None = None,
        return_numpy: bool = True,
        use_program_cache: bool = False,
        use_prune: bool = False,
    ) -> list[Any]:
        """Run ``program`` once and return the values of ``fetch_list``.

        Args:
            program: a `static.Program`; default: `default_main_program()`.
            feed: {name: array, tensor, nested list or number}; n numbers may stand for a column ``[n, 1]``. What the Program
                does not need now may be there; a name that it does not have at all is told by a warning. A parameter or buffer
                that is named keeps the value, as in Paddle.
            fetch_list: tensors of the Program, or names; lists of these inside of it (as `static.gradients` returns) count as
                their items.
            return_numpy: NumPy arrays (default) or, for False, `base.LoDTensor`s: arrays with the offsets of their sequences.
            use_prune: run only what ``fetch_list`` needs, without changing parameters and buffers.

        Parameters and buffers that the Program changes keep their new values. Running the startup Program makes their names known
        to the scope; they have their first values when they are made. Compiled plans are kept with the Program.
        Raises ProgramError for a name that the Program does not have or an input that is missing, DTypeError or ShapeError
        for an input that does not fit, ExecutionError with the user's line when an operator fails.
        """
        if self._closed:
            raise ModeError("this Executor is closed; make another one")
        program = default_main_program() if program is None else getattr(program, "program", program)
        if not isinstance(program, Program):
            raise ProgramError(f"Executor.run takes a static.Program, got {type(program).__name__}")
        fed = _feeds(feed)
        for reader in program.readers if feed is None else ():
            fed.update(reader.next_feed())
        fetch = list(_flat(fetch_list))
        if not fetch and not program.builder.program.block.ops:
            for main in program.starts.objects():
                (scope or global_scope()).name(main.builder.program)
            return []
        fetch_vars = [program.find(item) for item in fetch]
        offsets = [] if return_numpy else [known_offsets(program.builder, var) for var in fetch_vars]
        count = len(fetch_vars)
        fetch_vars += [offset.ssa for offset in offsets if offset is not None]
        runner = self._runner(program, fetch_vars, not use_prune)
        (scope or global_scope()).add(runner.program, runner)
        needed = [str(var.name) for var in runner.program.feeds]
        for name in fed:
            var = None if name in needed else program.builder.program.find(name)
            if var is not None and isinstance(var.holder, EagerTensor):  # a parameter's or a buffer's: it keeps the value
                store(var.holder, fed[name], name)
            elif name not in needed and var is None:
                warnings.warn(f"feed: the Program has no input {name!r}; its inputs: {_names(program)}", stacklevel=2)
        for name in needed:
            if name.endswith(SUFFIX) and name not in fed:
                fed[name] = lod.fed_offsets(fed.get(name.removesuffix(SUFFIX)))
        missing = [name for name in needed if name not in fed]
        if missing:
            raise ProgramError(f"feed lacks {', '.join(map(repr, missing))}, which fetch_list or an update needs")
        arrays = [self._array(fed[str(var.name)], var) for var in runner.program.feeds]
        results = runner(*arrays)
        if return_numpy:
            return [np.array(self.backend.to_numpy(x)) if not isinstance(x, list) else x for x in results]
        levels = map(self.backend.to_numpy, results[count:])
        return [
            x if isinstance(x, list) else lod.fetched(self.backend.to_numpy(x), None if offset is None else next(levels))
            for x, offset in zip(results, offsets, strict=False)
        ]

    def train_from_dataset(
        self,
        program: Any = None,
        dataset: Any = None,
        scope: Scope | None = None,
        thread: int = 0,
        debug: bool = False,
        fetch_list: Any = None,
        fetch_info: list[str] | None = None,
        print_period: int = 100,
        fetch_handler: Any = None,
    ) -> None:
        """Run ``program`` on every batch of a data set (`distributed.InMemoryDataset` or `QueueDataset`).

        Args:
            fetch_list: tensors that are printed every ``print_period`` batches, with the words ``fetch_info`` (default: names).
            thread, debug, fetch_handler: not used.

        Raises RuntimeError without a ``dataset``.

        Example:
            >>> exe.train_from_dataset(main, dataset, fetch_list=[loss], print_period=10)
        """
        if dataset is None:
            raise RuntimeError("dataset is needed and should be initialized")
        watched = list(_flat(fetch_list))
        words = list(fetch_info or [getattr(item, "name", item) for item in watched])
        for step, fed in enumerate(dataset.batches()):
            results = self.run(program, feed=fed, fetch_list=watched, scope=scope)
            if watched and step % print_period == 0:
                print(*(f"{word}: {value}" for word, value in zip(words, results, strict=True)))

    infer_from_dataset = train_from_dataset  # what is trained is up to the Program

    def close(self) -> None:
        """Refuse further runs."""
        self._closed = True

    @with_compile_lock
    def _runner(self, program: Program, fetch: list[Var], updates: bool) -> Runner:
        inner = program.builder.program
        version = (len(inner.block.ops), tuple(value for _, value in program.builder.state_updates()))
        if program.version != version:  # operators were added: what was compiled is no longer what the Program says
            program.version, program.runners = version, {}
        key = (tuple(fetch), updates, self.backend)
        runner = program.runners.get(key)
        if runner is None:
            finished = program.finished(fetch, updates)
            used = {v for op in finished.block.ops for v in op.operands()} | set(finished.block.results)
            finished.block.args = [v for v in finished.feeds if v in used]
            for param in finished.params:  # to where this Executor runs; Paddle makes parameters there
                array = param.holder._array
                if backends.backend_of(array) is not self.backend:
                    param.holder._array = self.backend.asarray(backends.backend_of(array).to_numpy(array))
            passes = training_passes(self.backend.name) if finished.state else INFERENCE
            runner = Runner(finished, self.backend, lambda p, shapes: optimize_for(p, shapes, passes))
            program.runners[key] = runner
        return runner

    def _array(self, value: Any, var: Var) -> Any:
        """The array for a feed: arrays must have its dtype, Python numbers are converted to it."""
        declared_dtype = var.spec.dtype
        if isinstance(value, EagerTensor):
            value = value._array
        elif isinstance(value, LoDTensor):
            value = np.asarray(value)
        if not hasattr(value, "dtype"):
            value = np.asarray(value, declared_dtype.np)
        elif value.dtype != declared_dtype.np:
            raise DTypeError(f"input {printable(var.name)} must be {declared_dtype.name}, got {value.dtype}")
        spec = var.spec
        if len(value.shape) == 1 and spec.ndim == 2 and spec.shape[1] == 1:
            value = value.reshape(-1, 1)  # numbers of a batch, as a DataLoader stacks them
        if len(value.shape) != spec.ndim or any(a not in (-1, b) for a, b in zip(spec.shape, value.shape, strict=True)):
            raise ShapeError(f"input {printable(var.name)} must be {spec}, got an array of shape {list(value.shape)}")
        return self.backend.asarray(value)


def _flat(fetch: Any) -> Iterator[Any]:
    """Return the items of a list and of the lists in it."""
    if isinstance(fetch, (list, tuple)):
        for item in fetch:
            yield from _flat(item)
    elif fetch is not None:
        yield fetch


def _feeds(feed: Any) -> dict[str, Any]:
    if feed is None:
        return {}
    if isinstance(feed, (list, tuple)) and len(feed) == 1:  # Paddle: one dict per device
        feed = feed[0]
    if not isinstance(feed, dict):
        raise TypeError(f"feed must be a dict of names and arrays, got {type(feed).__name__}")
    return dict(feed)


def _names(program: Program) -> str:
    return ", ".join(repr(v.name) for v in program.builder.program.feeds) or "none"


class BuildStrategy:
    """Paddle's switches for its graph passes. They are kept as attributes; passes here always run.

    Example:
        >>> strategy = static.BuildStrategy()
        >>> strategy.fuse_elewise_add_act_ops = True
    """

    class ReduceStrategy(enum.Enum):
        """The ways to add up gradients of devices; there is one device."""

        AllReduce = 0
        Reduce = 1
        _NoReduce = 2

    class GradientScaleStrategy(enum.Enum):
        """The weights of gradients of several devices; there is one device."""

        CoeffNumDevice = 0
        One = 1
        Customized = 2

    _OFF = (
        "allow_cuda_graph_capture", "async_mode", "build_cinn_pass", "cache_runtime_context", "enable_addto",
        "enable_auto_fusion", "enable_sequential_execution", "fix_op_run_order", "fuse_adamw",
        "fuse_all_optimizer_ops", "fuse_bn_act_ops", "fuse_elewise_add_act_ops", "fuse_gemm_epilogue",
        "fuse_relu_depthwise_conv", "fused_attention", "fused_feedforward", "is_distribution", "sequential_run",
        "sync_batch_norm", "use_hierarchical_allreduce",
    )  # fmt: skip
    _ON = (
        "enable_backward_optimizer_op_deps", "enable_inplace", "fuse_all_reduce_ops", "fuse_bn_add_act_ops",
        "fuse_broadcast_ops", "remove_unnecessary_lock",
    )  # fmt: skip

    def __init__(self) -> None:
        self.reduce_strategy = self.ReduceStrategy.AllReduce
        self.gradient_scale_strategy = self.GradientScaleStrategy.CoeffNumDevice
        self.debug_graphviz_path, self.memory_optimize = "", None
        self.bkcl_comm_num = self.nccl_comm_num = self.num_trainers = 1
        self.trainer_id = self.hierarchical_allreduce_inter_nranks = 0
        self.trainers_endpoints: list[str] = []
        self.mkldnn_enabled_op_types: set[str] = set()
        self.__dict__.update(dict.fromkeys(self._OFF, False), **dict.fromkeys(self._ON, True))


class ExecutionStrategy:
    """Paddle's switches for its executors, kept as attributes without effect.

    Example:
        >>> strategy = static.ExecutionStrategy()
    """

    def __init__(self) -> None:
        self.num_threads, self.num_iteration_per_drop_scope, self.num_iteration_per_run = 0, 100, 1
        self.use_thread_barrier = self.allow_op_delay = False
        self.use_experimental_executor = True


class CompiledProgram:
    """A Program with a `BuildStrategy`; `Executor.run` takes it in place of the Program.

    ``program_or_graph``: a `Program`; anything else raises ProgramError. ``build_strategy``: accepted, without an
    effect.

    Example:
        >>> compiled = static.CompiledProgram(static.default_main_program())
    """

    def __init__(self, program_or_graph: Any, build_strategy: BuildStrategy | None = None) -> None:
        if isinstance(program_or_graph, Graph):
            program_or_graph = IrGraph(program_or_graph).to_program()
        if not isinstance(program_or_graph, Program):
            raise ProgramError(f"CompiledProgram takes a static.Program, got {type(program_or_graph).__name__}")
        self.program = program_or_graph
        self.build_strategy = build_strategy
