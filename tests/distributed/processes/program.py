"""What several processes do, by the name of the case; each prints one line of JSON."""

import json
import os
import signal
import sys
import time

import numpy as np

import to_static as paddle
from to_static import distributed as dist

dist.init_parallel_env()
RANK, SIZE = dist.get_rank(), dist.get_world_size()
X = np.random.RandomState(0).randn(24, 4).astype("float32")
Y = np.sin(X.sum(1, keepdims=True))


def of(value, dtype="float32"):
    return paddle.to_tensor(value, dtype)


def exchanges():
    results = {}
    for name in ("SUM", "MAX", "MIN", "PROD", "AVG"):
        x = of([1.0 + RANK, 2.0])
        dist.all_reduce(x, getattr(dist.ReduceOp, name))
        results[name] = x.tolist()
    flags, float16_tensor = paddle.to_tensor([RANK == 0, True]), of([0.5 + RANK], "float16")
    dist.all_reduce(flags, dist.ReduceOp.MIN)
    dist.all_reduce(float16_tensor)
    results["bool"], results["half"] = flags.tolist(), float16_tensor.tolist()
    tensors, objects, received = [], [], []
    dist.all_gather(tensors, of([RANK], "int64"))
    dist.all_gather_object(objects, {"rank": RANK})
    dist.alltoall([of([10.0 * RANK + i]) for i in range(SIZE)], received)
    results["gathered"], results["objects"] = [t.tolist() for t in tensors], objects
    results["moved"] = [t.tolist() for t in received]
    x = of([float(RANK)])
    dist.broadcast(x, 1)
    part, total = paddle.zeros([2]), paddle.zeros([1])
    dist.scatter(part, [of([i, i + 1]) for i in range(SIZE)] if RANK == 0 else None, 0)
    dist.reduce_scatter(total, [of([float(i + RANK)]) for i in range(SIZE)])
    rows = paddle.zeros([SIZE])
    dist.alltoall_single(of([10.0 * RANK + i for i in range(SIZE)]), rows)
    results.update(broadcast=x.tolist(), part=part.tolist(), total=total.tolist(), rows=rows.tolist())
    listed = [None, {"b": RANK}] if RANK == 0 else [1, 2]
    dist.broadcast_object_list(listed, 0)
    one = []
    dist.scatter_object_list(one, list("abcd")[:SIZE] if RANK == 0 else None, 0)
    results["listed"], results["one"] = listed, one
    if RANK == 0:
        dist.send(of([7.0, 8.0]), 1)
        dist.isend(of([9.0]), 1).wait()
    if RANK == 1:
        first, second = paddle.zeros([2]), paddle.zeros([1])
        dist.recv(first, 0)
        task = dist.irecv(second, 0)
        assert second.tolist() == [0.0] and task.wait() and task.is_completed()
        results["received"] = [first.tolist(), second.tolist()]
    group = dist.new_group([0, 1])
    if group.is_member():
        x = of([1.0])
        dist.all_reduce(x, group=group)
        results["group"] = x.tolist()
    dist.barrier()
    return results


