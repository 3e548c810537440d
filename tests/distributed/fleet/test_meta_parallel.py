"""Layers that processes share out, whole in a world of one."""

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import ModeError
from to_static.distributed import fleet
from to_static.distributed.fleet import meta_parallel as parallel
from to_static.distributed.fleet.meta_optimizers import dygraph_optimizer
from to_static.distributed.fleet.utils import sequence_parallel_utils as sequence
from to_static.distributed.fleet.utils.hybrid_parallel_util import obtain_optimizer_parameters_list


def test_linear_layers_are_whole():
    x = paddle.to_tensor([[1.0, 2.0, 3.0]])
    column, row = parallel.ColumnParallelLinear(3, 2), parallel.RowParallelLinear(3, 2)
    assert column.bias is None and sorted(row.state_dict()) == ["bias", "weight"]
    assert parallel.RowParallelLinear(3, 2, has_bias=False).bias is None
    assert parallel.ColumnParallelLinear(3, 2, has_bias=True).bias.shape == [2]
    for layer in (column, row, sequence.ColumnSequenceParallelLinear(3, 2), sequence.RowSequenceParallelLinear(3, 2)):
        assert not layer.is_mp and layer.world_size == 1 and not layer.weight.is_distributed
        layer.weight.set_value(np.arange(6, dtype="float32").reshape(3, 2))
        assert layer(x).tolist() == [[16.0, 22.0]]


def test_embedding_draws_as_paddle_s():
    table = parallel.VocabParallelEmbedding(10, 4)
    assert table(paddle.to_tensor([[1, 2, 3]])).shape == [1, 3, 4]
    assert np.abs(table.weight.numpy()).max() <= (6 / 14) ** 0.5


def test_cross_entropy_of_each():
    logits = paddle.to_tensor([[0.0, 1.0, 2.0], [3.0, 0.0, 0.0]])
    loss = parallel.ParallelCrossEntropy(ignore_index=1)
    expected = [[0.40760597], [0.0]]
    np.testing.assert_allclose(loss(logits, paddle.to_tensor([[2], [1]])).numpy(), expected, rtol=1e-6)
    np.testing.assert_allclose(loss(logits, paddle.to_tensor([2, 1])).numpy(), expected, rtol=1e-6)


def test_a_pipeline_has_all_layers():
    Desc, Shared = parallel.LayerDesc, parallel.SharedLayerDesc
    backwards = [Shared("a", paddle.nn.Linear, None, "weight", 2, 2), paddle.nn.functional.relu, Desc(paddle.nn.Linear, 2, 3)]
    first = Shared("a", paddle.nn.Linear, lambda layer, x: layer(-x), "weight", 2, 2)
    net = parallel.PipelineLayer([first, *backwards], num_stages=1)
    assert len(net.parameters()) == 4 and sorted(net.state_dict())[:2] == ["3.bias", "3.weight"]
    x = paddle.to_tensor([[1.0, -2.0]])
    shared = net.shared_layers["a"]
    np.testing.assert_array_equal(net(x).numpy(), net.run_function[3](paddle.nn.functional.relu(shared(shared(-x)))).numpy())
    assert repr(backwards[2]) == "Linear(2, 3)"
    with pytest.raises(TypeError, match="derived class of Layer"):
        Desc(int)
    with pytest.raises(ValueError, match="num_stages or topology"):
        parallel.PipelineLayer([])
    with pytest.raises(ModeError, match="num_stages must be 1, got 2"):
        parallel.PipelineLayer([], num_stages=2)
    with pytest.raises(ModeError, match="no pipeline"):
        parallel.PipelineParallel(net)


def test_named_states_go_on_where_they_were_left():
    tracker = parallel.RNGStatesTracker()
    tracker.add("own", 7)
    with pytest.raises(ValueError, match="seed 7 already exists"):
        tracker.add("other", 7)
    with pytest.raises(ValueError, match="state own already exists"):
        tracker.add("own", 8)
    paddle.seed(1)
    before = paddle.rand([3]).tolist()
    paddle.seed(1)
    with tracker.rng_state("own"):
        first = paddle.rand([3]).tolist()
    assert paddle.rand([3]).tolist() == before
    with tracker.rng_state("own"):
        second = paddle.rand([3]).tolist()
    paddle.seed(7)
    assert [paddle.rand([3]).tolist(), paddle.rand([3]).tolist()] == [first, second]
    with pytest.raises(ValueError, match="state none does not exist"), tracker.rng_state("none"):
        pass
    parallel.model_parallel_random_seed(5)
    assert list(parallel.get_rng_state_tracker().get_states_tracker()) == ["model_parallel_rng"]


def test_what_needs_others_says_so():
    net = paddle.nn.Linear(2, 3)
    opt = paddle.optimizer.SGD(parameters=[{"params": [net.weight]}, {"params": [net.bias]}])
    assert [p.shape for p in obtain_optimizer_parameters_list(opt)] == [[2, 3], [3]]
    opt = paddle.optimizer.SGD(parameters=net.parameters())
    assert [p.shape for p in obtain_optimizer_parameters_list(opt)] == [[2, 3], [3]]
    assert not isinstance(fleet.distributed_optimizer(opt), dygraph_optimizer.HybridParallelOptimizer)
    with pytest.raises(ModeError, match="DygraphShardingOptimizer: there is a world of one"):
        dygraph_optimizer.DygraphShardingOptimizer(opt)


def test_a_sequence_is_whole():
    x = paddle.ones([2, 3])
    assert all(op.apply(x) is x for op in (sequence.ScatterOp, sequence.GatherOp, sequence.AllGatherOp, sequence.ReduceScatterOp))
    net = paddle.nn.Linear(2, 2)
    sequence.mark_as_sequence_parallel_parameter(net.weight)
    assert net.weight.sequence_parallel
    sequence.register_sequence_parallel_allreduce_hooks(net, 1, False)
