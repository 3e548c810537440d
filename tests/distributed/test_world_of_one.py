"""Scripts written for many processes, in a world of one."""

import copy
import importlib
import socket
import sys

import numpy as np
import pytest

import to_static as paddle
from to_static import distributed as dist
from to_static.core.errors import ModeError
from to_static.distributed import fleet


def test_who_is_there(monkeypatch):
    env = dist.ParallelEnv()
    assert (env.rank, env.local_rank, env.world_size, env.nranks, env.device_id, env.dev_id) == (0, 0, 1, 1, 0, 0)
    assert env.trainer_endpoints == [env.current_endpoint]
    assert (dist.get_rank(), dist.get_world_size(), dist.get_backend(), dist.is_available()) == (0, 1, "GLOO", True)
    assert not dist.is_initialized()
    assert dist.init_parallel_env() is dist.get_group(0)
    assert dist.is_initialized()
    dist.destroy_process_group()
    assert not dist.is_initialized()
    dist.gloo_init_parallel_env(0, 1, "127.0.0.1:1")
    dist.gloo_barrier()
    dist.gloo_release()
    monkeypatch.setenv("PADDLE_TRAINERS_NUM", "2")
    with pytest.raises(ModeError, match="2 processes were launched"):
        dist.init_parallel_env()
    with pytest.raises(ModeError, match="got 3"):
        dist.gloo_init_parallel_env(0, 3, "")


def test_groups():
    group = dist.new_group([0])
    assert dist.get_group(group.id) is group and group.nranks == 1 and group.is_member()
    assert (group.get_group_rank(0), group.get_group_rank(1)) == (0, -1)
    assert "nranks: 1" in repr(group) and dist.is_member(group) and dist.ParallelMode.DATA_PARALLEL == 0
    with pytest.raises(ModeError, match="names others"):
        dist.new_group([0, 1])
    with pytest.raises(ValueError, match="no group has number"):
        dist.get_group(99)


def exchanges(x):
    """All that changes a tensor or a list."""
    y, z, w, found, moved = x * 1, x * 0, x * 0, [], []
    dist.all_reduce(y, dist.ReduceOp.MAX)
    dist.reduce(y)
    dist.broadcast(y, src=0)
    dist.all_gather(found, y)
    dist.gather(y, found)
    dist.scatter(z, [x, x * 2])
    dist.reduce_scatter(w, [x * 3])
    dist.alltoall([y, z], moved)
    dist.alltoall_single(w, z)
    dist.barrier()
    dist.wait(y)
    return [y, z, w, *found, *moved]


def test_exchanges_in_both_modes():
    x = paddle.to_tensor([1.0, 2.0])
    expected = [[1, 2], [3, 6], [3, 6], [1, 2], [1, 2], [1, 2], [1, 2]]
    for run in (exchanges, paddle.jit.to_static(exchanges, full_graph=True)):
        assert [t.tolist() for t in run(x)] == expected
    task = dist.all_reduce(x)
    assert task.wait() and task.is_completed()
    objects = []
    dist.all_gather_object(objects, {"a": [1]})
    dist.broadcast_object_list(objects)
    dist.scatter_object_list(objects, [{"b": 2}])
    assert objects == [{"b": 2}]


def test_what_needs_somebody_else():
    x = paddle.ones([2])
    for call in (dist.send, dist.recv, lambda x: dist.isend(x, 1), dist.irecv):
        with pytest.raises(ModeError, match="world of one process"):
            call(x)
    with pytest.raises(ModeError, match="number 0, not 1"):
        dist.broadcast(x, src=1)


def trained(parallel, static):
    paddle.seed(1)
    net = paddle.nn.Linear(3, 2)
    opt = paddle.optimizer.Momentum(0.1, parameters=net.parameters())
    if parallel:
        fleet.init(is_collective=True, strategy=fleet.DistributedStrategy())
        net, opt = fleet.distributed_model(net), fleet.distributed_optimizer(opt)

    def step(x):
        loss = net(x).square().mean()
        loss.backward()
        opt.step()
        opt.clear_grad()
        return loss

    step = paddle.jit.to_static(step, full_graph=True) if static else step
    for _ in range(3):
        step(paddle.ones([2, 3]))
    return {name: value.numpy() for name, value in net.state_dict().items()}


@pytest.mark.parametrize("static", [False, True])
def test_training_is_the_same(static):
    alone, together = trained(False, static), trained(True, static)
    assert alone.keys() == together.keys() == {"weight", "bias"}
    for name, value in alone.items():
        np.testing.assert_array_equal(value, together[name])


def test_data_parallel():
    net = paddle.DataParallel(paddle.nn.Linear(3, 2))
    net.set_state_dict({"weight": np.ones((3, 2), "float32"), "bias": np.zeros(2, "float32")})
    assert net(paddle.ones([1, 3])).tolist() == [[3.0, 3.0]]
    with net.no_sync():
        net.scale_loss(net(paddle.ones([1, 3])).sum()).backward()
    net.apply_collective_grads()
    assert len(net.parameters()) == 2 and net.parameters()[0].grad is not None
    with pytest.raises(TypeError, match="layers must be a Layer"):
        paddle.DataParallel(3)


