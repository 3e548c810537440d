"""`TracingBuilder`: the builder of one trace. It reports reads to the guards and writes to the undo log of side effects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.compiler.autodiff.gradient_reachability import requires_grad_is_data_dependent
from to_static.compiler.frontend.jst.calls.converted_call import call
from to_static.compiler.frontend.jst.control.branch import if_
from to_static.compiler.frontend.jst.objects.union import UnionValue
from to_static.compiler.frontend.tracing.gradients import Gradients
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.guards import Guards
from to_static.compiler.frontend.tracing.trace_context import TraceContext
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.tensor import Tensor
from to_static.nn.layer import Layer


class TracingBuilder(Builder):
    """A builder whose Program is that of a Python function. ``layers``: the Layers whose methods were called, by their ids."""

    def __init__(self, guards: Guards, for_file: bool) -> None:
        super().__init__()
        self.layer_writes = {}
        self.refuses_text = True
        self.guards = guards
        self.session: TraceContext = TraceContext(self, guards, for_file)
        self.gradients: Gradients = Gradients(self, guards)
        self.layers: dict[int, Layer] = {}
        self.records = True  # whether gradients are recorded while the function is traced

    def end(self) -> None:
        """The same, and of what else knows the builder: the trace is over."""
        super().end()
        del self.session, self.gradients

    def translate(self, function: Callable[..., Any], /) -> Callable[..., Any]:
        owner = getattr(function, "__self__", getattr(function, "_instance", None))
        if isinstance(owner, Layer):
            self.layers[id(owner)] = owner
        return call(function)

    def coalesce(self, result: Any, old: Any, form: Callable[[Any], Any], /) -> Any:
        return if_(_is_none(result), lambda: old, lambda: form(result))

    def resolve_list(self, value: Any, /) -> Any:
        return self.session.effects.resolved(value)

    def before_write(self, handle: Tensor, new: Tensor) -> None:
        self.session.effects.check_in_place(handle, new)

    def on_value_read(self, tensor: Tensor) -> None:
        self.guards.reads(tensor)

    def on_stop_gradient_read(self, tensor: Tensor) -> None:
        self.guards.reads_stop(tensor)

    def on_settings_read(self, settings: dict[str, Any]) -> None:
        self.guards.track_object(settings)

    def on_grad_mode_read(self) -> None:
        self.guards.asks_grad()
        for tensor, _ in self.captured.values():  # which the result may be computed from
            self.guards.reads_stop(tensor)
        if self.records and not self.caller_records:
            raise broken(
                "the function tests inside of no_grad() whether gradients are recorded",
                "pass the answer as an argument, or test it before `no_grad()`",
            )

    def is_stop_gradient_dynamic(self, tensor: Tensor) -> bool:
        return requires_grad_is_data_dependent(tensor)


def _is_none(value: Any) -> Any:
    return value.test(lambda option: option is None) if type(value) is UnionValue else value is None
