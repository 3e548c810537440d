"""Static methods of classes that derive from each other."""

import to_static as paddle

X = paddle.to_tensor([1.0, 2.0])


class Counter:
    n = 0

    @paddle.jit.to_static
    def step(self, x):
        self.n += 1
        return x * self.n


class Tens(Counter):
    @paddle.jit.to_static
    def step(self, x):
        return super().step(x) * 10


class Net(paddle.nn.Layer):
    @paddle.jit.to_static
    def forward(self, x):
        return x * 2


class More(Net):
    @paddle.jit.to_static
    def forward(self, x):
        return super().forward(x) + 1


def test_super_finds_the_static_method_of_the_base():
    net, tens = More(), Tens()
    assert [net(X).tolist() for _ in range(3)] == [[3.0, 5.0]] * 3
    assert [tens.step(X).tolist() for _ in range(2)] == [[10.0, 20.0], [20.0, 40.0]] and tens.n == 2
    assert len(net.forward.program_cache) == 1


def test_asking_for_the_method_of_the_base_leaves_that_of_the_object():
    net, tens = More(), Tens()
    assert Net.forward.__get__(net)(X).tolist() == [2.0, 4.0] and net(X).tolist() == [3.0, 5.0]
    assert super(Tens, tens).step(X).tolist() == [1.0, 2.0] and tens.step(X).tolist() == [20.0, 40.0]
