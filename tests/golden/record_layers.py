"""Record what real Paddle's layers compute: ``python record_layers.py`` in an environment with Paddle 2.6.2.

Writes ``layers.npz`` beside this file: for every case the outputs in training and evaluation, the gradients of a weighted sum of
the training output with respect to float inputs and parameters, and the running statistics after training.
"""

import pathlib

import numpy as np
import paddle
from layer_cases import CALLS, LAYERS, ONLY_EVAL, draw, flat, set_parameters, weights
from paddle import nn

out = {}
for name, (text, *shapes) in LAYERS.items():
    layer = eval(text, {"nn": nn})
    out[f"{name}.repr"] = np.asarray(repr(layer))
    inputs = [paddle.to_tensor(a, stop_gradient=a.dtype != "float32") for a in draw(shapes)]
    set_parameters(layer)
    layer.eval()
    out[f"{name}.eval"] = layer(*inputs).numpy()
    if name in ONLY_EVAL:
        continue
    layer.train()
    result = layer(*inputs)
    out[f"{name}.train"] = result.numpy()
    (result * paddle.to_tensor(weights(result.shape))).sum().backward()
    if not inputs[0].stop_gradient:
        out[f"{name}.grad.input"] = inputs[0].grad.numpy()
    for key, parameter in layer.state_dict().items():
        if not parameter.stop_gradient:
            out[f"{name}.grad.{key}"] = parameter.grad.numpy()
        else:
            out[f"{name}.state.{key}"] = parameter.numpy()
for name, (text, call, *shapes) in CALLS.items():
    layer = eval(text, {"nn": nn})
    inputs = [paddle.to_tensor(a, stop_gradient=a.dtype != "float32") for a in draw(shapes)]
    set_parameters(layer)
    results = flat(call(layer, inputs))
    out.update({f"{name}.{i}": result.numpy() for i, result in enumerate(results)})
    sum((r * paddle.to_tensor(weights(r.shape))).sum() for r in results).backward()
    out[f"{name}.grad.input"] = inputs[0].grad.numpy()
    for key, parameter in layer.named_parameters():
        if parameter.grad is not None:
            out[f"{name}.grad.{key}"] = parameter.grad.numpy()
np.savez_compressed(pathlib.Path(__file__).parent / "layers.npz", **out)
