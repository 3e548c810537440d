"""The seed of all random operators, and where their random numbers are."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir import mode
from to_static.compiler.ops.random.random import set_seed
from to_static.core import backend
from to_static.core.diagnostics.printable import printable
from to_static.device.cuda import device_count
from to_static.framework.generator import Generator, GeneratorState


def seed(seed: int) -> Generator:
    """Seed the random numbers of every device, of the next operators and of Programs that run later; returns the CPU's generator.

    From then on operators on a CPU, initial values of parameters and what shuffles draw the numbers that PaddlePaddle draws there
    after the same seed, bit for bit (normal numbers of 32 bits but for the last bits of their logarithms). Without a seed numbers
    come from NumPy's own generator, which takes about a fifth of the time (a million numbers: 3 ms instead of 15). So they do
    after a seed, too, where speed goes first: ``set_flags({'TO_STATIC_RANDOM': 'numpy'})`` before, or that variable of the
    environment.

    Inside a static function it takes effect in every call, at that place, as it does in dynamic mode; a file that `jit.save` makes
    does not hold it. While a Program is built by hand (`enable_static`) it takes effect at once.
    ``seed``: an integer; anything else raises TypeError.

    Example:
        >>> paddle.seed(0)
    """
    if not hasattr(seed, "__int__") and not hasattr(seed, "__index__"):
        raise TypeError(f"seed: expected an integer, such as `paddle.seed(0)`, got {printable(repr(seed))}")
    if mode.tracing():
        set_seed(seed)
    else:
        backend.seed(seed)
    return Generator()


def default_cpu_generator() -> Generator:
    """The CPU's generator of random numbers."""
    return Generator()


def get_rng_state(device: Any = None) -> list[GeneratorState]:
    """Return the position of a device's random numbers (default: the current device), for `set_rng_state`; one for each GPU.

    Example:
        >>> state = paddle.get_rng_state()
        >>> x = paddle.rand([2])
        >>> paddle.set_rng_state(state)
        >>> bool((paddle.rand([2]) == x).all())
        True
    """
    array_backend = backend.current() if device is None else backend.get_backend(device)
    return [Generator(array_backend).get_state()]


def set_rng_state(state_list: list[GeneratorState], device: Any = None) -> None:
    """Go on drawing random numbers from where `get_rng_state` was called.

    Raises ValueError for anything but its list.
    ``state_list``: what `get_rng_state` returned. ``device``: the device whose generator is
    set (default: the current one).

    Example:
        >>> state = paddle.get_rng_state()
        >>> first = paddle.rand([2])
        >>> paddle.set_rng_state(state)
        >>> bool((paddle.rand([2]) == first).all())
        True
    """
    array_backend = backend.current() if device is None else backend.get_backend(device)
    states = [state for state in state_list if isinstance(state, GeneratorState)]
    if len(states) != 1 or len(state_list) != 1:
        raise ValueError(f"set_rng_state: expected the list of one state that get_rng_state() gave, got {state_list!r}")
    Generator(array_backend).set_state(states[0])


def get_cuda_rng_state() -> list[GeneratorState]:
    """Return the position of each GPU's random numbers; an empty list without a GPU.

    Example:
        >>> states = paddle.get_cuda_rng_state()
    """
    return [state for i in range(device_count()) for state in get_rng_state(f"gpu:{i}")]


def set_cuda_rng_state(state_list: list[GeneratorState]) -> None:
    """Go on drawing random numbers on each GPU from where `get_cuda_rng_state` was called. Raises ValueError for another list.

    ``state_list``: what that call returned.

    Example:
        >>> paddle.set_cuda_rng_state(paddle.get_cuda_rng_state())
    """
    if len(state_list) != device_count():
        raise ValueError(f"set_cuda_rng_state: expected a state for each of {device_count()} GPUs, got {len(state_list)}")
    for i, state in enumerate(state_list):
        set_rng_state([state], f"gpu:{i}")
