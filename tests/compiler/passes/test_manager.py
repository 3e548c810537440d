import pytest

from to_static.compiler.ir.parser import parse_program
from to_static.compiler.passes import pipeline
from to_static.compiler.passes.manager import Pass, every_block, run_passes
from to_static.core.errors import ProgramError
from to_static.core.flags import debug

TEXT = """
program(%x: f32[2], %p: bool[]) {
  %a: f32[2] = cond(%p, [%x])
    true(%u: f32[2]) {
      %b: f32[2] = add(%u, %u)
      return %b
    }
    false(%v: f32[2]) {
      return %v
    }
  return %a
}
"""


def broken(program):
    program.block.ops[0].blocks[0].ops.clear()
    return 1


def repaired(program):
    program.block.results = program.feeds[:1]
    program.block.ops.clear()
    return 1


def test_a_pass_that_breaks_the_program_is_named_when_debugging(monkeypatch, capsys):
    passes = [Pass("breaking", broken, "-"), Pass("repairing", repaired, "-")]
    monkeypatch.setattr(debug, "value", 0)
    run_passes(parse_program(TEXT), passes)
    monkeypatch.setattr(debug, "value", 3)
    with pytest.raises(ProgramError, match="after pass breaking"):
        run_passes(parse_program(TEXT), passes)
    assert "pass breaking: 1 changes" in capsys.readouterr().err


def test_a_program_that_is_broken_at_the_end_is_refused(monkeypatch):
    monkeypatch.setattr(debug, "value", 0)
    with pytest.raises(ProgramError, match="after the passes"):
        run_passes(parse_program(TEXT), [Pass("breaking", broken, "-")])


def test_every_block_is_visited_once():
    program = parse_program(TEXT)
    (op,) = program.block.ops
    assert list(every_block(program)) == [program.block, *op.blocks]


@pytest.mark.parametrize("name", ["INFERENCE", "TRAINING", "EXPORT"])
def test_every_pass_has_a_reason(name):
    assert all(len(item.why) > 20 for item in getattr(pipeline, name))
