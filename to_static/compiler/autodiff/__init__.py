"""Derivatives: the rule call shared by eager and static mode, `append_backward`, and the rules of control flow."""
