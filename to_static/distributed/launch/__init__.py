"""``python -m paddle.distributed.launch --nproc_per_node 2 train.py``: see `to_static.distributed.launching.launch`."""
