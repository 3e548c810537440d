"""Paddle's inner modules, by which code of model collections and of tools names things: ``paddle.tensor.manipulation.concat``.

Where we have no module of that path there is an `AliasModule`: it finds a name in the public modules around it. Modules of ours
that have the path of one of Paddle's find what they lack in the same way (`names_around`).
"""

from __future__ import annotations

import importlib
import importlib.machinery
import sys
import types
from collections.abc import Callable
from typing import Any

ROOT = "to_static"
_TEXT = """
: common_ops_import dataset hapi reader tensor
quantization: base_observer base_quanter ptq qat wrapper
quantization.imperative: fuse_utils ptq_hooks utils
quantization.observers: abs_max groupwise
quantization.quanters: abs_max
amp: amp_lists grad_scaler
audio.backends: backend init_backend wave_backend
audio.features: layers
audio.functional: functional window
autograd: autograd backward_mode py_layer
base: backward compiler core data_feeder dataset dygraph executor framework initializer io layer_helper layers lod_tensor
    param_attr reader
base.dygraph: base math_op_patch tensor_patch_methods tracer
base.layers: io layer_function_generator math_op_patch
dataset: common
device.cuda: streams
distributed: communication stream
distributed.communication: group stream
distributed.sharding: group_sharded
distributed.fleet.base: distributed_strategy fleet_base private_helper_function role_maker topology
distributed.fleet: base layers model
distributed.fleet.layers: mpu
distributed.fleet.layers.mpu: mp_layers mp_ops random
distributed.fleet.meta_optimizers.dygraph_optimizer: dygraph_sharding_optimizer hybrid_parallel_optimizer
distributed.fleet.meta_parallel: parallel_layers sharding
distributed.fleet.meta_parallel.parallel_layers: mp_layers pp_layers random
distributed.fleet.meta_parallel.sharding: group_sharded_optimizer_stage2 group_sharded_utils
distribution: bernoulli beta categorical cauchy constraint dirichlet distribution exponential_family geometric gumbel independent
    kl laplace lognormal multinomial normal transform transformed_distribution uniform variable
framework: core dtype framework io_utils random
geometric: math message_passing reindex sampling
geometric.message_passing: send_recv
geometric.sampling: neighbors
hapi: callbacks dynamic_flops hub model model_summary progressbar static_flops
incubate.multiprocessing: reductions
io: dataloader reader
io.dataloader: batch_sampler collate dataloader_iter dataset fetcher sampler worker
metric: metrics
nn: decode layer
nn.functional: activation common conv distance extension flash_attention input loss norm pooling transformer vision
nn.initializer: assign constant dirac initializer kaiming lazy_init normal orthogonal uniform xavier
nn.layer: activation common container conv distance layers loss norm pooling rnn transformer vision
nn.utils: transform_parameters weight_norm_hook
optimizer: adadelta adagrad adam adamax adamw lamb lbfgs momentum optimizer rmsprop sgd
profiler: profiler profiler_statistic timer
reader: decorator
sparse: binary creation multiary unary
static: input io
static.amp: decorator fp16_lists fp16_utils
static.quantization: utils
static.nn: common control_flow loss metric sequence_lod
tensor: array attribute creation einsum layer_function_generator linalg logic manipulation math ops random search stat tensor
    to_string
text.datasets: conll05 imdb imikolov movielens uci_housing wmt14 wmt16
utils.cpp_extension: cpp_extension extension_utils
utils: environments install_check layers_utils lazy_import
vision: image
vision.datasets: cifar flowers folder mnist voc2012
vision.models: densenet inceptionv3 lenet mobilenetv1 mobilenetv2 mobilenetv3 resnet shufflenetv2 squeezenet vgg
vision.transforms: functional transforms
"""  # of Paddle 2.6; no module that has the name of a function beside it
_LINES = _TEXT.strip().replace("\n    ", " ").split("\n")
_CHILDREN = {line.partition(":")[0]: frozenset(line.partition(":")[2].split()) for line in _LINES}
# where a name may be that is asked of these and of what is inside of them, the likeliest first; of others: the modules around them
_OWNERS = {
    "amp.auto_cast": ("amp.casting", "amp"),
    "dataset": ("utils.download",),
    "distributed.collective": ("distributed.fleet.meta_parallel.exchange", "distributed.groups", "distributed"),
    "distributed.stream": ("distributed.collective",),
    "distributed.fleet.base.topology": ("distributed.fleet.topology", "distributed.fleet"),
    "distributed.communication": ("distributed", "distributed.groups", "distributed.collective"),
    "distributed.fleet.base": ("distributed.fleet", "distributed.fleet.utils.server_ports"),
    "distributed.fleet.model": ("distributed.fleet.meta_parallel", "distributed.fleet"),
    "distributed.fleet.layers": ("distributed.fleet.meta_parallel", "distributed.fleet.meta_parallel.exchange"),
    "distributed.fleet.meta_parallel.sharding.group_sharded_utils": ("distributed.fleet.utils.mix_precision_utils",),
    "distributed.fleet.meta_parallel.sharding": ("distributed.fleet.meta_optimizers.dygraph_optimizer",),
    "base.core": ("framework.core", "base", "framework", "static", "", "nn", "device"),
    "base.dataset": ("base",),
    "base": ("framework", "static", "", "nn", "nn.initializer", "io", "utils", "optimizer", "device"),
    "framework.core": ("framework", "static", "", "nn", "device", "static.ir_graph", "static.program",
        "compiler.formats.paddle.editing"),
    "common_ops_import": ("base", "framework", "static", ""),
    "framework": ("static", "static.ir_graph", "", "nn", "device"),
    "hapi": ("", "callbacks", "framework"),
    "hapi.hub": ("hub",),
    "hapi.progressbar": ("callbacks.progress",),
    "incubate.multiprocessing": ("incubate.multiprocessing",),
    "reader": ("reader", "io.decorated", "io"),
    "static.input": ("static", ""),
    "tensor": (
        "", "linalg", "nn.functional", "static", "static.nn", "compiler.ops.tensor_list.tensor_array", "nn.functional.nucleus",
    ),
    "io.dataloader": ("io", "io.loader"),
    "quantization.imperative.fuse_utils": ("quantization.imperative.fusing",),
    "quantization.imperative.ptq_hooks": ("quantization.imperative.ptq",),
    "quantization.imperative.utils": ("quantization.imperative.layers", "static.quantization.scaling"),
    "quantization.wrapper": ("quantization.quantize",),
    "static.quantization.utils": ("static.quantization.scaling",),
    "quantization": ("quantization.factory", "quantization"),
    "nn.decode": ("nn", "nn.functional"),
    "nn.layer.transformer": ("nn.transformer", "nn", ""),
    "nn.initializer.lazy_init": ("nn.lazy_guard",),
    "nn.layer.conv": ("nn.conv", "nn"),
    "nn.layer.layers": ("nn", "nn.layer", "framework", ""),
    "nn.layer.norm": ("nn.batch_norm", "nn.norm", "nn"),
    "utils.install_check": ("utils",),
}
# single names that one of these modules has, and that no public module around it has
_HOMES = {"framework.Block": "static.program", "framework.IrGraph": "static.ir_graph", "framework.LayerHelper": "base.layer_helper"}


