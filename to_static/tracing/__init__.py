"""One trace: what it knows (`session`), what it wrote outside (`effects`), and how it ends when it can't go on (`graph_break`).

Nothing here knows how branches and loops are built; `lower` does, and calls down into this room.
"""