def test_fleet():
    assert fleet.is_first_worker() and fleet.is_worker() and not fleet.is_server()
    assert (fleet.worker_index(), fleet.worker_num(), fleet.worker_endpoints(True)) == (0, 1, "")
    fleet.barrier_worker()
    strategy = fleet.DistributedStrategy()
    strategy.amp = True
    strategy.hybrid_configs = {"mp_degree": 2}
    assert copy.deepcopy(strategy).hybrid_configs == {**fleet.DistributedStrategy().hybrid_configs, "mp_degree": 2}
    with pytest.raises(ModeError, match="mp_degree must be 1"):
        fleet.init(fleet.PaddleCloudRoleMaker(is_collective=True), strategy=strategy)
    with pytest.raises(AttributeError, match="no setting 'fast'"):
        strategy.fast = True
    with pytest.raises(TypeError, match="amp must be a bool"):
        strategy.amp = 1
    with pytest.raises(TypeError, match="expected a Layer"):
        fleet.distributed_model(3)
    assert fleet.distributed_scaler(strategy) is strategy
    layer = paddle.nn.Linear(2, 2)
    x = paddle.ones([1, 2])
    assert (fleet.utils.recompute(layer, x, use_reentrant=False).numpy() == layer(x).numpy()).all()


def test_starting(tmp_path, monkeypatch, capsys):
    seen = []
    context = dist.spawn(seen.append, args=(3,))
    assert context.join() and seen == [3]
    with pytest.raises(ModeError, match="nprocs must be"):
        dist.spawn(seen.append, args=(3,), nprocs=0)
    script = tmp_path / "train.py"
    script.write_text("import sys\nprint(__name__, sys.argv[1:])\n")
    monkeypatch.setattr(sys, "argv", ["launch", "--nproc_per_node=1", str(script), "--lr", "1"])
    dist.launch()
    assert capsys.readouterr().out == "__main__ ['--lr', '1']\n"
    monkeypatch.setattr(sys, "argv", ["launch", "--nnodes", "2", str(script)])
    with pytest.raises(ModeError, match="one machine"):
        dist.launch()
    monkeypatch.setattr(sys, "argv", ["launch", "--nproc_per_node", "0", str(script)])
    with pytest.raises(ModeError, match="at least 1"):
        dist.launch()
    monkeypatch.setattr(sys, "argv", ["launch"])
    with pytest.raises(SystemExit):
        dist.launch()
    assert "SCRIPT" in capsys.readouterr().err
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    with pytest.raises(ModeError, match="mpiexec, which was not found"):
        dist.spawn(seen.append, args=(3,), nprocs=2)


def test_what_training_loops_of_model_collections_import():
    from to_static.distributed.fleet.utils.hybrid_parallel_util import fused_allreduce_gradients
    from to_static.utils.download import _get_unique_endpoints

    layer = paddle.nn.Linear(2, 1)
    layer(paddle.ones([1, 2])).sum().backward()
    before = [p.grad.tolist() for p in layer.parameters()]
    fused_allreduce_gradients(list(layer.parameters()), None)
    assert [p.grad.tolist() for p in layer.parameters()] == before
    assert _get_unique_endpoints(["b:2", "a:2", "a:1"]) == {"a:1", "b:2"}


def test_names_that_trainers_ask_for():

    from to_static.distributed.fleet import auto
    from to_static.distributed.fleet.meta_parallel import TensorParallel
    from to_static.distributed.fleet.utils.mix_precision_utils import MixPrecisionLayer, MixPrecisionOptimizer
    from to_static.distributed.fleet.utils.server_ports import wait_server_ready

    GroupShardedScaler = fleet.meta_parallel.sharding.group_sharded_utils.GroupShardedScaler
    net, x = paddle.nn.Linear(2, 3), paddle.ones([1, 2])
    for made in (TensorParallel(net, None), MixPrecisionLayer(net)):
        assert made(x).equal_all(net(x)) and list(made.state_dict()) == list(net.state_dict())
        for load in (made.set_state_dict, made.set_dict, made.load_dict):
            load({"weight": net.weight + 1, "bias": net.bias})
        assert made(x).equal_all(net(x))
    opt = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    assert MixPrecisionOptimizer(opt).get_lr() == 0.1 and GroupShardedScaler(opt) is opt
    assert auto.get_mesh() is None and auto.create_mesh([("dp", 1), ("mp", 1)]).shape == [1, 1] == auto.get_mesh().shape
    auto.set_mesh(None)
    assert auto.shard_tensor(x) is auto.fetch(x) is x and auto.shard_op(len) is auto.recompute(len) is len
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        wait_server_ready([f"127.0.0.1:{server.getsockname()[1]}"])
    with pytest.raises(ValueError, match="host:port"):
        wait_server_ready(["here"])
    with pytest.raises(AssertionError):
        MixPrecisionLayer(net, "float32")


def test_the_module_launch_is_the_function_too(tmp_path, monkeypatch, capsys):
    module = importlib.import_module("to_static.distributed.launch")
    script = tmp_path / "train.py"
    script.write_text("print(__name__)\n")
    monkeypatch.setattr(sys, "argv", ["launch", "--nproc_per_node=1", str(script)])
    module()
    assert capsys.readouterr().out == "__main__\n"
