"""`Model`: a network with what is needed to train, test and use it."""

from __future__ import annotations

import inspect
import os
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from to_static.callbacks.callback import Callback, CallbackList
from to_static.callbacks.checkpoint import ModelCheckpoint
from to_static.callbacks.monitor import EarlyStopping
from to_static.callbacks.progress import ProgBarLogger
from to_static.callbacks.rate import LRScheduler
from to_static.compiler.frontend.function.static_function import StaticFunction
from to_static.compiler.ir import mode
from to_static.compiler.ir.input_spec import InputSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions
from to_static.compiler.saved.save import save as save_static
from to_static.core.diagnostics.missing_names import of_object
from to_static.core.diagnostics.printable import printable
from to_static.core.errors import ModeError
from to_static.framework.io import load as load_file
from to_static.framework.io import save as save_file
from to_static.hapi.precision import AmpOptions
from to_static.hapi.summary import summary
from to_static.io import DataLoader, Dataset, DistributedBatchSampler
from to_static.metric.metric import Metric
from to_static.nn.layer import Layer
from to_static.nn.unregistered import warn_of_unregistered


class Model:
    """A network with loss, optimizer and metrics, as `prepare` sets them.

    In dynamic mode each batch runs in Python. After `enable_static`, or where the network is static (``to_static(net)``), a whole
    step, forward, loss, backward and update, is one Program.

    Args:
        network: a Layer.
        inputs, labels: an InputSpec or a list of them: how many values of a batch are inputs (default: as many as ``forward``
            takes), and what `save` for inference needs.

    Raises TypeError for a network that is no Layer.

    Example:
        >>> model = paddle.Model(net)
        >>> model.prepare(paddle.optimizer.Adam(parameters=net.parameters()), nn.CrossEntropyLoss(), paddle.metric.Accuracy())
        >>> model.fit(train_dataset, epochs=2, batch_size=64)
    """

    def __init__(self, network: Layer, inputs: Any = None, labels: Any = None) -> None:
        if not isinstance(network, Layer):
            raise TypeError(f"Model: network must be a Layer, got {type(network).__name__}")
        for name, value in (("inputs", inputs), ("labels", labels)):
            for item in _listed(value):
                if not isinstance(item, (InputSpec, Tensor)):
                    advice = "`InputSpec([None, 784], 'float32')` is one, with None for the batch"
                    raise TypeError(f"Model: {name} must be an InputSpec or a list of them, got {type(item).__name__}; {advice}")
        warn_of_unregistered(network)
        self.mode = "train"
        self.network = network
        self.stop_training = False
        self._inputs = None if inputs is None else _listed(inputs)
        self._labels = None if labels is None else _listed(labels)
        self._first_inputs: list[InputSpec] | None = None  # the inputs of the first batch
        self._count = len(self._inputs) if self._inputs is not None else _arguments_of(network)
        self._loss: Any = None
        self._optimizer: Any = None
        self._metrics: list[Metric] = []
        self._precision = AmpOptions(None)
        self._steps: dict[str, Callable[..., Any]] = {}

    def __getattr__(self, name: str) -> Any:
        raise of_object("Model", self, name)

    def prepare(self, optimizer: Any = None, loss: Any = None, metrics: Any = None, amp_configs: Any = None) -> None:
        """Set what trains and tests the network.

        Args:
            optimizer: needed for `fit` and `train_batch`.
            loss: function or Layer called with the outputs and the labels, that returns a tensor or several.
            metrics: a `Metric` or a list of them.
            amp_configs: 'O0', 'O1' or 'O2', or a dict with 'level' and the settings of `amp.auto_cast` and `amp.GradScaler`.

        Raises TypeError for an optimizer by its name, a loss that can't be called, other metrics and classes in place of objects,
        ValueError for other ``amp_configs``.
        """
        if isinstance(optimizer, (str, type)):
            such = "an optimizer, `paddle.optimizer.Adam(parameters=net.parameters())` say"
            raise TypeError(f"prepare: optimizer must be {such}, got {optimizer!r}")
        for part in (loss, *_listed(metrics)):
            if isinstance(part, type) and issubclass(part, (Layer, Metric)):
                raise TypeError(f"prepare: got the class {part.__name__} itself; `{part.__name__}()` makes what is wanted")
        if loss is not None and not callable(loss):
            raise TypeError("'loss' must be sub classes of `paddle.nn.Layer` or any callable function.")
        for metric in _listed(metrics):
            if not isinstance(metric, Metric):
                hint = f"; `paddle.metric.Accuracy()` makes one, got {metric!r}" if isinstance(metric, str) else ""
                raise TypeError(f"{type(metric).__name__} is not sub class of Metric{hint}")
        self._precision = AmpOptions(amp_configs)
        self._optimizer, self._loss, self._metrics = optimizer, loss, _listed(metrics)
        static = mode.building() or isinstance(self.network.__dict__.get("forward"), StaticFunction)
        static = static or isinstance(getattr(type(self.network), "forward", None), StaticFunction)
        self._steps = {
            name: StaticFunction(step) if static else step for name, step in _steps(self.network, self).items()
        }

    # -- one batch ----------------------------------------------------------------------------------------------------

    def train_batch(self, inputs: Any, labels: Any = None, update: bool = True) -> Any:
        """One step of training: forward, loss, backward, and unless ``update`` is False the update.

        ``inputs``, ``labels``: an array or tensor, or a list of them. Returns the losses as a list of arrays, with metrics the
        pair of that and the metrics' values. Raises ModeError before `prepare`.
        """
        if self._optimizer is None or self._loss is None:
            raise ModeError("model not ready, please call `model.prepare()` with an optimizer and a loss first")
        self.network.train()
        self.mode = "train"
        losses, outs = self._run("update" if update else "accumulate", inputs, labels)
        values = self._measured(outs)
        return (losses, values) if self._metrics else losses

    def eval_batch(self, inputs: Any, labels: Any = None) -> Any:
        """The losses of one batch in eval mode, and the metrics' values: both, as `train_batch`, or what there is of them."""
        self._needs_prepare()
        self.network.eval()
        self.mode = "eval"
        with mode.grad_mode(False):
            losses, outs = self._run("evaluate", inputs, labels)
        values = self._measured(outs)
        if self._loss is None:
            return values
        return (losses, values) if self._metrics else losses

    def predict_batch(self, inputs: Any) -> list[np.ndarray]:
        """The outputs of the network for one batch in eval mode, a list of arrays."""
        self.network.eval()
        self.mode = "test"
        with mode.grad_mode(False):
            if not self._steps:
                self.prepare(self._optimizer, self._loss, self._metrics)
            outputs, _ = self._run("predict", inputs, None)
        return outputs

    def _needs_prepare(self) -> None:
        if not self._steps:
            raise ModeError("model not ready, please call `model.prepare()` first")

    def _run(self, step: str, inputs: Any, labels: Any) -> tuple[list[np.ndarray], Any]:
        with mode.default_mode():
            tensors = [_tensor(x) for x in _listed(inputs)]
            if self._first_inputs is None:
                self._first_inputs = [InputSpec([None, *x.shape[1:]], x.dtype) for x in tensors]
            results, outs = self._steps[step](tensors, [_tensor(x) for x in _listed(labels)])
            return [x.numpy() for x in results], outs

    def _measured(self, outs: list[Any]) -> list[Any]:
        with mode.default_mode():
            return [m.update(*[_array(x) for x in _listed(out)]) for m, out in zip(self._metrics, outs, strict=True)]

    # -- whole data sets ----------------------------------------------------------------------------------------------

    def fit(
        self,
        train_data: Any = None,
        eval_data: Any = None,
        batch_size: Any = 1,
        epochs: int = 1,
        eval_freq: int = 1,
        log_freq: int = 10,
        save_dir: str | None = None,
        save_freq: int = 1,
        verbose: int = 2,
        drop_last: bool = False,
        shuffle: bool = True,
        num_workers: int = 0,
        callbacks: Any = None,
        accumulate_grad_batches: int = 1,
        num_iters: int | None = None,
    ) -> None:
        """Train.

        Args:
            train_data, eval_data: a `Dataset`, or a loader: anything to iterate over that gives batches of inputs and labels.
            batch_size: of data sets; a pair is for training and evaluation.
            epochs: how often to go through ``train_data``.
            eval_freq: epochs between evaluations.
            log_freq: steps between lines.
            save_dir, save_freq: where to save the model, every so many epochs (None: nowhere).
            verbose: 0 nothing, 1 a bar, 2 a line each time, 3 the same with times.
            drop_last, shuffle, num_workers: of the loader of ``train_data``.
            callbacks: a `Callback` or a list of them.
            accumulate_grad_batches: batches whose gradients are added up for one update.
            num_iters: train that many steps (``epochs`` does not count then).

        Raises ValueError without ``train_data`` and for bad numbers.
        """
        if train_data is None:
            raise ValueError("train_data must be given!")
        sizes = list(batch_size) if isinstance(batch_size, (tuple, list)) else [batch_size, batch_size]
        if len(sizes) != 2:
            raise ValueError("batch_size length error, expected train_batch_size and eval_batch_size.")
        if not hasattr(epochs, "__index__"):
            raise TypeError(f"fit: epochs should be an integer, got {epochs!r:.60}")
        if _is_array(train_data) and _is_array(eval_data):
            data = "`model.fit(paddle.io.TensorDataset([x, y]), batch_size=32)`"
            raise TypeError(f"fit: expected datasets, got two arrays: inputs and labels make one dataset, {data}")
        loader = _loader(train_data, sizes[0], num_workers, shuffle, drop_last)
        tests = None if eval_data is None else _loader(eval_data, sizes[1], num_workers)
        steps = _length(loader)
        if num_iters is not None:
            if num_iters <= 0:
                raise ValueError("num_iters must be greater than 0!")
            if steps is not None:
                epochs, steps = num_iters // steps + 1, min(num_iters, steps)
        callback_list = self._callback_list(callbacks, log_freq, verbose, epochs, steps, save_freq, save_dir)
        if tests is None and any(isinstance(c, EarlyStopping) for c in callback_list):
            warnings.warn("EarlyStopping needs validation data.", stacklevel=2)
        self.stop_training = False
        left = [num_iters]
        logs: dict[str, Any] = {}
        callback_list.call("on_train_begin", None)
        for epoch in range(epochs):
            callback_list.call("on_epoch_begin", epoch, None)
            self._epoch(loader, callback_list, "train", logs, accumulate_grad_batches, left)
            callback_list.call("on_epoch_end", epoch, logs)
            if tests is not None and epoch % eval_freq == 0:
                self._evaluated(tests, callback_list)
            if self.stop_training:
                break
        callback_list.call("on_train_end", logs)

    def evaluate(
        self,
        eval_data: Any,
        batch_size: int = 1,
        log_freq: int = 10,
        verbose: int = 2,
        num_workers: int = 0,
        callbacks: Any = None,
        num_iters: int | None = None,
    ) -> dict[str, Any]:
        """The loss (of the last batch) and the metrics over ``eval_data``, by name. See `fit` for the arguments.

        Example:
            >>> model.evaluate(test_dataset, batch_size=64, verbose=0)
            {'loss': [0.05], 'acc': 0.98}
        """
        loader = _loader(eval_data, batch_size, num_workers)
        if num_iters is not None and num_iters <= 0:
            raise ValueError("num_iters must be greater than 0!")
        logs = self._evaluated(loader, self._callback_list(callbacks, log_freq, verbose), num_iters)
        return {name: logs[name] for name in self._metrics_name() if name in logs}

    def predict(
        self,
        test_data: Any,
        batch_size: int = 1,
        num_workers: int = 0,
        stack_outputs: bool = False,
        verbose: int = 1,
        callbacks: Any = None,
    ) -> list[Any]:
        """The outputs of the network over ``test_data``: for each output the arrays of all batches, or one (``stack_outputs``)."""
        loader = _loader(test_data, batch_size, num_workers)
        callback_list = self._callback_list(callbacks, 2, verbose)
        logs: dict[str, Any] = {"steps": _length(loader)}
        callback_list.call("on_predict_begin", logs)
        outputs = list(zip(*self._epoch(loader, callback_list, "predict", logs), strict=True))
        callback_list.call("on_predict_end", logs)
        return [np.vstack(arrays) for arrays in outputs] if stack_outputs else outputs

    def _evaluated(self, loader: Any, callback_list: CallbackList, num_iters: int | None = None) -> dict[str, Any]:
        steps = _length(loader)
        if num_iters is not None:
            steps = num_iters if steps is None else min(num_iters, steps)
        logs: dict[str, Any] = {}
        callback_list.call("on_eval_begin", {"steps": steps, "metrics": self._metrics_name()})
        self._epoch(loader, callback_list, "eval", logs, left=[num_iters])
        callback_list.call("on_eval_end", logs)
        return logs

    def _epoch(
        self,
        loader: Iterable[Any],
        callback_list: CallbackList,
        loop_mode: str,
        logs: dict[str, Any],
        accumulate: int = 1,
        left: Sequence[Any] = (None,),
    ) -> list[Any]:
        """Go through the data once; the results of a prediction. ``left``: how many steps there may be yet, counted down."""
        outputs = []
        total = _length(loader)
        for metric in self._metrics:
            metric.reset()
        for step, batch in enumerate(loader):
            data = _flat(batch)
            callback_list.call(f"on_{loop_mode}_batch_begin", step, logs)
            inputs, labels = data[: self._count], data[self._count :]
            if loop_mode == "predict":
                outputs.append(self.predict_batch(inputs))
            elif loop_mode == "train":
                update = (step + 1) % accumulate == 0 or step + 1 == total
                self._log(logs, self.train_batch(inputs, labels, update))
            else:
                self._log(logs, self.eval_batch(inputs, labels))
            logs["step"] = step
            logs["batch_size"] = int(data[0].shape[0])
            callback_list.call(f"on_{loop_mode}_batch_end", step, logs)
            if left[0] is not None:
                left[0] -= 1  # type: ignore[index]
                if left[0] <= 0:
                    self.stop_training = self.stop_training or loop_mode == "train"
                    break
        return outputs

    def _log(self, logs: dict[str, Any], results: Any) -> None:
        values: list[Any] = []
        if self._loss is not None:
            values.append([float(x.reshape(-1)[0]) for x in (results[0] if self._metrics else results)])
        for metric in self._metrics:
            values += _listed(metric.accumulate())
        logs.update(zip(self._metrics_name(), values, strict=True))

    def _metrics_name(self) -> list[str]:
        names = [name for metric in self._metrics for name in _listed(metric.name())]
        return ["loss", *names] if self._loss is not None else names

    def _callback_list(
        self,
        callbacks: Any,
        log_freq: int,
        verbose: int,
        epochs: int | None = None,
        steps: int | None = None,
        save_freq: int = 1,
        save_dir: str | None = None,
    ) -> CallbackList:
        every: list[Callback] = _listed(callbacks)
        if verbose and not any(isinstance(c, ProgBarLogger) for c in every):
            every = [ProgBarLogger(log_freq, verbose), *every]
        if not any(isinstance(c, ModelCheckpoint) for c in every):
            every = [*every, ModelCheckpoint(save_freq, save_dir)]
        if not any(isinstance(c, LRScheduler) for c in every):
            every = [*every, LRScheduler()]
        for callback in every:
            if isinstance(callback, EarlyStopping):
                callback.save_dir = save_dir
        params = {
            "batch_size": None, "epochs": epochs, "steps": steps, "verbose": verbose, "metrics": self._metrics_name(),
        }  # fmt: skip
        return CallbackList(every, self, params)

    # -- files and descriptions ---------------------------------------------------------------------------------------

    def save(self, path: str, training: bool = True) -> None:
        """Save to files that begin with ``path``.

        ``training``: the parameters (``.pdparams``) and the optimizer's state (``.pdopt``). Else what `jit.save` writes.
        Raises RuntimeError for inference where neither ``inputs`` were given nor a batch was seen.
        """
        if training:
            save_file(self.network.state_dict(), path + ".pdparams")
            state = {} if self._optimizer is None else self._optimizer.state_dict()
            if state:
                save_file(state, path + ".pdopt")
            return
        spec = self._inputs or self._first_inputs
        if spec is None:
            raise RuntimeError(
                "Saving inference model needs 'inputs' or running before saving. Please specify 'inputs' in Model initialization "
                "or input training data and perform a training for shape derivation."
            )
        if self._inputs is None:
            warnings.warn(
                "'inputs' was not specified when Model initialization, so the input shape to be saved will be the shape derived "
                f"from the user's actual inputs. The input shape to be saved is {[list(s.shape) for s in spec]}. For saving "
                "correct input shapes, please provide 'inputs' for Model initialization.",
                stacklevel=2,
            )
        with mode.default_mode():
            save_static(self.network, path, input_spec=spec)

    def load(self, path: str, skip_mismatch: bool = False, reset_optimizer: bool = False) -> None:
        """Load what `save` wrote for training; ``path`` may end in ``.pdparams`` or ``.pdopt``.

        ``skip_mismatch``: leave parameters alone that the file does not have in their shapes, with a warning each, and the
        optimizer.
        ``reset_optimizer``: leave the optimizer alone.
        Raises ValueError for a parameter that is missing or of another shape and for other endings, FileNotFoundError without file.
        """
        prefix, ending = os.path.splitext(path)
        if ending not in ("", ".pdparams", ".pdopt", ".pdmodel"):
            raise ValueError(f"Unknown postfix {ending} from weights")
        state = load_file(prefix + ".pdparams")
        matched = []
        for key, param in self.network.state_dict().items():
            problem = f"{key} is not found in the providing file." if key not in state else None
            if problem is None and list(state[key].shape) != list(param.shape):
                problem = f"{key} receives a shape {list(state[key].shape)}, but the expected shape is {list(param.shape)}."
            if problem is None:
                matched.append((param, state[key]))
            elif not skip_mismatch:
                raise ValueError(problem)
            else:
                warnings.warn(f"Skip loading for {printable(key)}. {problem}", stacklevel=2)
                reset_optimizer = True
        with mode.default_mode():
            for param, value in matched:
                param.set_value(value)
            if self._optimizer is not None and not reset_optimizer and os.path.exists(prefix + ".pdopt"):
                self._optimizer.set_state_dict(load_file(prefix + ".pdopt"))

    def parameters(self, *args: Any, **kwargs: Any) -> list[Any]:
        """The network's parameters."""
        return self.network.parameters(*args, **kwargs)

    def summary(self, input_size: Any = None, dtype: Any = None) -> dict[str, int]:
        """`summary` of the network; without ``input_size`` for the ``inputs`` of the model. Raises ValueError without both."""
        if input_size is None and self._inputs is None:
            raise ValueError("'input_size' or 'self._input' must be set: pass the shape, `model.summary((1, 784))`, or make the "
                             "Model with inputs=[InputSpec([None, 784], 'float32')]")
        return summary(self.network, self._inputs if input_size is None else input_size, dtype)


