import pytest

import to_static as paddle


@pytest.fixture
def static():
    """Static mode over fresh default Programs."""
    main, startup = paddle.static.Program(), paddle.static.Program()
    paddle.enable_static()
    try:
        with paddle.static.program_guard(main, startup):
            yield paddle.static
    finally:
        paddle.disable_static()
