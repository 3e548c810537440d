"""The state of one trace (`trace_context`): its writes (`side_effects`), its reads (`guards`, by the names in `name_usage`),
its gradients (`gradients`), and the exception that ends a trace that cannot continue (`graph_break`).

Nothing here knows how branches and loops are built; `jst` does that and calls this package.
"""
