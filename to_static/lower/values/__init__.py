"""One file for each kind of value that only the Program knows. Each adds itself to `protocol` and knows no other kind."""
