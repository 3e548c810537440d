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

from to_static.core.diagnostics.printable import harmless
from to_static.core.errors import ToStaticError
from to_static.inference import Predictor
from to_static.inference.load_predictor import predictor_on
from to_static.serve.row_independence import Finding
from to_static.serve.transport import receive, send
from to_static.serve.trial import run, tensors_of, try_out

MOST_TEXT = 500_000  # characters of a Program that are shown


def main() -> None:
    """Load the model of the orders on standard input, and serve until the server is gone."""
    orders = json.loads(sys.stdin.readline())
    for signal_number in (signal.SIGINT, signal.SIGTERM):  # sent to all processes of a terminal or a unit; the server decides
        signal.signal(signal_number, signal.SIG_IGN)
    connection = _connected(orders, "template")
    try:
        predictor = predictor_on(orders["model"], orders["device"])
        finding = try_out(predictor)
        if orders["batching"] == "off" and not predictor.keeps_state():
            finding = Finding(None, "batching is off", finding.example)
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
            results = run(predictor, arrays)
        except MemoryError:
            send(connection, "memory", "the request needs more memory than there is")
        except (ToStaticError, ValueError, TypeError, IndexError, ArithmeticError) as error:
            send(connection, "refused", harmless(str(error)))
        except Exception as error:  # a fault of ours, which must not end the worker
            send(connection, "fault", harmless(f"{type(error).__name__}: {error}"))
        else:
            send(connection, "done", None, [np.asarray(array) for array in results])


def _description(predictor: Predictor, finding: Finding) -> dict[str, Any]:
    axes = finding.axes
    inputs, outputs = tensors_of(predictor)
    return {
        "inputs": [vars(info) for info in inputs],
        "outputs": [vars(info) for info in outputs],
        "axes": None if axes is None else [axes.inputs, list(axes.outputs)],
        "reason": finding.reason,
        "warm": finding.example is not None,
        "stateful": predictor.keeps_state(),
        "program": harmless(predictor.program_text(), MOST_TEXT),
    }


if __name__ == "__main__":
    main()
