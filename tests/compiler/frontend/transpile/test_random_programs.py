"""Translated random functions on Python values behave as the originals do: results, types of results, errors, side effects."""

import pytest
from hypothesis import HealthCheck, given, settings
from random_programs import compiled, outcome, programs

from to_static.compiler.frontend.jst import operators
from to_static.compiler.frontend.transpile import transpile_function

ARGUMENTS = [(0, 1), (3, 2), (2, -1)]


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(programs())
def test_random_programs_keep_their_meaning(text):
    function, ticks = compiled(text)
    translated, new_text = transpile_function(function, operators)
    for args in ARGUMENTS:
        assert outcome(translated, ticks, args) == outcome(function, ticks, args), new_text
