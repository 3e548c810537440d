"""PaddlePaddle 2.6's files: `.pdmodel`, `.pdiparams`, `.pdiparams.info`, `.pdparams` and `.pdopt`."""
