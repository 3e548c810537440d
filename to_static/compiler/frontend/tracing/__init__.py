"""One trace: what it knows (`session`), what it wrote outside (`effects`) and read there (`guards`, by names that code `mentions`),
the gradients that it computes (`gradients`), and how it ends when it can't go on (`graph_break`).

Another thing to watch between calls is a `guards.Place`, another place that code writes to an `effects.Place`. Nothing here knows
how branches and loops are built; `lower` does, and calls down into this room.
"""