class AliasModule(types.ModuleType):
    """A module that finds every name in the public modules around it, and further ones in itself."""

    __path__: list[str] = []  # so that ``import paddle.tensor.math`` looks for it here

    def __init__(self, name: str) -> None:
        super().__init__(name, f"`{name.replace(ROOT, 'paddle', 1)}` of Paddle: its names, wherever they are here.")
        self.__spec__ = importlib.machinery.ModuleSpec(name, None, is_package=True)
        self._find = names_around(name)
        # for code that goes through the `__dict__` of such a module: what the room around it has at hand
        nearer: set[str] = set()
        for owner in _owners(name):
            home = sys.modules.get(f"{ROOT}.{owner}".rstrip("."), self)
            room = vars(home)
            names = {*room.get("__all__", ())} - nearer  # a name that a nearer room has, loaded or not, is that one's
            at_root = owner and name.startswith(f"{ROOT}.{owner}.")  # it stands inside of that room: there all names are at hand
            members = {member: getattr(home, member) if at_root else room[member] for member in names if at_root or member in room}
            self.__dict__.update((member, value) for member, value in members.items() if not isinstance(value, types.ModuleType))
            nearer |= names

    def __getattr__(self, name: str) -> Any:
        return self._find(name)


def inner_module(module: str, name: str) -> AliasModule | None:
    """The group ``module.name``, when Paddle has a module of that path and the one around it has no such name."""
    path = module.removeprefix(ROOT).lstrip(".")
    if name not in _CHILDREN.get(path, ()):
        return None
    full = f"{module}.{name}"
    module_there: Any = sys.modules.get(full)
    return sys.modules.setdefault(full, AliasModule(full)) if module_there is None else module_there  # type: ignore[return-value]


def has_inner_modules(module: str) -> bool:
    """Return whether Paddle's module of this path is a package, whatever it is here."""
    return module.removeprefix(ROOT).lstrip(".") in _CHILDREN


def names_around(module: str) -> Callable[[str], Any]:
    """A ``__getattr__`` for a module that has the path of one of Paddle's inner modules: names are found in those around it.

    Example:
        >>> __getattr__ = names_around(__name__)
    """

    def __getattr__(name: str) -> Any:
        if not (name.startswith("__") and name.endswith("__")):
            inner = inner_module(module, name)
            if inner is not None:
                return inner
            home = _HOMES.get(f"{module}.{name}".removeprefix(f"{ROOT}."))
            for owner in _owners(module) if home is None else (home,):
                value = _public(owner, name)
                if value is not None:
                    return value
        raise AttributeError(f"module {module!r} has no attribute {name!r}")

    return __getattr__


def _owners(module: str) -> tuple[str, ...]:
    path = module.removeprefix(ROOT).lstrip(".")
    ancestor = path
    while ancestor:
        if ancestor in _OWNERS:
            return _OWNERS[ancestor] if ancestor == path else (ancestor, *_OWNERS[ancestor])
        ancestor = ancestor.rpartition(".")[0]
    parts = path.split(".")
    return tuple(".".join(parts[:count]) for count in range(len(parts) - 1, -1, -1))


def _public(owner: str, name: str) -> Any:
    full = f"{ROOT}.{owner}".rstrip(".")
    try:
        home = sys.modules.get(full) or importlib.import_module(full)
    except ModuleNotFoundError as error:
        if error.name is None or not full.startswith(error.name):
            raise
        return None
    return None if isinstance(home, AliasModule) else getattr(home, name, None)
