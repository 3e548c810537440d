"""`ExponentialMovingAverage`: parameters averaged over training steps, to evaluate with."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from to_static.compiler.ops import functions
from to_static.compiler.ops.control.control import assign
from to_static.static.inputs import create_global_var
from to_static.static.program import default_main_program, static_builder


class ExponentialMovingAverage:
    """Averages of the parameters of the Program that is being built: ``average = decay * average + (1 - decay) * parameter``.

    Args:
        decay: the weight of what was (default 0.999).
        thres_steps: an integer Tensor of the Program, the number of steps; with it the decay is at most
            ``(thres_steps + 1) / (thres_steps + 10)`` (default None).
        name: what the names of the averages begin with (default none).

    Raises ModeError in dynamic mode.

    Example:
        >>> ema = paddle.static.ExponentialMovingAverage(0.999)
        >>> ema.update()                    # in every run of the Program, after the optimizer
        >>> with ema.apply(executor):       # parameters are the averages, divided by 1 - decay ** steps
        ...     executor.run(test_program, feed=feed, fetch_list=[loss])

    Source: the bias correction is that of Kingma and Ba, "Adam", ICLR 2015.
    """

    def __init__(self, decay: float = 0.999, thres_steps: Any = None, name: str | None = None) -> None:
        static_builder("ExponentialMovingAverage")
        self._decay, self._thres_steps, prefix = float(decay), thres_steps, name or ""
        self._parameters = [
            p for p in default_main_program().all_parameters() if getattr(p, "do_model_average", True) and not p.stop_gradient
        ]
        self._averages = [
            create_global_var(p.shape, 0.0, p.dtype, True, name=f"{prefix}{p.name}_ema") for p in self._parameters
        ]
        self._remaining = create_global_var([1], 1.0, "float64", True)  # the product of all decays
        self._saved: list[Any] | None = None

    def update(self) -> None:
        """Add to the Program that is being built what brings the averages up to date."""
        decay: Any = self._decay
        if self._thres_steps is not None:
            steps = self._thres_steps.astype("float32")
            decay = functions.minimum((steps + 1.0) / (steps + 10.0), functions.full([1], self._decay, "float32"))
        for parameter, average in zip(self._parameters, self._averages, strict=True):
            assign(average * decay + parameter.detach() * (1 - decay), average)
        assign(self._remaining * (decay.astype("float64") if self._thres_steps is not None else decay), self._remaining)

    @contextlib.contextmanager
    def apply(self, executor: Any, need_restore: bool = True) -> Iterator[None]:
        """Make the parameters their averages within a ``with`` block; with ``need_restore=False`` they stay so until `restore`."""
        self._saved = [p._array for p in self._parameters]
        remaining = float(self._remaining.numpy()[0])
        for parameter, average in zip(self._parameters, self._averages, strict=True):
            # nothing was averaged yet: the averages are as they begin, zero, as in Paddle
            array = average._array / (1.0 - remaining) if remaining < 1.0 else average._array
            parameter._array = array.astype(average._array.dtype)
        try:
            yield
        finally:
            if need_restore:
                self.restore(executor)

    def restore(self, executor: Any) -> None:
        """Give the parameters the values that they had before `apply`."""
        if self._saved is not None:
            for parameter, array in zip(self._parameters, self._saved, strict=True):
                parameter._array = array
            self._saved = None
