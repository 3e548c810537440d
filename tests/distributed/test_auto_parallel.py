"""Tensors that are spread over processes, in a world of one."""

from __future__ import annotations

import numpy as np
import pytest

import to_static as paddle
from to_static import distributed as dist
from to_static import nn
from to_static.core.errors import ModeError


def test_meshes():
    mesh = dist.ProcessMesh([[2, 4, 5], [0, 1, 3]], dim_names=["x", "y"])
    assert (mesh.shape, mesh.ndim, mesh.process_ids, mesh.get_dim_size("y")) == ([2, 3], 2, [2, 4, 5, 0, 1, 3], 3)
    assert mesh[0] == dist.ProcessMesh([2, 4, 5], ["y"]) and mesh[:, 1].dim_names == ["x"] and mesh[0, 1].process_ids == [4]
    assert mesh == dist.ProcessMesh(shape=[2, 3], process_ids=[2, 4, 5, 0, 1, 3], dim_names=["x", "y"])
    assert len({mesh, dist.ProcessMesh(mesh.mesh, ["x", "y"])}) == 1
    with pytest.raises(ValueError, match="different integers"):
        dist.ProcessMesh([0, 0])
    with pytest.raises(ValueError, match="dim_names"):
        dist.ProcessMesh([0, 1], ["x", "y"])
    with pytest.raises(ValueError, match="shape and process_ids"):
        dist.ProcessMesh()
    attr = dist.DistAttr(mesh, ["x", None])
    assert attr.dims_mapping == [0, -1]
    with pytest.raises(ValueError, match="'z'"):
        dist.DistAttr(mesh, ["z"])


def test_placements():
    placements = [dist.Replicate(), dist.Shard(0), dist.Partial()]
    asked = [(p.is_replicated(), p.is_shard(), p.is_partial()) for p in placements]
    assert asked == [(True, False, False), (False, True, False), (False, False, True)]
    assert dist.Shard(1) == dist.Shard(1) != dist.Shard(0) and dist.Shard(1).is_shard(1) and not dist.Shard(1).is_shard(0)
    assert len(set(placements + [dist.Shard(0), dist.Partial(dist.ReduceType.kRedMax)])) == 4
    assert repr(placements) == "[Replicate(), Shard(dim=0), Partial(reduce_type=kRedSum)]"


def test_tensors_are_whole():
    mesh = dist.ProcessMesh([0, 1], ["x"])
    x = dist.shard_tensor([[1.0, 2.0], [3.0, 4.0]], mesh, [dist.Shard(0)], stop_gradient=False)
    assert x.tolist() == [[1, 2], [3, 4]] and not x.stop_gradient
    assert dist.reshard(x, mesh, [dist.Replicate()]) is x
    assert dist.dtensor_from_fn(paddle.ones, mesh, [dist.Partial()], shape=[1]).tolist() == [1]
    net = nn.Linear(2, 2)
    weight = net.weight
    seen = []

    def spread(name, layer, mesh):
        seen.append(name)
        layer.weight = dist.shard_tensor(layer.weight, mesh, [dist.Shard(1)])

    shifted = dist.shard_layer(net, mesh, spread, lambda inputs, _: (inputs[0] + 1,), lambda outputs, _: outputs * 2)
    assert shifted is net and net.weight is weight and seen == [""]
    expected = 2 * ((np.ones([1, 2]) + 1) @ weight.numpy() + net.bias.numpy())
    np.testing.assert_allclose(net(paddle.ones([1, 2])).numpy(), expected, rtol=1e-5)
    for wrong, error in (([dist.Shard(2)], ValueError), (["x"], TypeError)):
        with pytest.raises(error):
            dist.shard_tensor(x, mesh, wrong)
    with pytest.raises(TypeError, match="ProcessMesh"):
        dist.shard_tensor(x, None, [])


def test_a_model_with_its_loss_and_optimizer():
    paddle.seed(0)
    net, same = nn.Linear(3, 1), nn.Linear(3, 1)
    same.set_state_dict(net.state_dict())
    opt = dist.shard_optimizer(paddle.optimizer.SGD(0.1, parameters=net.parameters()))
    model, loader = dist.to_static(net, [1], nn.MSELoss(), opt)
    assert loader == [1]
    x, y = paddle.ones([2, 3]), paddle.zeros([2, 1])
    other = paddle.optimizer.SGD(0.1, parameters=same.parameters())
    for _ in range(3):
        expected = nn.MSELoss()(same(x), y)
        expected.backward()
        other.step()
        other.clear_grad()
        assert model(x, y).item() == pytest.approx(expected.item(), rel=1e-5)
    model.eval()
    assert model(x, y).item() == model(x, y).item()
    model.predict()
    np.testing.assert_allclose(model(x)["outputs"][0].numpy(), same(x).numpy(), rtol=1e-5)
    assert list(model.state_dict("param")) == ["weight", "bias"]
    with pytest.raises(RuntimeError, match="no loss"):
        dist.to_static(net)[0].eval()
    strategy = dist.Strategy({"gradient_merge": {"enable": True, "k_steps": 2}})
    strategy.sharding.enable = True
    with pytest.raises(ModeError, match="k_steps"):
        dist.to_static(net, None, nn.MSELoss(), opt, strategy)


def test_checkpoints(tmp_path):
    state = {"w": paddle.arange(6).reshape([2, 3])}
    dist.save_state_dict(state, str(tmp_path / "c"))
    target = {"w": paddle.zeros([2, 3], "int64")}
    dist.load_state_dict(target, str(tmp_path / "c"))
    assert target["w"].tolist() == state["w"].tolist()


def test_layers_that_would_be_split():
    assert dist.split(paddle.ones([2, 3]), (3, 4), "linear").shape == [2, 4]
    assert dist.split(paddle.to_tensor([1, 2]), (8, 4), "embedding").shape == [2, 4]
    with pytest.raises(ModeError, match="got 2"):
        dist.split(paddle.ones([2, 3]), (3, 4), "linear", num_partitions=2)
    with pytest.raises(ValueError, match="operation"):
        dist.split(paddle.ones([2, 3]), (3, 4), "conv")


def test_rules_of_entry():
    assert dist.CountFilterEntry(3)._to_attr() == "count_filter_entry:3"
    assert dist.ProbabilityEntry(0.5)._to_attr() == "probability_entry:0.5"
    assert dist.ShowClickEntry("a", "b")._to_attr() == "show_click_entry:a:b"
    for make in (lambda: dist.CountFilterEntry(-1), lambda: dist.ProbabilityEntry(2.0), lambda: dist.ShowClickEntry(1, "b")):
        with pytest.raises(ValueError):
            make()
