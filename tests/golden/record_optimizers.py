"""Record what real Paddle's optimizers and schedules compute: ``python record_optimizers.py`` in an environment with Paddle 2.6.2.

Writes ``optimizers.npz`` beside this file: for every case the two parameters after each step, for every schedule its rates.
"""

import pathlib

import numpy as np
import paddle
from optimizer_cases import METRICS, OPTIMIZERS, PLATEAU, SCHEDULES, STEPS

HERE = pathlib.Path(__file__).parent
rng = np.random.default_rng(7)
start = [rng.normal(size=(2, 3)).astype("float32"), rng.normal(size=(3,)).astype("float32")]
grads = [rng.normal(size=(STEPS, *p.shape)).astype("float32") for p in start]
out = {"start0": start[0], "start1": start[1], "grad0": grads[0], "grad1": grads[1]}
names = {"paddle": paddle, "o": paddle.optimizer, "lr": paddle.optimizer.lr, "nn": paddle.nn, "reg": paddle.regularizer}
for name, text in OPTIMIZERS.items():
    params = [
        paddle.create_parameter(v.shape, "float32", default_initializer=paddle.nn.initializer.Assign(v)) for v in start
    ]
    opt = eval(text, {**names, "P": params})
    track = [[], []]
    for step in range(STEPS):
        loss = sum((p * paddle.to_tensor(g[step])).sum() for p, g in zip(params, grads, strict=True))
        loss.backward()
        opt.step()
        opt.clear_grad()
        if isinstance(opt._learning_rate, paddle.optimizer.lr.LRScheduler):
            opt._learning_rate.step()
        for values, p in zip(track, params, strict=True):
            values.append(p.numpy())
    out.update({f"{name}.{i}": np.stack(values) for i, values in enumerate(track)})
for name, text in SCHEDULES.items():
    scheduler = eval(text, names)
    rates = [scheduler()]
    for _ in range(20):
        scheduler.step()
        rates.append(scheduler())
    out[f"lr.{name}"] = np.asarray(rates, "float64")
for name, text in PLATEAU.items():
    scheduler = eval(text, names)
    rates = [scheduler()]
    for metric in METRICS:
        scheduler.step(metric)
        rates.append(scheduler())
    out[f"lr.{name}"] = np.asarray(rates, "float64")
np.savez_compressed(HERE / "optimizers.npz", **out)