class Heads(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.heads = paddle.nn.LayerList([paddle.nn.Linear(4, 1) for _ in range(2)])

    def forward(self, x, head):
        return self.heads[head](x)


def network():
    return paddle.nn.Sequential(paddle.nn.Linear(4, 8), paddle.nn.Tanh(), paddle.nn.Linear(8, 1))


def trained(optimizer, static, parts, rank):
    """Losses of 50 steps, each process on its rows, all starting from what process 0 has."""
    paddle.seed(1 if parts == 1 else 1 + RANK)
    net = network()
    if parts > 1:
        net = paddle.DataParallel(net, comm_buffer_size=1)
    opt = optimizer(parameters=net.parameters())

    def step(x, y):
        loss = ((net(x) - y) ** 2).mean()
        loss.backward()
        opt.step()
        opt.clear_grad()
        return loss

    step = paddle.jit.to_static(step, full_graph=True) if static else step
    losses = []
    for _ in range(50):
        loss = step(of(X[rank::parts]), of(Y[rank::parts])).detach()
        if parts > 1:
            dist.all_reduce(loss, dist.ReduceOp.AVG)
        losses.append(float(loss))
    return losses


def training():
    results = {}
    for name, optimizer in (
        ("SGD", lambda **kept: paddle.optimizer.SGD(0.1, **kept)),
        ("AdamW", lambda **kept: paddle.optimizer.AdamW(0.01, **kept)),
    ):
        for static in (False, True):
            together, alone = trained(optimizer, static, SIZE, RANK), trained(optimizer, static, 1, 0)
            results[f"{name} {static}"] = max(abs(a - b) for a, b in zip(together, alone, strict=True)), alone[0] - alone[-1]
    return results


def accumulated():
    """Gradients that are added up under no_sync, and parameters that one process does not use."""
    paddle.seed(3)
    net = paddle.DataParallel(network())
    with net.no_sync():
        net(of(X[RANK::SIZE])).mean().backward()
    net(of(X[RANK::SIZE])).mean().backward()
    local_gradients = [p.grad.numpy() for p in net.parameters()]
    heads = paddle.DataParallel(Heads(), find_unused_parameters=True)
    heads(of(X[:2]), RANK % 2).sum().backward()
    paddle.seed(3)
    alone = network()
    for _ in range(2):
        alone(of(X)).mean().backward()
    far = max(float(abs(a - p.grad.numpy()).max()) for a, p in zip(local_gradients, alone.parameters(), strict=True))
    return {"far": far, "heads": [head.bias.grad.tolist() for head in heads._layers.heads]}


def wide():
    """A network of three buckets, and rows for it."""
    paddle.seed(4)
    layers = [paddle.nn.Linear(4, 600), paddle.nn.Tanh(), paddle.nn.Linear(600, 600), paddle.nn.Tanh(), paddle.nn.Linear(600, 600)]
    return paddle.nn.Sequential(*layers)


def recorded(call, name, events):
    def called(*args):
        events.append(name)
        return call(*args)

    return called


def overlapped():
    """Buckets that start before the backward pass has ended: what happened in which order, and the gradients."""
    alone, net = wide(), paddle.DataParallel(wide(), comm_buffer_size=1)
    alone(of(X)).square().mean().backward()
    average = net._average
    buckets, events = average._buckets, []
    for owner, name in ((buckets, "start_next"), (average, "final"), (buckets, "finish")):
        setattr(owner, name, recorded(getattr(owner, name), name, events))

    def far():
        pairs = zip(net.parameters(), alone.parameters(), strict=True)
        return max(float(abs(p.grad.numpy() - q.grad.numpy()).max()) for p, q in pairs)

    def step(x):
        loss = net(x).square().mean()
        loss.backward()
        return loss

    step(of(X[RANK::SIZE]))
    results = {"events": events[:], "far": far()}
    net.clear_gradients()
    static = paddle.jit.to_static(step, full_graph=True)
    static(of(X[RANK::SIZE]))
    names = [op.type for op in static.concrete_program.main_program.global_block().ops]
    results.update(names=names, far_static=far())
    net.clear_gradients()
    first = net._layers[0].weight
    hook = net._layers[2].weight.register_hook(lambda g: 1 / 0)
    try:
        step(of(X[RANK::SIZE]))
    except ZeroDivisionError:
        results["started"] = buckets.started
    hook.remove()
    assert not first.grad.numpy().any()
    step(of(X[RANK::SIZE]))
    results["far_again"] = far()
    return results


def out_of_step():
    """One process fails in a backward pass that has begun to send, and goes on with the next one."""
    net = paddle.DataParallel(wide(), comm_buffer_size=1)
    middle = net._layers[2](net._layers[1](net._layers[0](of(X[RANK::SIZE]))))
    if RANK:
        middle.register_hook(lambda g: 1 / 0)
    try:
        net._layers[4](net._layers[3](middle)).mean().backward()
    except ZeroDivisionError:
        net(of(X[RANK::SIZE])).mean().backward()


def fails(kind):
    if kind == "shape":
        dist.all_reduce(paddle.ones([2 + RANK]))
    elif kind == "name":
        dist.barrier() if RANK else dist.all_reduce(paddle.ones([2]))
    elif kind == "sent" and RANK < 2:
        dist.send(paddle.ones([2]), 1) if RANK == 0 else dist.recv(paddle.zeros([3]), 0)
    elif kind == "step":
        out_of_step()
    elif kind == "raised" and RANK == 1:
        raise ValueError("one is ill")
    elif kind == "killed" and RANK == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    elif kind == "stalled" and RANK == 1:
        time.sleep(60)
    dist.barrier()


def all_of_them():
    return {"exchanges": exchanges(), "training": training(), "accumulated": accumulated(), "overlapped": overlapped()}


CASES = {"all": all_of_them, "training": training}
if __name__ == "__main__":
    case = sys.argv[1]
    print(json.dumps([RANK, CASES[case]() if case in CASES else fails(case)]), flush=True)
