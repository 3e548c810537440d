"""`OptimizerState`: what an optimizer remembers of each parameter, and how that is saved and restored."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir import mode
from to_static.compiler.runtime.memory_plan.buffer_reuse import own_all
from to_static.core import backend as backends
from to_static.core import unique_name
from to_static.core.dtypes import as_dtype, float32
from to_static.core.errors import ShapeError
from to_static.optimizer.lr.scheduler import LRScheduler


class OptimizerState:
    """The memory half of `Optimizer`: tensors by kind and parameter name, float32 copies, and what was loaded but not used yet."""

    _name: str | None
    _learning_rate: Any
    _tables: dict[str, dict[str, EagerTensor]]
    _by_parameter: dict[str, list[EagerTensor]]  # by parameter name: what it has in some of the tables, to save look-ups
    _masters: dict[str, EagerTensor]
    _loaded: dict[str, Any]

    def _state(self, name: str, param: Any, fill: float = 0.0, shape: Any = None, dtype: Any = None) -> Any:
        """The tensor kept under ``name`` for ``param``, made on first use (``linear_0.w_0_moment1_0``)."""
        full = f"{self._name}_{name}" if self._name else name
        table = self._tables.get(full)
        if table is None:
            table = self._tables[full] = {}
        state = table.get(param.name)
        if state is None:
            array_backend = backends.backend_of(param._array)
            state_dtype = param.dtype if dtype is None else as_dtype(dtype)
            array = array_backend.xp.full(tuple(param.shape if shape is None else shape), fill, state_dtype.np)
            stem = f"{param.name}_{full}"
            state = table[param.name] = EagerTensor(array, name=unique_name.generate(stem))
            state.persistable = True
            if self._loaded:
                self._restore(state, stem)
        return state

    def _own_state(self) -> None:
        """Let nobody else have the arrays of the state, which a step writes over: who has got them keeps the numbers of before."""
        own_all([tensor for table in self._tables.values() for tensor in table.values()])

    def _master(self, param: Any) -> Any:
        """The float32 copy of a float16 parameter."""
        master = self._masters.get(param.name)
        if master is None:
            with mode.default_mode(), mode.grad_mode(False):
                master = self._masters[param.name] = param.detach().astype(float32)
            master.name = unique_name.generate(f"{param.name}_fp32_master")
            master.persistable = True
        return master

    def _restore(self, tensor: EagerTensor, stem: str) -> None:
        key = tensor.name
        if key not in self._loaded:  # a second optimizer of the same parameters: moment1_1 takes what was moment1_0
            alike = [k for k in self._loaded if k.rpartition("_")[0] == stem]
            if len(alike) != 1:
                raise KeyError(f"{type(self).__name__}.set_state_dict: the state has no entry {key!r}")
            key = alike[0]
        value = self._loaded.pop(key)
        if list(value.shape) != tensor.shape:
            raise ShapeError(f"optimizer state {key!r} has shape {list(value.shape)}, expected {tensor.shape}")
        with mode.default_mode():
            tensor.set_value(value)

    @property
    def _accumulators(self) -> dict[str, dict[str, EagerTensor]]:
        """The state by kind and parameter name, as tensors in its memory: they change with every step, and change it."""
        return {slot: {name: _observed(tensor) for name, tensor in table.items()} for slot, table in self._tables.items()}

    def state_dict(self) -> dict[str, Any]:
        """The state by name (``linear_0.w_0_moment1_0``), and the scheduler's under ``'LR_Scheduler'``."""
        state: dict[str, Any] = {t.name: t for table in self._accumulators.values() for t in table.values()}
        if self._masters:
            state["master_weights"] = dict(self._masters)
        if isinstance(self._learning_rate, LRScheduler):
            state["LR_Scheduler"] = self._learning_rate.state_dict()
        return state

    def set_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Continue from a state that `state_dict` gave (values may be tensors or arrays).

        State that this optimizer has not made yet is kept until its first step. Raises KeyError or ShapeError when an
        entry is missing or does not fit.
        """
        state = dict(state_dict)
        scheduler = state.pop("LR_Scheduler", None)
        if isinstance(self._learning_rate, LRScheduler):
            if scheduler is None:
                raise KeyError(
                    "set_state_dict: the state has no entry 'LR_Scheduler', but the learning rate is a scheduler"
                )
            self._learning_rate.set_state_dict(scheduler)
        for name, value in state.pop("master_weights", {}).items():
            self._masters[name] = value if isinstance(value, EagerTensor) else EagerTensor(np.array(value))
        self._loaded = state
        for full, table in self._tables.items():
            for name, tensor in table.items():
                self._restore(tensor, f"{name}_{full}")



def _observed(tensor: EagerTensor) -> EagerTensor:
    """Another tensor in the memory of one that an optimizer has, for whoever asks: what he computes has memory of its own."""
    if mode.building() or type(tensor._array) is not np.ndarray:
        return tensor
    view = tensor.detach()
    view.name, view.persistable = tensor.name, True
    return view
