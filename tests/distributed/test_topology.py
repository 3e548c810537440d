"""How processes are arranged, and what training loops of many processes call."""

import pytest

import to_static as paddle
from to_static.core.errors import ModeError
from to_static.distributed import collective, fleet, parallel
from to_static.distributed.fleet.utils import hybrid_parallel_util, timer_helper


def test_groups_of_one_process():
    with pytest.raises(AssertionError, match="fleet.init"):
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


def test_groups_along_several_axes():
    topology = paddle.distributed.fleet.CommunicateTopology(["data", "pipe", "model"], [2, 2, 2])
    assert topology.get_fused_ranks(["data", "model"]) == [[0, 1, 4, 5], [2, 3, 6, 7]]


def test_meshes_tell_of_their_dimensions():
    mesh = paddle.distributed.ProcessMesh([[0, 1, 2], [3, 4, 5]], ["x", "y"])
    assert (mesh.size, mesh.empty(), mesh.contains(5), mesh.contains(6)) == (6, False, True, False)
    assert (mesh.dim_size(1), mesh.dim_size("x")) == (3, 2)
    turned = mesh.get_mesh_with_dim("y")
    assert (turned.dim_names, turned.mesh.tolist()) == (["y", "x"], [[0, 3], [1, 4], [2, 5]])
    assert mesh.unique_id == paddle.distributed.ProcessMesh([[0, 1, 2], [3, 4, 5]]).unique_id != turned.unique_id


def test_fleet_minimizes_with_the_optimizer_that_it_was_given():
    net = paddle.nn.Linear(1, 1, bias_attr=False)
    before = net.weight.item()
    fleet = paddle.distributed.fleet.Fleet()
    with pytest.raises(ModeError, match="fleet.distributed_optimizer"):
        fleet.minimize(net.weight)
    fleet.distributed_optimizer(paddle.optimizer.SGD(0.5, net.parameters()))
    loss = net(paddle.ones([1, 1])).sum()
    loss.backward()
    fleet.minimize(loss)
    assert abs(net.weight.item() - (before - 0.5)) < 1e-6
    assert (fleet.node_num(), fleet.local_rank(), fleet.all_reduce(3).tolist()) == (1, 0, 3)
