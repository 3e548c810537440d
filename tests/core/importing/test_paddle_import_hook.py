"""Programs that say ``import paddle``, each in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import to_static

PROGRAM = '''
import sys
import paddle
import paddle.nn.functional as F
import paddle.tensor.math
from paddle import ParamAttr, to_tensor
from paddle.base import framework
from paddle.nn import Linear
from paddle.nn.functional.activation import relu
from paddle.nn.layer import norm
from paddle.nn.layer.layers import Layer
from paddle.optimizer.lr import StepDecay
from paddle.regularizer import L2Decay

class Net(Layer):
    def __init__(self):
        super().__init__()
        self.fc = Linear(2, 2, weight_attr=ParamAttr(regularizer=L2Decay(0.1)))
        self.norm = norm.LayerNorm(2)

    @paddle.jit.to_static(full_graph=True)
    def forward(self, x):
        if paddle.sum(x) > 0:
            return F.relu(paddle.tensor.math.add(self.norm(self.fc(x)), x))
        return x

net, x = Net(), paddle.ones([1, 2])
assert net(x).shape == [1, 2]
print(net.forward.code)
import to_static
import to_static.nn
assert paddle is to_static and paddle.nn is to_static.nn and Layer is to_static.nn.Layer and relu is F.relu
assert isinstance(x, paddle.Tensor) and isinstance(net, to_static.nn.Layer)
assert sys.modules["paddle.nn.layer"] is sys.modules["to_static.nn.layer"] is paddle.nn.layer
assert framework.ParamAttr is ParamAttr and paddle.nn.__spec__.name == "to_static.nn"
from paddle.framework import core
assert core.VarDesc.VarType.FP32 is paddle.float32 and core.CPUPlace is paddle.CPUPlace
print(sys.argv, __name__)
sys.exit(int(sys.argv[1]))
'''


def python(*words: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, **options)  # type: ignore[call-overload,no-any-return]


def test_a_script_runs_as_it_is(tmp_path):
    script = tmp_path / "train.py"
    script.write_text(PROGRAM)
    run = python("-m", "to_static", "run", str(script), "3", "--lr", "0.1")
    assert run.returncode == 3, run.stderr
    assert repr([str(script), "3", "--lr", "0.1"]) + " __main__" in run.stdout
    assert "paddle.sum(x) > 0" in run.stdout, "its calls are the library's"


def test_a_module_runs_and_finds_its_neighbours(tmp_path):
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "train.py").write_text("from tools import parts\nprint(parts.paddle.ones([2]).shape)")
    (tmp_path / "tools" / "parts.py").write_text("import paddle")
    run = python("-m", "to_static", "run", "-m", "tools.train", cwd=tmp_path, env={"PYTHONPATH": ":".join(sys.path)})
    assert run.stdout == "[2]\n", run.stderr


def test_errors_of_the_script_are_shown_as_python_shows_them(tmp_path):
    script = tmp_path / "bad.py"
    script.write_text("import paddle\ndef f():\n    return paddle.ones([2]) @ paddle.ones([3])\nf()\n")
    run = python("-m", "to_static", "run", str(script))
    assert run.returncode == 1 and run.stderr.startswith("Traceback") and "cli" not in run.stderr
    assert f'File "{script}", line 3, in f' in run.stderr
    missing = python("-m", "to_static", "run", str(tmp_path / "none.py"))
    assert missing.returncode == 1 and missing.stderr.startswith("to_static run: ") and "Traceback" not in missing.stderr


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("import paddle.nothing", "No module named 'paddle.nothing'"),
        ("import paddle.fluid", "No module named 'paddle.fluid': PaddlePaddle 2.5 took it away"),
        ("from paddle.tensor.math import nothing", "cannot import name 'nothing' from 'to_static.tensor.math'"),
        ("import paddle; paddle.nn.layer.norm.nothing", "module 'to_static.nn.layer.norm' has no attribute 'nothing'"),
    ],
)
def test_what_is_not_there_is_said(line, error):
    run = python("-c", f"import to_static; to_static.install_as_paddle()\n{line}")
    assert run.returncode == 1 and error in run.stderr


def test_a_real_paddle_that_is_imported_already_is_an_error(tmp_path):
    (tmp_path / "paddle.py").write_text("")
    code = "import paddle, to_static\nto_static.install_as_paddle()"
    run = python("-c", code, env={"PYTHONPATH": ":".join([str(tmp_path), *sys.path])})
    assert "install_as_paddle: paddle is imported already, from " in run.stderr and "before the first" in run.stderr


def test_a_second_call_changes_nothing():
    code = "import to_static, sys\nfor _ in range(2): to_static.install_as_paddle()\nimport paddle\n"
    assert python("-c", f"{code}print([type(f).__name__ for f in sys.meta_path].count('_Finder'))").stdout == "1\n"


LOOK = """
import functools, importlib, json, sys
import to_static
to_static.install_as_paddle()
wrong = []
for path, names in json.load(open(sys.argv[1])).items():
    if not hasattr(to_static, path.split(".")[0]):
        continue
    try:
        for room in {public.rpartition(".")[0] for public in names.values()}:
            importlib.import_module(f"to_static.{room}".rstrip("."))
        importlib.import_module(f"paddle.{path}".rpartition(".")[0])
    except ModuleNotFoundError:
        continue  # a room that is not built yet
    module = importlib.import_module(f"paddle.{path}")
    if functools.reduce(getattr, path.split("."), to_static) is not module:
        wrong.append(path)
    for name, public in names.items():
        found = functools.reduce(lambda value, part: getattr(value, part, None), public.split("."), to_static)
        if found is not None and getattr(module, name, None) is not found:
            wrong.append(f"{path}.{name}")
