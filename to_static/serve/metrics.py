"""Figures of a server in Prometheus' format, for ``/metrics``."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily

from to_static.serve.scheduler import BatchReport
from to_static.serve.served_model import ServedModel

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_ROWS = (1, 2, 4, 8, 16, 32, 64, 128, 256)


class Metrics:
    """The figures of one server. ``models`` tells the models that are served."""

    def __init__(self, models: Callable[[], Iterable[ServedModel]]) -> None:
        self.registry = CollectorRegistry()

        def counter(name: str, words: str, *labels: str) -> Counter:
            return Counter(f"to_static_{name}", words, labels, registry=self.registry)

        self._requests = counter("requests", "Requests for an inference, by HTTP status", "model", "protocol", "status")
        self._bytes = counter("bytes", "Bytes of tensors received and sent", "model", "direction")
        self._deaths = counter("worker_deaths", "Worker processes that died and were replaced", "model")
        self._seconds = Histogram(
            "to_static_request_seconds",
            "Time from a request's arrival to its answer",
            ["model"],
            registry=self.registry,
            buckets=_SECONDS,
        )
        self._batch_rows = Histogram(
            "to_static_batch_rows", "Rows that ran together", ["model"], registry=self.registry, buckets=_ROWS
        )
        self.registry.register(_State(models))

    def answered(self, model: str, protocol: str, status: int, seconds: float, received: int, sent: int) -> None:
        """Count an answer."""
        self._requests.labels(model, protocol, str(status)).inc()
        self._seconds.labels(model).observe(seconds)
        self._bytes.labels(model, "in").inc(received)
        self._bytes.labels(model, "out").inc(sent)

    def batch(self, model: str, report: BatchReport) -> None:
        """Count a run of a worker."""
        self._batch_rows.labels(model).observe(report.rows)

    def death(self, model: str) -> None:
        """Count a worker that died."""
        self._deaths.labels(model).inc()

    def text(self) -> bytes:
        """All figures as they are now."""
        return generate_latest(self.registry)


class _State:
    """The queues, versions and memory that are read when metrics are asked for."""

    def __init__(self, models: Callable[[], Iterable[ServedModel]]) -> None:
        self._models = models

    def collect(self) -> Iterator[Any]:
        """The figures, as Prometheus' collectors give them."""
        ready = GaugeMetricFamily("to_static_model_ready", "1 where a version of the model answers", labels=["model"])
        waiting = GaugeMetricFamily("to_static_queue_requests", "Requests that wait", labels=["model"])
        age = GaugeMetricFamily(
            "to_static_queue_age_seconds", "Time that the first request in the queue has waited", labels=["model"]
        )
        reloads = GaugeMetricFamily("to_static_reloads", "Times that a new version took over", labels=["model"])
        memory = GaugeMetricFamily("to_static_resident_bytes", "Resident memory of a process", labels=["model", "pid"])
        memory.add_metric(["", str(os.getpid())], resident_bytes(os.getpid()))
        for model in self._models():
            ready.add_metric([model.name], float(model.ready))
            reloads.add_metric([model.name], model.reloads)
            if model.ready:
                waiting.add_metric([model.name], model.scheduler.waiting)
                age.add_metric([model.name], model.scheduler.oldest)
                for pid in model.scheduler.pids:
                    memory.add_metric([model.name, str(pid)], resident_bytes(pid))
        yield from (ready, waiting, age, reloads, memory)


def resident_bytes(pid: int) -> float:
    """Resident memory of a process in bytes, shared pages included; NaN where the system does not tell."""
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return float(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError, AttributeError):
        return float("nan")
