"""Record what real Paddle's nn.functional computes: ``python record_functional.py`` in an environment with Paddle 2.6.2.

Writes ``functional.npz`` beside this file: the arrays of case i as ``i.0``, ``i.1``, ...
"""

import pathlib

import numpy as np
import paddle
from functional_cases import CASES, evaluate

out = {}
for i, case in enumerate(CASES):
    for k, array in enumerate(evaluate(case, paddle.nn.functional, paddle.to_tensor)):
        out[f"{i}.{k}"] = array
np.savez_compressed(pathlib.Path(__file__).parent / "functional.npz", **out)
