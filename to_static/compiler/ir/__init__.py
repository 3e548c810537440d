"""The grammar: tensor interface, operator declarations, modes, and the SSA Program with its text form and verifier."""
