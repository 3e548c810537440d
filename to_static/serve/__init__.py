"""A server of saved models: the Open Inference Protocol (version 2) over HTTP and gRPC, requests batched by rows.

One process answers the network; models run in worker processes, which share one copy of the weights. Starlette, uvicorn and orjson
(extra ``serve``) and grpcio (extra ``grpc``) are imported when a server starts, never by ``import to_static``.

Rooms below: `tensors` and `protocol` (the wire), `worker` and `model_pool` (processes), `scheduler` (queue and batches),
`row_independence` (which models may be batched), `served_model` (versions, reload), `http_api`, `grpc_api`, `server`.
"""

from to_static.serve.options import Options
from to_static.serve.server import run

__all__ = ["Options", "run"]