print(*wrong)
"""


def test_names_are_found_in_the_inner_modules_that_paddle_has_them_in():
    table = Path(__file__).parents[2] / "golden" / "inner_names.json"
    assert len(json.loads(table.read_text())) > 150
    run = python("-c", LOOK, str(table))
    assert run.stdout.strip() == "", run.stdout + run.stderr
    assert run.returncode == 0, run.stderr


COLLECTION = """
import paddle
import paddle.amp.auto_cast as autocast
from paddle.amp.auto_cast import amp_state
from paddle.dataset.common import DATA_HOME, md5file
from paddle.distributed.communication.group import _get_global_group
from paddle.distributed.communication.reduce import ReduceOp, _get_reduce_op
from paddle.distributed.fleet.layers.mpu import mp_ops
from paddle.distributed.fleet.meta_optimizers.dygraph_optimizer.dygraph_sharding_optimizer import DygraphShardingOptimizer
from paddle.distributed.fleet.meta_optimizers.dygraph_optimizer.hybrid_parallel_optimizer import HybridParallelOptimizer
from paddle.distributed.fleet.meta_parallel.parallel_layers import PipelineLayer, SharedLayerDesc
from paddle.distributed.fleet.meta_parallel.sharding.group_sharded_optimizer_stage2 import GroupShardedOptimizerStage2
from paddle.distributed.fleet.model import PipelineParallel
from paddle.distributed.fleet.utils.log_util import logger
from paddle.framework import LayerHelper
from paddle.io.dataloader.dataloader_iter import _DataLoaderIterBase
from paddle.nn.layer.layers import in_declarative_mode
from paddle.nn.layer.transformer import _convert_attention_mask, _convert_param_attr_to_list
from paddle.utils.cpp_extension import load
from paddle.utils.cpp_extension.cpp_extension import CUDA_HOME, BuildExtension
from paddle.utils.cpp_extension.extension_utils import _jit_compile

assert autocast is paddle.amp.auto_cast and callable(autocast) and amp_state() is None
assert paddle.framework.io.EagerParamBase is paddle.framework.Parameter
assert paddle.distributed.communication.reduce is paddle.distributed.reduce
x = paddle.ones([2])
assert mp_ops._c_identity(x) is mp_ops._c_split(x) is mp_ops._c_concat(x) is mp_ops._mp_allreduce(x) is x
assert _get_global_group().nranks == 1 and _get_reduce_op(ReduceOp.SUM, "f") == ReduceOp.SUM
assert isinstance(iter(paddle.io.DataLoader(paddle.io.TensorDataset([x]))), _DataLoaderIterBase)
assert not in_declarative_mode() and paddle.jit.to_static(lambda x: x + in_declarative_mode())(x).tolist() == [2, 2]
assert _convert_attention_mask(paddle.to_tensor([True, False]), "float32").tolist() == [0.0, -1e9]
assert _convert_param_attr_to_list(False, 2) == [False, False]
try:
    load("op", ["op.cc"])
except RuntimeError as error:
    print(error)
"""


def test_what_code_of_paddlenlp_imports():
    run = python("-c", "import to_static; to_static.install_as_paddle()\n" + COLLECTION)
    assert run.stdout.startswith("cpp_extension: operators in C++ run only in PaddlePaddle"), run.stderr


@pytest.mark.parametrize("tool", ["pip", "distutils"])
def test_setuptools_comes_before_what_would_break_it(tool, tmp_path):
    (tmp_path / "setuptools.py").write_text("import sys\nassert not {'pip', 'distutils'} & set(sys.modules)\nExtension = object")
    (tmp_path / f"{tool}.py").write_text("")
    start = "import to_static, sys; to_static.install_as_paddle(); import paddle; print('setuptools' in sys.modules)"
    then = f"import {tool}; print('setuptools' in sys.modules); from setuptools import Extension"
    run = python("-c", f"{start}; {then}", cwd=tmp_path)
    assert run.stdout == "False\nTrue\n" and not run.returncode, run.stderr


def test_pip_without_setuptools(tmp_path):
    (tmp_path / "setuptools.py").write_text("raise ModuleNotFoundError('setuptools')")
    (tmp_path / "pip.py").write_text("print('imported')")
    run = python("-c", "import to_static; to_static.install_as_paddle(); import pip", cwd=tmp_path)
    assert run.stdout == "imported\n", run.stderr


def test_install_is_a_public_name():
    assert "install_as_paddle" in dir(to_static)
