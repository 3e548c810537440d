"""The processes that run a model.

A *template* process loads the model, tries it out and tells the server what it found. For each worker it forks, so that all workers
share one copy of the weights. Where there is no fork, or on a GPU, each worker loads the model itself. The server talks to each
process over a connection of its own. A process whose connection ends goes away, so that none outlives the server.

``python -m to_static.serve.worker`` reads one line of JSON from standard input: the address, the key and the model.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from multiprocessing.connection import Client, Connection
from typing import Any

import numpy as np

from to_static.core.errors import ToStaticError
from to_static.core.printable import harmless
from to_static.inference import Config, Predictor, create_predictor
from to_static.serve.row_independence import Finding, TensorInfo, find_batch_axes
from to_static.serve.transport import receive, send

MOST_TEXT = 500_000  # characters of a Program that are shown


def main() -> None:
    """Load the model of the orders on standard input, and serve until the server is gone."""
    orders = json.loads(sys.stdin.readline())
    for number in (signal.SIGINT, signal.SIGTERM):  # sent to all processes of a terminal or a unit; the server decides
        signal.signal(number, signal.SIG_IGN)
    connection = _connected(orders, "template")
    try:
        predictor = _load(orders["model"], orders["device"])
        finding = _try_out(predictor, orders["batching"])
    except (ToStaticError, OSError, MemoryError, KeyError, ValueError) as error:
        send(connection, "failed", harmless(f"{error}" or type(error).__name__))
        return
    send(connection, "ready", _description(predictor, finding))
    gc.freeze()  # so that a collection in a worker does not write to, and so copy, what all share
    try:
        _fork_on_request(connection, predictor, orders)
    except (EOFError, OSError):
        return


def can_fork(device: str) -> bool:
    """True if workers are forked from the template: not without fork, nor with a GPU, whose context is not inherited."""
    return hasattr(os, "fork") and device == "cpu"


def _connected(orders: dict[str, Any], role: str) -> Connection:
    connection: Connection = Client(orders["address"], authkey=bytes.fromhex(orders["key"]))
    send(connection, role, os.getpid())
    return connection


def _load(model: str, device: str) -> Predictor:
    config = Config(model)
    if device != "cpu":
        config.set_device(device)
    return create_predictor(config)


def _fork_on_request(connection: Connection, predictor: Predictor, orders: dict[str, Any]) -> None:
    if not can_fork(orders["device"]):
        _answer(connection, predictor)
        return
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # so that workers which end leave no zombies
    while True:
        receive(connection)
        if os.fork() == 0:
            connection.close()
            try:
                _answer(_connected(orders, "worker"), predictor)
            except (EOFError, OSError):
                os._exit(0)


def _answer(connection: Connection, predictor: Predictor) -> None:
    """Run what comes, until the connection ends."""
    while True:
        _, _, arrays = receive(connection)
        try:
            results = predictor.run(arrays)
            assert isinstance(results, list)
        except MemoryError:
            send(connection, "memory", "the request needs more memory than there is")
        except (ToStaticError, ValueError, TypeError, IndexError, ArithmeticError) as error:
            send(connection, "refused", harmless(str(error)))
        except Exception as error:  # a fault of ours, which must not end the worker
            send(connection, "fault", harmless(f"{type(error).__name__}: {error}"))
        else:
            send(connection, "done", None, [np.asarray(array) for array in results])


def _tensors(names: list[str], handle: Any) -> list[TensorInfo]:
    return [TensorInfo(name, handle(name)._spec.dtype.name, tuple(handle(name)._spec.shape)) for name in names]


def _try_out(predictor: Predictor, batching: str) -> Finding:
    """Run a model on test rows to see how its rows depend on each other; this makes its plans, too."""

    def run(arrays: list[np.ndarray]) -> list[np.ndarray]:
        results = predictor.run(arrays)
        assert isinstance(results, list)
        return results

    inputs = _tensors(predictor.get_input_names(), predictor.get_input_handle)
    if predictor.keeps_state():
        return Finding(None, "the model changes its own state")
    finding = find_batch_axes(run, inputs, predictor.has_control_flow())
    return finding if batching == "auto" else Finding(None, "batching is off", finding.example)


def _description(predictor: Predictor, finding: Finding) -> dict[str, Any]:
    axes = finding.axes
    return {
        "inputs": [vars(info) for info in _tensors(predictor.get_input_names(), predictor.get_input_handle)],
        "outputs": [vars(info) for info in _tensors(predictor.get_output_names(), predictor.get_output_handle)],
        "axes": None if axes is None else [axes.inputs, list(axes.outputs)],
        "reason": finding.reason,
        "warm": finding.example is not None,
        "stateful": predictor.keeps_state(),
        "program": harmless(predictor.program_text(), MOST_TEXT),
    }


if __name__ == "__main__":
    main()
