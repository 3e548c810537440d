"""Made by `make stubs` from the tables of `__init__.py`, for editors and type checkers. Do not edit."""
# mypy: disable-error-code="override"

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from to_static.compiler.autodiff.backward import append_backward as append_backward
from to_static.compiler.autodiff.backward import gradients as gradients
from to_static.compiler.ir.input_spec import InputSpec as InputSpec
from to_static.compiler.ops.indexing.subscript import setitem as setitem
from to_static.core.backend import CPUPlace as CPUPlace
from to_static.core.backend import CUDAPlace as CUDAPlace
from to_static.metric.accuracy import accuracy as accuracy
from to_static.nn.parameter import create_parameter as create_parameter
from to_static.static import amp as amp
from to_static.static import averages as averages
from to_static.static import batches as batches
from to_static.static import executor as executor
from to_static.static import file_program as file_program
from to_static.static import inputs as inputs
from to_static.static import ipu as ipu
from to_static.static import ir_graph as ir_graph
from to_static.static import lod as lod
from to_static.static import metrics as metrics
from to_static.static import mode as mode
from to_static.static import nn as nn
from to_static.static import param_attr as param_attr
from to_static.static import persistables as persistables
from to_static.static import program as program
from to_static.static import python_functions as python_functions
from to_static.static import quantization as quantization
from to_static.static import readers as readers
from to_static.static import saving as saving
from to_static.static import scope as scope
from to_static.static import variable as variable
from to_static.static.averages import ExponentialMovingAverage as ExponentialMovingAverage
from to_static.static.executor import BuildStrategy as BuildStrategy
from to_static.static.executor import CompiledProgram as CompiledProgram
from to_static.static.executor import ExecutionStrategy as ExecutionStrategy
from to_static.static.executor import Executor as Executor
from to_static.static.inputs import cpu_places as cpu_places
from to_static.static.inputs import create_global_var as create_global_var
from to_static.static.inputs import cuda_places as cuda_places
from to_static.static.inputs import data as data
from to_static.static.inputs import device_guard as device_guard
from to_static.static.inputs import name_scope as name_scope
from to_static.static.inputs import Print as Print
from to_static.static.ipu import ipu_shard_guard as ipu_shard_guard
from to_static.static.ipu import IpuCompiledProgram as IpuCompiledProgram
from to_static.static.ipu import IpuStrategy as IpuStrategy
from to_static.static.ipu import set_ipu_shard as set_ipu_shard
from to_static.static.ipu import xpu_places as xpu_places
from to_static.static.metrics import auc as auc
from to_static.static.metrics import ctr_metric_bundle as ctr_metric_bundle
from to_static.static.mode import disable_static as disable_static
from to_static.static.mode import enable_static as enable_static
from to_static.static.param_attr import WeightNormParamAttr as WeightNormParamAttr
from to_static.static.program import default_main_program as default_main_program
from to_static.static.program import default_startup_program as default_startup_program
from to_static.static.program import Program as Program
from to_static.static.program import program_guard as program_guard
from to_static.static.python_functions import py_func as py_func
from to_static.static.saving import deserialize_persistables as deserialize_persistables
from to_static.static.saving import deserialize_program as deserialize_program
from to_static.static.saving import load as load
from to_static.static.saving import load_from_file as load_from_file
from to_static.static.saving import load_inference_model as load_inference_model
from to_static.static.saving import load_program_state as load_program_state
from to_static.static.saving import normalize_program as normalize_program
from to_static.static.saving import save as save
from to_static.static.saving import save_inference_model as save_inference_model
from to_static.static.saving import save_to_file as save_to_file
from to_static.static.saving import serialize_persistables as serialize_persistables
from to_static.static.saving import serialize_program as serialize_program
from to_static.static.saving import set_program_state as set_program_state
from to_static.static.scope import global_scope as global_scope
from to_static.static.scope import Scope as Scope
from to_static.static.scope import scope_guard as scope_guard
from to_static.static.variable import Variable as Variable


__all__ = ["BuildStrategy", "CPUPlace", "CUDAPlace", "CompiledProgram", "ExecutionStrategy", "Executor", "ExponentialMovingAverage", "InputSpec", "IpuCompiledProgram", "IpuStrategy", "Print", "Program", "Scope", "Variable", "WeightNormParamAttr", "accuracy", "amp", "append_backward", "auc", "cpu_places", "create_global_var", "create_parameter", "ctr_metric_bundle", "cuda_places", "data", "default_main_program", "default_startup_program", "deserialize_persistables", "deserialize_program", "device_guard", "disable_static", "enable_static", "global_scope", "gradients", "ipu_shard_guard", "load", "load_from_file", "load_inference_model", "load_program_state", "name_scope", "nn", "normalize_program", "program_guard", "py_func", "quantization", "save", "save_inference_model", "save_to_file", "scope_guard", "serialize_persistables", "serialize_program", "set_ipu_shard", "set_program_state", "setitem", "xpu_places"]
