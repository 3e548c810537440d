"""``paddle.fluid`` for packages that were written before Paddle 2.5 took it away: names of today's Paddle, on both sides."""

import sys
import types

import paddle


def module(name, **names):
    """A module that packages import, with these names."""
    found = types.ModuleType(name)
    vars(found).update(names, __path__=[])
    sys.modules[name] = found
    return found


def former_initializers():
    """Classes that take a ``seed``, too."""
    kinds = paddle.nn.initializer

    def of(kind, order):
        def made(self, *args, **kwargs):
            given = {**dict(zip((*order, "seed"), args, strict=False)), **kwargs}
            kind.__init__(self, **{name: value for name, value in given.items() if name in order})

        return type(kind.__name__, (kind,), {"__init__": made})

    return {
        "ConstantInitializer": of(kinds.Constant, ("value",)),
        "UniformInitializer": of(kinds.Uniform, ("low", "high")),
        "NormalInitializer": of(kinds.Normal, ("mean", "std")),
        "TruncatedNormalInitializer": of(kinds.TruncatedNormal, ("mean", "std")),
        "MSRAInitializer": of(kinds.KaimingUniform, ("fan_in",)),
        "XavierInitializer": of(kinds.XavierUniform, ("fan_in", "fan_out")),
    }


def fill_constant_batch_size_like(input, shape, dtype, value, input_dim_idx=0, output_dim_idx=0):
    """A tensor of one number, one dimension of which is that of ``input``."""
    sizes = list(shape)
    sizes[output_dim_idx] = input.shape[input_dim_idx]
    return paddle.full(sizes, value, dtype)


def install():
    """Put ``paddle.fluid`` and the modules in it that packages import into ``sys.modules``."""
    from paddle.base import core, data_feeder, framework, layer_helper, unique_name
    from paddle.base.dygraph import base
    from paddle.distributed import parallel_helper
    from paddle.utils.layers_utils import map_structure, pack_sequence_as

    initializer = module("paddle.fluid.initializer", **former_initializers())
    dygraph = module(
        "paddle.fluid.dygraph",
        Layer=paddle.nn.Layer,
        LayerList=paddle.nn.LayerList,
        base=base,
        parallel_helper=parallel_helper,
    )
    utils = module("paddle.fluid.layers.utils", map_structure=map_structure, pack_sequence_as=pack_sequence_as)
    layers = module(
        "paddle.fluid.layers",
        utils=utils,
        core=core,
        fill_constant_batch_size_like=fill_constant_batch_size_like,
        reduce_sum=lambda x, dim=None, keep_dim=False, name=None: paddle.sum(x, dim, None, keep_dim),
        reduce_mean=lambda x, dim=None, keep_dim=False, name=None: paddle.mean(x, dim, keep_dim),
        square_error_cost=paddle.nn.functional.square_error_cost,
    )
    sys.modules["paddle.fluid.dygraph.base"] = base
    inner = {"framework": framework, "core": core, "data_feeder": data_feeder, "layer_helper": layer_helper}
    sys.modules.update({f"paddle.fluid.{name}": value for name, value in inner.items()})
    paddle.fluid = module(
        "paddle.fluid",
        dygraph=dygraph,
        initializer=initializer,
        layers=layers,
        unique_name=unique_name,
        program_guard=paddle.static.program_guard,
        default_startup_program=paddle.static.default_startup_program,
        **inner,
    )
