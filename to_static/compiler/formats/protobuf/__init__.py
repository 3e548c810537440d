"""Protocol Buffers: messages described by tables, read without the library and written with it."""
