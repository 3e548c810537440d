"""`Host`: the models of a server, and whether it takes requests. Both protocols ask it."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from to_static.core.diagnostics.printable import printable, quoted
from to_static.core.release import RELEASE
from to_static.serve.logs import log
from to_static.serve.metrics import Metrics
from to_static.serve.model_pool import CannotLoad
from to_static.serve.options import Options
from to_static.serve.protocol import InferRequest, RequestedOutput, chosen_outputs
from to_static.serve.refusal import Refusal, not_found, unavailable
from to_static.serve.scheduler import BatchReport
from to_static.serve.served_model import ServedModel
from to_static.serve.tensors import datatype_of, sizes

NAME = "to_static"
EXTENSIONS = ["binary_tensor_data", "classification", "model_configuration", "model_repository", "statistics"]


class Host:
    """The models of a server.

    Attributes: ``draining`` is True when the server goes away: what was accepted is answered, nothing new is.
    """

    def __init__(self, options: Options) -> None:
        self.options = options
        self.draining = False
        self.metrics = Metrics(lambda: self.models.values())
        self.models = {
            name: ServedModel(name, path, options, self._on_batch, self._on_death)
            for name, path in options.models.items()
        }
        self._active = 0

    def _on_batch(self, model: str, report: BatchReport) -> None:
        self.metrics.batch(model, report)

    def _on_death(self, model: str) -> None:
        self.metrics.death(model)

    @property
    def active(self) -> int:
        """Requests that were accepted and are not answered."""
        return self._active

    @property
    def ready(self) -> bool:
        """Return whether all models answer, but for those that a client has unloaded."""
        return not self.draining and all(model.ready or model.unloaded for model in self.models.values())

    async def load(self) -> None:
        """Load all models. Raises CannotLoad."""
        await asyncio.gather(*(model.load() for model in self.models.values()))

    async def watch(self, period: float) -> None:
        """Look at the files of the models again and again, and load new versions."""
        while True:
            await asyncio.sleep(period)
            for model in self.models.values():
                await model.reload_if_changed()

    def model(self, name: str, version: str | None = None) -> ServedModel:
        """The model of a name. Raises Refusal (404)."""
        if name not in self.models:
            names = ", ".join(map(printable, self.models))  # the first words are Triton's, which its clients look for
            raise not_found(f"Request for unknown model: {quoted(name)} is not found; there is {names}")
        self.models[name].need_version(version)
        return self.models[name]

    @contextlib.contextmanager
    def accepted(self) -> Iterator[None]:
        """Around the work for a request. Raises Refusal (503) when the server goes away."""
        if self.draining:
            raise unavailable("the server is shutting down")
        self._active += 1
        try:
            yield
        finally:
            self._active -= 1

    async def infer(
        self, name: str, version: str | None, request: InferRequest, protocol: str
    ) -> tuple[str, list[tuple[RequestedOutput, np.ndarray]]]:
        """The version that answered, and the outputs that the request asks for. Raises Refusal."""
        started, status, sent = time.monotonic(), 500, 0
        try:
            results, served_version, batched = await self.model(name, version).infer(request)
            outputs = chosen_outputs(request, results, batched)
            status, sent = 200, sizes([array for _, array in outputs])
            return served_version, outputs
        except Refusal as refusal:
            status = refusal.status
            if status >= 500:
                log("request failed", model=name, status=status, error=str(refusal), id=request.id)
            raise
        except asyncio.CancelledError:
            status = 499  # the client is gone
            raise
        finally:
            label = name if name in self.models else ""  # names of strangers are no labels
            self.metrics.answered(
                label, protocol, status, time.monotonic() - started, sizes(list(request.inputs.values())), sent
            )

    async def reload(self, name: str) -> None:
        """Load a model again. Raises Refusal where the server does not have it, or where its files are no model."""
        try:
            await self.model(name).load()
        except Refusal as refusal:  # the first words are Triton's, which its clients look for
            raise Refusal(refusal.status, f"failed to load {quoted(name)}: {refusal}") from None
        except (CannotLoad, OSError) as error:
            raise Refusal(400, f"failed to load {quoted(name)}: {error}") from None

    async def unload(self, name: str) -> None:
        """Unload a model. Raises Refusal where the server does not have it."""
        await self.model(name).unload()

    async def close(self) -> None:
        """Answer what waits, then end all processes."""
        await asyncio.gather(*(model.close() for model in self.models.values()))

    def server_metadata(self) -> dict[str, Any]:
        """Name, version and extensions of the server."""
        return {"name": NAME, "version": RELEASE, "extensions": EXTENSIONS}

    def model_metadata(self, model: ServedModel) -> dict[str, Any]:
        """Inputs and outputs of a model, -1 for a free dimension. Raises Refusal (503) where it is not ready."""
        pool = model.scheduler.pool
        inputs, outputs = (
            [{"name": info.name, "datatype": datatype_of(info.dtype), "shape": list(info.shape)} for info in tensors]
            for tensors in (pool.inputs, pool.outputs)
        )
        return {
            "name": model.name,
            "versions": [model.version],
            "platform": "paddle_static",
            "inputs": inputs,
            "outputs": outputs,
        }

    def model_config(self, model: ServedModel) -> dict[str, Any]:
        """The configuration, as Triton describes models: shapes without the batch, where rows run together along the first axis."""
        pool = model.scheduler.pool
        batched = pool.axes is not None and pool.axes.inputs == 0 and set(pool.axes.outputs) == {0}
        skipped = 1 if batched else 0
        inputs, outputs = (
            [
                {"name": info.name, "data_type": _config_type(info.dtype), "dims": list(info.shape[skipped:])}
                for info in tensors
            ]
            for tensors in (pool.inputs, pool.outputs)
        )  # fmt: skip
        return {
            "name": model.name, "platform": "paddle_static", "backend": "to_static", "input": inputs, "output": outputs,
            "max_batch_size": self.options.max_batch if batched else 0,
        }  # fmt: skip

    def statistics(self, model: ServedModel) -> dict[str, Any]:
        """Counts and times in nanoseconds, as Triton's statistics extension has them."""
        totals = model.statistics

        def duration(count: int, seconds: float) -> dict[str, int]:
            return {"count": count, "ns": int(seconds * 1e9)}

        nothing = duration(0, 0.0)
        return {
            "name": model.name,
            "version": model.version,
            "last_inference": int(totals.last * 1000),
            "inference_count": totals.rows,
            "execution_count": totals.batches,
            "inference_stats": {
                "success": duration(totals.requests, totals.request_seconds),
                "fail": duration(totals.failures, totals.failure_seconds),
                "queue": duration(totals.requests, totals.queue_seconds),
                "compute_input": nothing,
                "compute_infer": duration(totals.batches, totals.compute_seconds),
                "compute_output": nothing,
                "cache_hit": nothing,
                "cache_miss": nothing,
            },
            "batch_stats": [
                {
                    "batch_size": rows,
                    "compute_input": nothing,
                    "compute_infer": duration(runs, seconds),
                    "compute_output": nothing,
                }
                for rows, (runs, seconds) in sorted(totals.batch_sizes.items())
            ],
        }


def _config_type(dtype: str) -> str:
    datatype = datatype_of(dtype)
    return "TYPE_STRING" if datatype == "BYTES" else f"TYPE_{datatype}"
