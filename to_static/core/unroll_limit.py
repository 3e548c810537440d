"""How many turns of a Python loop are worth a word when each becomes part of a Program (see `ir.unroll_warning`)."""

UNROLL_WARNING_LIMIT = 1000
