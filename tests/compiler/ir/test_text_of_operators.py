"""Every operator's samples as Programs, and the gradients of those: verified, printed, and read back."""

import contextlib
import re

import numpy as np
import pytest

import to_static  # noqa: F401
from to_static.compiler.autodiff.partition import partition_joint
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.parser import parse_program
from to_static.compiler.ir.printer import print_program
from to_static.compiler.ir.registry import REGISTRY
from to_static.compiler.ir.spec import ListSpec, spec_of
from to_static.compiler.ir.verifier import verify
from to_static.core.errors import AutogradError

SITES = re.compile(r" *# \S+:\d+$", re.MULTILINE)


def program_of(opdef, sample):
    builder = Builder()
    with mode.use(builder):

        def feed(array):
            spec = spec_of(np.asarray(array))
            return builder.feed(spec, None, not spec.dtype.is_floating)

        slots = [None if x is None else [feed(a) for a in x] if isinstance(x, list) else feed(x) for x in sample.inputs]
        results = opdef.emit(*slots, **sample.attrs)
        return builder.finish(list(results) if opdef.multi else [results])


@pytest.mark.parametrize("name", sorted(REGISTRY))
def test_samples_and_their_gradients(name):
    opdef = REGISTRY[name]
    for sample in opdef.samples():
        program = program_of(opdef, sample)
        wanted = [v for v in program.feeds if not v.stop_gradient]
        halves = []
        if opdef.grad_rule is not None and wanted and not any(isinstance(v.spec, ListSpec) for v in program.outputs):
            with contextlib.suppress(AutogradError):  # a gradient that has none of its own
                halves = partition_joint(program, wanted)[:2]
        for one in (program, *halves):
            verify(one)
            text = print_program(one)
            again = parse_program(text)
            verify(again)
            assert print_program(again) == SITES.sub("", text)
