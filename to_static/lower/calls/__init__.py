"""What a call in translated code leads to: translated functions, and twins of builtins that understand traced values."""
