"""The version of this package. ``to_static.__version__`` is Paddle's after `install_as_paddle`: programs compare it."""

RELEASE = "0.1.0"
