"""Tensors that are spread over processes, with one process: they are whole, and what is said of them changes no number."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

import numpy as np

from to_static import nn
from to_static.compiler.ir import mode
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops.shapes.create import to_tensor
from to_static.core.errors import ModeError
from to_static.framework.io import load, save
from to_static.jit.api import to_static as compiled

_IDS: dict[Any, int] = {}  # numbers of meshes, by shape and numbers


class ProcessMesh:
    """Processes by number, in the shape of an array.

    Args:
        mesh: nested list or array of different whole numbers.
        dim_names: a name for each dimension; default: d0, d1, ...
        shape, process_ids: the same in two parts.

    Raises ValueError for numbers that are there twice, and for names that are too few.

    Example:
        >>> mesh = paddle.distributed.ProcessMesh([[2, 4, 5], [0, 1, 3]], dim_names=['x', 'y'])
        >>> mesh.shape, mesh.process_ids
        ([2, 3], [2, 4, 5, 0, 1, 3])
    """

    def __init__(self, mesh: Any = None, dim_names: list[str] | None = None, shape: Any = None, process_ids: Any = None) -> None:
        if mesh is None:
            if shape is None or process_ids is None:
                raise ValueError("ProcessMesh: give mesh, or shape and process_ids")
            mesh = np.asarray(process_ids).reshape(shape)
        self._mesh = np.asarray(mesh)
        names = [f"d{i}" for i in range(self._mesh.ndim)] if dim_names is None else list(dim_names)
        if self._mesh.dtype.kind not in "iu" or len(set(self._mesh.ravel().tolist())) != self._mesh.size:
            raise ValueError(f"All elements of the mesh must be different integers, got {self._mesh.tolist()}")
        if len(names) != self._mesh.ndim or len(set(names)) != len(names):
            raise ValueError(f"The mesh has {self._mesh.ndim} dimensions, dim_names are {names}: one different name for each")
        self.dim_names = names

    @property
    def mesh(self) -> np.ndarray:
        """The numbers as an array."""
        return self._mesh

    @property
    def shape(self) -> list[int]:
        """The shape of that."""
        return list(self._mesh.shape)

    @property
    def ndim(self) -> int:
        """The number of its dimensions."""
        return self._mesh.ndim

    @property
    def process_ids(self) -> list[int]:
        """The numbers, in order."""
        return self._mesh.ravel().tolist()  # type: ignore[no-any-return]

    def get_dim_size(self, dim_name: str) -> int:
        """The size of the dimension of that name."""
        return self.shape[self.dim_names.index(dim_name)]

    @property
    def size(self) -> int:
        """The number of processes."""
        return self._mesh.size

    @property
    def unique_id(self) -> int:
        """A number that meshes of the same shape and numbers share, and others do not; from 1."""
        return _IDS.setdefault((tuple(self.shape), tuple(self.process_ids)), len(_IDS) + 1)

    def contains(self, arg0: int) -> bool:
        """Return whether a process is part of the mesh."""
        return arg0 in self.process_ids

    def empty(self) -> bool:
        """Return whether there is no process."""
        return self.size == 0

    def dim_size(self, arg0: int | str) -> int:
        """The size of a dimension, by its name or place."""
        return self.get_dim_size(arg0) if isinstance(arg0, str) else self.shape[arg0]

    def get_mesh_with_dim(self, dim_name: str) -> ProcessMesh:
        """The mesh with the dimension of that name first, the others in their order. Raises ValueError where there is none."""
        first = self.dim_names.index(dim_name)
        order = [first, *(i for i in range(self.ndim) if i != first)]
        return ProcessMesh(self._mesh.transpose(order), [self.dim_names[i] for i in order])

    def __getitem__(self, index: Any) -> ProcessMesh:
        part = self._mesh[index]
        items = index if isinstance(index, tuple) else (index,)
        names = [name for i, name in enumerate(self.dim_names) if i >= len(items) or isinstance(items[i], slice)]
        return ProcessMesh(part if part.ndim else part.reshape(1), names or [self.dim_names[-1]])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ProcessMesh) and self.dim_names == other.dim_names and np.array_equal(self._mesh, other._mesh)

    def __hash__(self) -> int:
        return hash((tuple(self.shape), tuple(self.process_ids), tuple(self.dim_names)))

    def __repr__(self) -> str:
        return f"{{shape: {self.shape}, process_ids: {self.process_ids}, dim_names: {self.dim_names}}}"


class ReduceType(enum.IntEnum):
    """The ways to reduce parts of a sum.

    Example:
        >>> paddle.distributed.ReduceType.kRedSum.name
        'kRedSum'
    """

    kRedSum = 0
    kRedMax = 1
    kRedMin = 2
    kRedProd = 3
    kRedAvg = 4
    kRedAny = 5
    kRedAll = 6


class Placement:
    """The placement of a tensor along a dimension of a mesh.

    Example:
        >>> isinstance(paddle.distributed.Shard(0), paddle.distributed.Placement)
        True
    """

    def is_shard(self, dim: int | None = None) -> bool:
        """Return whether the tensor is cut (along its dimension ``dim``)."""
        return False

    def is_replicated(self) -> bool:
        """Return whether every process has the whole tensor."""
        return False

    def is_partial(self) -> bool:
        """Return whether each process has a part of a sum."""
        return False


class Shard(Placement):
    """The tensor is cut along its dimension ``dim``.

    Example:
        >>> paddle.distributed.Shard(1)
        Shard(dim=1)
    """

    def __init__(self, dim: int) -> None:
        self._dim = dim

    def get_dim(self) -> int:
        """That dimension."""
        return self._dim

    def is_shard(self, dim: int | None = None) -> bool:
        return dim is None or dim == self._dim

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shard) and other._dim == self._dim

    def __hash__(self) -> int:
        return hash(("shard", self._dim))

    def __repr__(self) -> str:
        return f"Shard(dim={self._dim})"


class Replicate(Placement):
    """Every process has the tensor.

    Example:
        >>> paddle.distributed.Replicate()
        Replicate()
    """

    def is_replicated(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Replicate)

    def __hash__(self) -> int:
        return hash("replicate")

    def __repr__(self) -> str:
        return "Replicate()"


class Partial(Placement):
    """Each process has a part of a sum (or what ``reduce_type`` says).

    Example:
        >>> paddle.distributed.Partial()
        Partial(reduce_type=kRedSum)
    """

    def __init__(self, reduce_type: ReduceType = ReduceType.kRedSum) -> None:
        self._reduce_type = reduce_type

    def is_partial(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Partial) and other._reduce_type == self._reduce_type

    def __hash__(self) -> int:
        return hash(("partial", int(self._reduce_type)))

    def __repr__(self) -> str:
        return f"Partial(reduce_type={self._reduce_type.name})"


class DistAttr:
    """A mesh, and for each dimension of a tensor the name of the mesh's dimension that it is cut along, or None.

    Raises ValueError for a name that the mesh does not have.
    ``mesh``: a `ProcessMesh`; ``sharding_specs``: these names.

    Example:
        >>> attr = paddle.distributed.DistAttr(paddle.distributed.ProcessMesh([0], ["x"]), ["x", None])
    """

    def __init__(self, mesh: ProcessMesh, sharding_specs: list[str | None]) -> None:
        if not isinstance(mesh, ProcessMesh):
            raise ValueError("The mesh must be an instance of paddle.distributed.ProcessMesh.")
        for name in sharding_specs:
            if name is not None and name not in mesh.dim_names:
                raise ValueError(f"sharding_specs must name dimensions of the mesh, {mesh.dim_names}; got {name!r}")
        self.process_mesh, self.sharding_specs = mesh, list(sharding_specs)
        self.dims_mapping = [-1 if name is None else mesh.dim_names.index(name) for name in sharding_specs]

    def __repr__(self) -> str:
        return f"{{process_mesh: {self.process_mesh}, dims_mappings: {self.dims_mapping}}}"


def _checked(name: str, mesh: Any, placements: Any, ndim: int) -> None:
    if not isinstance(mesh, ProcessMesh):
        raise TypeError(f"{name}: mesh must be a ProcessMesh, got {type(mesh).__name__}")
    for placement in placements or ():
        if not isinstance(placement, Placement):
            raise TypeError(f"{name}: placements are Shard, Replicate or Partial, got {placement!r}")
        if isinstance(placement, Shard) and not -ndim <= placement.get_dim() < ndim:
            raise ValueError(f"{name}: {placement} of a tensor with {ndim} dimensions")


def shard_tensor(
    data: Any, mesh: ProcessMesh, placements: Any, dtype: Any = None, place: Any = None, stop_gradient: bool | None = None
) -> Any:
    """The tensor of ``data``: this process has all of it, whatever ``placements`` say.

    A tensor given is the result, so that a parameter stays the one that it is. Raises TypeError or ValueError for a ``mesh`` or
    ``placements`` that are none.
    ``dtype``, ``place``, ``stop_gradient``: of the tensor, if it is made of ``data``.

    Example:
        >>> x = paddle.distributed.shard_tensor([[1, 2], [3, 4]], mesh, [paddle.distributed.Shard(0)])
    """
    is_tensor = isinstance(data, Tensor)
    tensor: Any = data if is_tensor and dtype is None else to_tensor(data, dtype, place)
    _checked("shard_tensor", mesh, placements, len(tensor.shape))
    if stop_gradient is not None:
        tensor.stop_gradient = stop_gradient
    return tensor


def dtensor_from_fn(fn: Callable[..., Any], mesh: ProcessMesh, placements: Any, *args: Any, **kwargs: Any) -> Any:
    """`shard_tensor` of ``fn(*args, **kwargs)``.

    ``mesh``, ``placements``: as there.

    Example:
        >>> mesh = paddle.distributed.ProcessMesh([0], ["x"])
        >>> paddle.distributed.dtensor_from_fn(paddle.ones, mesh, [paddle.distributed.Replicate()], [2]).tolist()
        [1.0, 1.0]
    """
    return shard_tensor(fn(*args, **kwargs), mesh, placements)


def reshard(dist_tensor: Any, mesh: ProcessMesh, placements: Any) -> Any:
    """The tensor placed otherwise: it is where it is.

    ``dist_tensor``: the tensor. ``mesh``, ``placements``: as for `shard_tensor`, with the same errors.

    Example:
        >>> mesh = paddle.distributed.ProcessMesh([0], ["x"])
        >>> paddle.distributed.reshard(paddle.ones([2]), mesh, [paddle.distributed.Shard(0)]).tolist()
        [1.0, 1.0]
    """
    _checked("reshard", mesh, placements, len(dist_tensor.shape))
    return dist_tensor


def shard_layer(layer: Any, process_mesh: ProcessMesh, shard_fn: Any = None, input_fn: Any = None, output_fn: Any = None) -> Any:
    """The layer, after ``shard_fn(name, sublayer, mesh)`` of all its sublayers.

    ``input_fn(inputs, mesh)`` and ``output_fn(outputs, mesh)`` are called around its forward. Raises ValueError for no
    ProcessMesh, and where there are hooks of forward already.
    ``layer``: the network; ``process_mesh``: a `ProcessMesh`.

    Example:
        >>> layer = paddle.distributed.shard_layer(nn.Linear(2, 3), paddle.distributed.ProcessMesh([0], ["x"]))
    """
    if not isinstance(process_mesh, ProcessMesh):
        raise ValueError(f"The argument `process_mesh` is not `dist.ProcessMesh`, but {type(process_mesh).__name__}")
    for name, sublayer in layer.named_sublayers(include_self=True) if shard_fn is not None else ():
        shard_fn(name, sublayer, process_mesh)
    if input_fn is not None:
        layer.register_forward_pre_hook(lambda _, inputs: input_fn(inputs, process_mesh))
    if output_fn is not None:
        layer.register_forward_post_hook(lambda _, inputs, outputs: output_fn(outputs, process_mesh))
    return layer


def shard_optimizer(optimizer: Any, shard_fn: Any = None) -> Any:
    """The optimizer: its state is where it is. ``shard_fn`` is not called.

    Example:
        >>> opt = paddle.distributed.shard_optimizer(opt)
    """
    return optimizer


class _Part:
    """Settings of one thing; others than those that are known may be set, too."""

    def __init__(self, **fields: Any) -> None:
        self.enable = False
        self.__dict__.update(fields)

    def __repr__(self) -> str:
        return str(self.__dict__)


class Strategy:
    """Paddle's settings of a distributed training. Only ``gradient_merge`` changes numbers; `to_static` refuses it.

    ``config``: these settings, as a dict.

    Example:
        >>> strategy = paddle.distributed.Strategy()
        >>> strategy.sharding.enable = True
        >>> strategy.sharding.stage = 2
    """

    def __init__(self, config: dict[str, Any] | None = None) -> None:
        self.sharding = _Part(stage=1, degree=8)
        self.fused_passes = _Part(gemm_epilogue=False, dropout_add=False)
        self.gradient_merge = _Part(k_steps=1, avg=True)
        self.pipeline = _Part(schedule_mode="1F1B", micro_batch_size=1, accumulate_steps=1)
        self.amp = _Part(dtype="float16", level="O1")
        for name, values in (config or {}).items():
            getattr(self, name).__dict__.update(values)

    def __repr__(self) -> str:
        return str(self.__dict__)


class DistModel:
    """A network with its loss and optimizer, which is called with a batch: see `to_static`.

    ``layer``, ``loss``, ``optimizer``: these three.

    Example:
        >>> model, _ = paddle.distributed.to_static(nn.Linear(2, 1), None, nn.MSELoss())
        >>> isinstance(model, paddle.distributed.DistModel)
        True
    """

    def __init__(self, layer: Any, loss: Any, optimizer: Any) -> None:
        self.network, self._loss, self._optimizer = layer, loss, optimizer
        self._mode: str | None = None
        self._step = compiled(self._trained)
        self._value = compiled(self._evaluated)
        self._outputs = compiled(self._predicted)
        if loss is not None and optimizer is not None:
            self.train()
        elif loss is not None:
            self.eval()
        else:
            self.predict()

    def train(self) -> None:
        """Calls give the loss and change the parameters. Raises RuntimeError without a loss or an optimizer."""
        if self._loss is None or self._optimizer is None:
            raise RuntimeError("DistModel.train: there is no loss or no optimizer")
        self._mode = "train"
        self.network.train()

    def eval(self) -> None:
        """Calls give the loss. Raises RuntimeError without one."""
        if self._loss is None:
            raise RuntimeError("DistModel.eval: there is no loss")
        self._mode = "eval"
        self.network.eval()

    def predict(self) -> None:
        """Calls give the outputs: {'outputs': [...]}."""
        self._mode = "predict"
        self.network.eval()

    def __call__(self, *args: Any) -> Any:
        if self._mode == "predict":
            outputs = self._outputs(*args)
            return {"outputs": list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]}
        return self._step(*args) if self._mode == "train" else self._value(*args)

    def _trained(self, *args: Any) -> Any:
        loss = self._evaluated(*args)
        loss.backward()
        self._optimizer.step()
        self._optimizer.clear_grad()
        return loss

    def _evaluated(self, *args: Any) -> Any:
        return self._loss(self.network(*args[:-1]), args[-1])

    def _predicted(self, *args: Any) -> Any:
        return self.network(*args)

    def state_dict(self, mode: str = "all") -> dict[str, Any]:
        """The state of the network ('param'), of the optimizer ('opt'), or of both ('all')."""
        state: dict[str, Any] = {}
        if mode in ("all", "param"):
            state.update(self.network.state_dict())
        if mode in ("all", "opt") and self._optimizer is not None:
            state.update(self._optimizer.state_dict())
        return state


def to_static(layer: Any, loader: Any = None, loss: Any = None, optimizer: Any = None, strategy: Strategy | None = None) -> Any:
    """``(model, loader)``: the network as static functions for training, evaluation and prediction, and the loader as it is.

    Raises ModeError for ``strategy.gradient_merge`` of several steps.
    ``layer``, ``loss``, ``optimizer``: the network and what it is trained with.

    Example:
        >>> model, loader = paddle.distributed.to_static(layer, loader, loss_fn, opt)
        >>> model.train()
        >>> for image, label in loader():
        ...     loss = model(image, label)
    """
    merge: Any = None if strategy is None else strategy.gradient_merge
    if merge is not None and merge.enable and merge.k_steps > 1:
        raise ModeError("distributed.to_static: gradient_merge is not done here: call the optimizer every k_steps yourself")
    return DistModel(layer, loss, optimizer), loader


def split(
    x: Any, size: Any, operation: str, axis: int = 0, num_partitions: int = 1, gather_out: bool = True, weight_attr: Any = None,
    bias_attr: Any = None, name: Any = None,
) -> Any:  # fmt: skip
    """A new linear layer or embedding of ``size``, called with ``x``; its weight would be cut over ``num_partitions`` processes.

    Raises ModeError for more than one, ValueError for another ``operation`` than 'linear' and 'embedding'.
    ``axis``, ``gather_out``: not used; ``weight_attr``, ``bias_attr``: how the parameters are made.

    Example:
        >>> paddle.distributed.split(paddle.ones([2, 3]), (3, 4), "linear").shape
        [2, 4]
    """
    if num_partitions != 1:
        raise ModeError(f"split: expected num_partitions=1, as there is one process, got {num_partitions}")
    if operation == "linear":
        return nn.Linear(size[0], size[1], weight_attr, bias_attr)(x)
    if operation != "embedding":
        raise ValueError(f"split: operation is 'linear' or 'embedding', got {operation!r}")
    return nn.Embedding(size[0], size[1], weight_attr=weight_attr)(x)


_FILE = "0_0.distcp"


def save_state_dict(state_dict: dict[str, Any], path: str, process_group: Any = None, coordinator_rank: int = 0) -> None:
    """Write a state into the folder ``path``, for `load_state_dict`.

    ``state_dict``: tensors by name; ``process_group``, ``coordinator_rank``: not used.

    Example:
        >>> paddle.distributed.save_state_dict({"w": paddle.ones([2])}, "state")
    """
    save(dict(state_dict), f"{path}/{_FILE}")


def load_state_dict(state_dict: dict[str, Any], path: str, process_group: Any = None, coordinator_rank: int = 0) -> None:
    """Set the tensors of ``state_dict`` to what `save_state_dict` wrote. Raises KeyError for a name that is not there.

    ``path``: the folder; ``process_group``, ``coordinator_rank``: not used.

    Example:
        >>> paddle.distributed.save_state_dict({"w": paddle.ones([2])}, "state")
        >>> state = {"w": paddle.zeros([2])}
        >>> paddle.distributed.load_state_dict(state, "state")
        >>> state["w"].tolist()
        [1.0, 1.0]
    """
    state = load(f"{path}/{_FILE}")
    with mode.grad_mode(False):
        for name, tensor in state_dict.items():
            tensor.set_value(state[name])
