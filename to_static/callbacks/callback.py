"""`Callback`, the base class, and `CallbackList`, which calls several."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any


class Callback:
    """Base class: methods that `Model` calls at the named moments; a subclass writes those that it needs.

    Attributes: ``model`` (the `Model`), ``params`` (dict with 'batch_size', 'epochs', 'steps', 'verbose', 'metrics').
    ``logs`` is a dict with the loss and the metrics by name, 'step' and 'batch_size'.

    Example:
        >>> class Losses(paddle.callbacks.Callback):
        ...     def on_epoch_end(self, epoch, logs=None):
        ...         print(epoch, logs['loss'])
        >>> model.fit(data, callbacks=Losses())
    """

    def __init__(self) -> None:
        self.model: Any = None
        self.params: dict[str, Any] = {}

    def set_params(self, params: dict[str, Any]) -> None:
        """Told once before the others."""
        self.params = params

    def set_model(self, model: Any) -> None:
        """Told once before the others."""
        self.model = model

    def on_train_begin(self, logs: Any = None) -> None:
        """At the start of training."""

    def on_train_end(self, logs: Any = None) -> None:
        """At the end of training."""

    def on_eval_begin(self, logs: Any = None) -> None:
        """At the start of evaluation; ``logs`` has 'steps' and 'metrics'."""

    def on_eval_end(self, logs: Any = None) -> None:
        """At the end of evaluation."""

    def on_predict_begin(self, logs: Any = None) -> None:
        """At the start of prediction."""

    def on_predict_end(self, logs: Any = None) -> None:
        """At the end of prediction."""

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """At the start of an epoch, counted from 0."""

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """At the end of an epoch."""

    def on_train_batch_begin(self, step: int, logs: Any = None) -> None:
        """Before a batch in training, counted from 0 in each epoch."""

    def on_train_batch_end(self, step: int, logs: Any = None) -> None:
        """After a batch in training."""

    def on_eval_batch_begin(self, step: int, logs: Any = None) -> None:
        """Before a batch in evaluation."""

    def on_eval_batch_end(self, step: int, logs: Any = None) -> None:
        """After a batch in evaluation."""

    def on_predict_batch_begin(self, step: int, logs: Any = None) -> None:
        """Before a batch in prediction."""

    def on_predict_batch_end(self, step: int, logs: Any = None) -> None:
        """After a batch in prediction."""


class CallbackList:
    """Several callbacks, called in order."""

    def __init__(self, callbacks: Iterable[Callback], model: Any, params: dict[str, Any]) -> None:
        self.callbacks = list(callbacks)
        for callback in self.callbacks:
            if isinstance(callback, type):
                raise TypeError(f"callbacks: got the class {callback.__name__} itself; `{callback.__name__}(...)` makes one")
            if not hasattr(callback, "set_model"):
                raise TypeError(f"callbacks: expected objects of `paddle.callbacks.Callback`, got {callback!r:.60}")
            callback.set_model(model)
            callback.set_params(params)

    def __iter__(self) -> Iterator[Callback]:
        return iter(self.callbacks)

    def call(self, moment: str, *args: Any) -> None:
        """Call the method of this name of each."""
        for callback in self.callbacks:
            getattr(callback, moment)(*args)