def _steps(network: Layer, model: Model) -> dict[str, Callable[..., Any]]:
    """Return the steps of `Model` with one batch, as functions of a list of inputs and a list of labels."""
    loss, optimizer, metrics, precision = model._loss, model._optimizer, model._metrics, model._precision

    def forward(inputs: Any, labels: Any) -> Any:
        with precision.casting():
            outputs = _listed(network(*inputs))
        losses = [] if loss is None else _listed(loss(*outputs, *labels))
        return outputs, losses

    def total(losses: Any) -> Any:
        total_loss = losses[0]
        for part in losses[1:]:
            total_loss = total_loss + part
        return total_loss

    def measures(outputs: Any, labels: Any) -> Any:
        return [metric.compute(*outputs, *labels) for metric in metrics]

    def accumulate(inputs: Any, labels: Any) -> Any:
        outputs, losses = forward(inputs, labels)
        precision.scaled(total(losses)).backward()
        return losses, measures(outputs, labels)

    def update(inputs: Any, labels: Any) -> Any:
        outputs, losses = forward(inputs, labels)
        precision.scaled(total(losses)).backward()
        precision.step(optimizer)
        network.clear_gradients()
        return losses, measures(outputs, labels)

    def evaluate(inputs: Any, labels: Any) -> Any:
        outputs, losses = forward(inputs, labels)
        return losses, measures(outputs, labels)

    def predict(inputs: Any, labels: Any) -> Any:
        with precision.casting():
            return _listed(network(*inputs)), []

    return {"accumulate": accumulate, "update": update, "evaluate": evaluate, "predict": predict}


