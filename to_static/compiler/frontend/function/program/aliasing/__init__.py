"""Identity and aliases of results: tensors that existed before the call, views of them, and results that share memory."""
