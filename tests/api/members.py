"""Members of PaddlePaddle's public classes (`record_paddle_members.py`): which are there, and why others are not."""

from __future__ import annotations

import functools
import importlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import to_static as paddle
from to_static.compiler.ir.registry import load_all

load_all()  # classes have the methods of those families of operators that are loaded
RECORDED: dict[str, Any] = json.loads((Path(__file__).parent / "paddle_members.json").read_text())

_SERVERS = "of processes that keep parameters for others"
_FUNCTIONS = "functions that take no tensor, which Paddle has as methods by mistake"
_ROWS = "kinds of values that are not here: rows of a tensor, lists of text"
_INNER = "inner classes: operators are called by their types (`LayerHelper`), Programs listed by `Program.block`"
_LISTS = "lists of tensors are Python's, or `paddle.tensor.array_write`"
_DEVICES = "hardware that is not here"
_MESH = "what Paddle's own planner notes"
NOT_HERE: dict[str, tuple[str, str]] = {  # by class the names, and why; "*" is all of them
    "Tensor": ("block create_parameter create_tensor", _FUNCTIONS),
    "Tensor ": ("get_map_tensor get_selected_rows rows set_string_list set_vocab", _ROWS),
    "autograd.PyLayer": ("name", "a name of C++"),
    "distributed.DistAttr": (
        "annotated batch_dim chunk_id clear_annotated dynamic_dims is_annotated mark_annotated parse_from_string reset "
        "serialize_to_string verify", _MESH,
    ),
    "distributed.InMemoryDataset": ("set_date tdm_sample", _SERVERS),
    "distributed.Strategy": ("from_dict get to_dict", _MESH),
    "distributed.fleet.DistributedStrategy": (
        "fleet_desc_configs fs_client_param is_fl_ps_mode is_with_coordinator load_from_prototxt save_to_prototxt "
        "sparse_table_configs", _SERVERS,
    ),
    "distributed.fleet.Fleet": (
        "amp_init check_save_pre_patch_done get_fl_client get_loss_scaling init_coordinator init_server load_inference_model "
        "load_model load_one_table make_fl_strategy qat_init run_server save save_cache_model save_cache_table save_dense_params "
        "save_inference_model save_one_table save_persistables shrink", _SERVERS,
    ),
    "distributed.fleet.Fleet ": (
        "allgather_perf allreduce_perf broadcast_perf collective_perf reduce_perf reduce_scatter_perf", "what links take",
    ),
    "distributed.fleet.PaddleCloudRoleMaker": ("to_string", _SERVERS),
    "distributed.fleet.UserDefinedRoleMaker": ("to_string", _SERVERS),
    "distributed.fleet.UtilBase": ("get_heter_file_shard", _SERVERS),
    "framework.Block": ("create_parameter idx parent_idx to_string", _INNER),
    "framework.CustomPlace": ("get_device_id get_device_type", _DEVICES),
    "framework.IrGraph": ("build_adjacency_list create_control_dep_var", _INNER),
    "framework.LayerHelper": ("create_sparse_variable_for_type_inference", _ROWS),
    "framework.OpProtoHolder": ("*", _INNER),
    "framework.Parameter": ("create_parameter create_tensor", _FUNCTIONS),
    "framework.Parameter ": ("append attr attr_names pop", _LISTS),
    "incubate.nn.FusedEcMoe": ("*", "a kernel for GPUs; Paddle has none for CPUs"),
    "incubate.nn.FusedMultiTransformer": ("*", "a kernel for GPUs; Paddle has none for CPUs"),
    "static.Executor": ("split_program_by_device start_heter_trainer", _SERVERS),
    "static.IpuCompiledProgram": ("compile", _DEVICES),
    "static.IpuStrategy": ("*", _DEVICES),
    "static.Variable": ("create_parameter create_tensor", _FUNCTIONS),
    "static.Variable ": ("append attr attr_names pop", _LISTS),
}  # fmt: skip

# names that published packages use and Paddle has (`tests.interop.package_names` lists them), beside those above
_EDITS = "editing of a Program operator by operator, as paddleslim distils and prunes static Programs"
USED_NOT_HERE: dict[str, tuple[str, str]] = {
    "Block": (
        "_clone_variable _find_var_recursive _insert_op _prepend_op _remove_op _remove_var _rename_var _sync_with_cpp desc", _EDITS,
    ),
    "ParallelEnv": ("_rank", "`rank` gives it"),
    "Program": (
        "_optimized_guard _remove_training_info _sync_with_cpp",
        "marks of operators, which no Program here has; paddlenlp's AdamWDL, which asks for the first, fails on Paddle 2.6.2",
    ),
    "PyLayer": ("name", "a name of C++"),
}  # fmt: skip