def _listed(value: Any) -> list[Any]:
    return [] if value is None else list(value) if isinstance(value, (list, tuple)) else [value]


def _arguments_of(network: Layer) -> int:
    forward = network.forward
    forward = getattr(forward, "dygraph_function", forward)
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return max(sum(p.kind in positional and p.name != "self" for p in inspect.signature(forward).parameters.values()), 1)


def _tensor(value: Any) -> Any:
    return value if isinstance(value, Tensor) else functions.to_tensor(value)


def _array(value: Any) -> Any:
    return value.numpy() if isinstance(value, Tensor) else value


def _flat(data: Any) -> list[Any]:
    return [x for item in data for x in _flat(item)] if isinstance(data, (list, tuple)) else [data]


def _length(loader: Any) -> int | None:
    try:
        return len(loader)
    except TypeError:
        return None


def _is_array(data: Any) -> bool:
    return isinstance(data, (np.ndarray, Tensor)) or (isinstance(data, list) and bool(data) and isinstance(data[0], (int, float)))


def _loader(data: Any, batch_size: int, workers: int, shuffle: bool = False, drop_last: bool = False) -> Any:
    if not isinstance(data, Dataset):
        if not hasattr(data, "__iter__") and not hasattr(data, "__getitem__"):
            expected = "a Dataset, a DataLoader, or what gives batches `[inputs, labels]` when it is iterated"
            raise TypeError(f"data: expected {expected}, got {type(data).__name__}: `model.fit(train_dataset, epochs=3)`")
        return data
    sampler = DistributedBatchSampler(data, batch_size, shuffle=shuffle, drop_last=drop_last)
    return DataLoader(data, batch_sampler=sampler, num_workers=workers, return_list=True)
