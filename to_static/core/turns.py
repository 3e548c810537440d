"""How many turns of a Python loop are worth a word when each becomes part of a Program (see `ir.unrolled`)."""

MANY = 1000