def _mesh() -> Any:
    return paddle.distributed.ProcessMesh([0, 1], ["x"])


# objects of classes whose members are set when one is made
OBJECTS: dict[str, Callable[[], Any]] = {
    "DataParallel": lambda: paddle.DataParallel(paddle.nn.Linear(2, 2)),
    "Tensor": lambda: paddle.ones([2]),
    "amp.debugging.DebugMode": lambda: paddle.amp.debugging.DebugMode.CHECK_ALL,
    "autograd.PyLayer": lambda: paddle.autograd.PyLayerContext(),
    "distributed.DistAttr": lambda: paddle.distributed.DistAttr(_mesh(), ["x"]),
    "distributed.ProcessMesh": _mesh,
    "distributed.ReduceType": lambda: paddle.distributed.ReduceType.kRedSum,
    "distributed.Strategy": lambda: paddle.distributed.Strategy(),
    "distributed.fleet.DistributedStrategy": lambda: paddle.distributed.fleet.DistributedStrategy(),
    "dtype": lambda: paddle.float32,
    "framework.LayerHelper": lambda: paddle.base.layer_helper.LayerHelper("fc"),
    "framework.Parameter": lambda: paddle.nn.Linear(2, 2).weight,
    "incubate.autograd.Hessian": lambda: paddle.incubate.autograd.Hessian(lambda x: (x * x).sum(), paddle.ones([2])),
    "incubate.autograd.Jacobian": lambda: paddle.incubate.autograd.Jacobian(lambda x: x * x, paddle.ones([2])),
    "inference.DataType": lambda: paddle.inference.DataType.FLOAT32,
    "inference.PlaceType": lambda: paddle.inference.PlaceType.CPU,
    "inference.PrecisionType": lambda: paddle.inference.PrecisionType.Float32,
    "inference.XpuConfig": lambda: paddle.inference.XpuConfig(),
    "io.ConcatDataset": lambda: paddle.io.ConcatDataset([paddle.io.TensorDataset([np.ones([2, 2])])]),
    "nn.RNNCellBase": lambda: paddle.nn.LSTMCell(2, 2),
    "profiler.ProfilerState": lambda: paddle.profiler.ProfilerState.CLOSED,
    "profiler.ProfilerTarget": lambda: paddle.profiler.ProfilerTarget.CPU,
    "profiler.SortedKeys": lambda: paddle.profiler.SortedKeys.CPUTotal,
    "profiler.SummaryView": lambda: paddle.profiler.SummaryView.DeviceView,
    "static.BuildStrategy": lambda: paddle.static.BuildStrategy(),
    "static.ExecutionStrategy": lambda: paddle.static.ExecutionStrategy(),
}


def home(key: str) -> Any:
    """The class of that name here, None where there is none."""
    module, _, name = key.rpartition(".")
    return getattr(importlib.import_module(f"to_static.{module}" if module else "to_static"), name, None)


@functools.cache
def things(key: str) -> tuple[Any, ...]:
    """The class, and an object of it where its members are those of objects."""
    return (home(key), *([OBJECTS[key]()] if key in OBJECTS else ()))


def members(key: str) -> dict[str, Any]:
    """What PaddlePaddle's class has, with what it has of other public classes."""
    return {name: value for each in (*RECORDED[key]["bases"], key) for name, value in RECORDED[each]["members"].items()}


def lacking(key: str) -> list[str]:
    """The members that are not here."""
    found = things(key)
    return sorted(name for name in members(key) if not any(hasattr(thing, name) for thing in found))


def why_not(key: str) -> str:
    """Why members of a class are not here."""
    return "; ".join(NOT_HERE[form][1] for form in (key, f"{key} ") if form in NOT_HERE)


def not_here(key: str) -> list[str]:
    """The members that are known not to be here."""
    names = [NOT_HERE[form][0] for form in (key, f"{key} ") if form in NOT_HERE]
    return sorted(members(key)) if names == ["*"] else sorted(" ".join(names).split())
