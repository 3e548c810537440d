"""Callbacks that write to tools which show curves: `VisualDL`, `WandbCallback`. The tools are imported when they are needed."""

from __future__ import annotations

import importlib
import numbers
from typing import Any

from to_static.callbacks.callback import Callback
from to_static.core.importing.extras import need


class _Writer(Callback):
    """The loss and the metrics: of training by step, of evaluation by epoch."""

    def __init__(self) -> None:
        super().__init__()
        self.epoch = self._train_step = 0
        self._fits = False
        self._metrics: list[str] = []

    def _write(self, mode: str, step: int, values: dict[str, Any]) -> None:
        """Write the numbers of one step."""
        raise NotImplementedError(type(self).__name__)

    def _close(self) -> None:
        """Write what is left."""
        raise NotImplementedError(type(self).__name__)

    def _send(self, mode: str, step: int, names: list[str], logs: Any) -> None:
        values = {}
        for name in names:
            value = (logs or {}).get(name)
            value = value[0] if isinstance(value, (list, tuple)) and value else value
            if isinstance(value, numbers.Number):
                values[f"{mode}/{name}"] = value
        self._write(mode, step, values)

    def on_train_begin(self, logs: Any = None) -> None:
        self._fits = True
        self._train_step = 0

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self.epoch = epoch

    def on_train_batch_end(self, step: int, logs: Any = None) -> None:
        self._train_step += 1
        self._send("train", self._train_step, self.params.get("metrics") or [], logs)

    def on_train_end(self, logs: Any = None) -> None:
        self._close()

    def on_eval_begin(self, logs: Any = None) -> None:
        self._metrics = (logs or {}).get("metrics", [])

    def on_eval_end(self, logs: Any = None) -> None:
        self._send("eval", self.epoch, self._metrics, logs)
        if not self._fits:
            self._close()


class VisualDL(_Writer):
    """Write the loss and the metrics to ``log_dir``, for VisualDL, or for TensorBoard where only that is installed.

    The package ``visualdl`` is used if it is there, else the writer of ``tensorboardX``.
    Raises ImportError when there is neither, at the first number.

    Example:
        >>> model.fit(data, callbacks=paddle.callbacks.VisualDL('log'))
    """

    def __init__(self, log_dir: str) -> None:
        super().__init__()
        self.log_dir = log_dir
        self._writer: Any = None

    def _write(self, mode: str, step: int, values: dict[str, Any]) -> None:
        if self._writer is None:
            self._writer = _writer(self.log_dir)
        for tag, value in values.items():
            self._writer.add_scalar(tag, value, step)

    def _close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None


class _OfVisualDL:
    """VisualDL's writer, called as TensorBoard's is."""

    def __init__(self, module: Any, log_dir: str) -> None:
        self._writer = module.LogWriter(log_dir)
        self.close = self._writer.close

    def add_scalar(self, tag: str, value: Any, step: int) -> None:
        self._writer.add_scalar(tag=tag, step=step, value=value)


def _writer(log_dir: str) -> Any:
    try:
        return _OfVisualDL(importlib.import_module("visualdl"), log_dir)
    except ImportError:
        return need("tensorboardX", what="callbacks.VisualDL, without the package visualdl,").SummaryWriter(log_dir)


class WandbCallback(_Writer):
    """Send the loss and the metrics to Weights & Biases. The arguments are those of ``wandb.init``.

    Raises ImportError where the package ``wandb`` is not installed.

    Example:
        >>> callback = paddle.callbacks.WandbCallback(project=project)
    """

    def __init__(
        self,
        project: str | None = None,
        entity: str | None = None,
        name: str | None = None,
        dir: str | None = None,
        mode: str | None = None,
        job_type: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__()
        self.wandb: Any = need("wandb", what="callbacks.WandbCallback")
        settings = {"project": project, "entity": entity, "name": name, "dir": dir, "mode": mode, "job_type": job_type}
        self._run = self.wandb.run or self.wandb.init(**settings, **kwargs)

    @property
    def run(self) -> Any:
        """The run that is written to."""
        return self._run

    def _write(self, mode: str, step: int, values: dict[str, Any]) -> None:
        self._run.log({"train/step" if mode == "train" else "epoch": step, **values})

    def _close(self) -> None:
        self._run.finish()
