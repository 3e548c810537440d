"""How processes are arranged, and what training loops of many processes call."""

import pytest

import to_static as paddle
from to_static.core.errors import ModeError
from to_static.distributed import collective, fleet, parallel
from to_static.distributed.fleet.utils import hybrid_parallel_util, timer_helper


def test_groups_of_one_process():
    with pytest.raises(ModeError, match="fleet.init"):
        fleet.Fleet().get_hybrid_communicate_group()
    groups = fleet.init(is_collective=True).get_hybrid_communicate_group()
    assert groups.get_model_parallel_world_size() == 1 and groups.get_stage_id() == groups.get_sharding_parallel_rank() == 0
    with pytest.raises(AttributeError, match="nothing"):
        groups.nothing()
    paddle.distributed.destroy_process_group()


def test_coordinates():
    topology = fleet.CommunicateTopology(["a", "b"], [2, 3])
    assert topology.get_comm_list("a") == [[0, 3], [1, 4], [2, 5]] and topology.get_rank(a=1, b=0) == 3
    assert topology.get_axis_list("b", 1) == [1, 4] and topology.get_rank_from_stage(5, a=0) == 2
    with pytest.raises(ModeError, match="not of 6"):
        fleet.HybridCommunicateGroup(topology)


def test_exchanges_by_inner_names():
    x = paddle.ones([2, 3])
    assert collective._c_concat(x) is collective._c_identity(x) is collective._c_split(x) is collective._mp_allreduce(x) is x
    assert collective._c_lookup_table(x, paddle.to_tensor([3, 0]), start_index=2).tolist() == [[1, 1, 1], [0, 0, 0]]
    assert not parallel.parallel_helper._is_data_parallel_mode() and parallel.ParallelEnv().rank == 0
    assert paddle.distributed.stream.all_gather is paddle.distributed.communication.stream.all_gather


def test_sharing_out_and_clocks(tmp_path):
    net = paddle.nn.Linear(2, 2)
    optimizer = paddle.optimizer.Adam(parameters=net.parameters())
    assert paddle.distributed.sharding.group_sharded_parallel(net, optimizer, "os_g") == (net, optimizer, None)
    with pytest.raises(ValueError, match="'os', got 'all'|os, os_g, p_g_os, got 'all'"):
        paddle.distributed.sharding.group_sharded_parallel(net, optimizer, "all")
    paddle.distributed.sharding.save_group_sharded_model(net, str(tmp_path / "out"), optimizer)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["model.pdmodel", "model.pdopt"]
    assert hybrid_parallel_util.unwrap_optimizer(optimizer) is optimizer
    clock = timer_helper.Timers()("a")
    clock.start()
    with pytest.raises(ModeError, match="already started"):
        clock.start()
    assert clock.elapsed() >= 0 and clock.started_
