"""The vocabulary: operator families. Importing this package registers every operator."""

from to_static.ops import (  # noqa: F401
    activation,
    control,
    conv,
    create,
    elementwise,
    lists,
    sigmoidal,
    softmax,
    update,
)
