"""Static models in files. `save` writes the Programs of a static function or Layer; `load` makes a Layer from a file.

This package decides which Programs a file has, and to which Layer a loaded Program belongs. `formats` writes and reads the
files; `ops` declares the file form of each operator. `jit`, `static` and `inference` call this package.
"""
