"""Questions about devices, as code for GPUs asks them, where there is none."""

import pytest

import to_static as paddle

pytestmark = pytest.mark.skipif(paddle.device.cuda.device_count() > 0, reason="these are the answers without a GPU")


def test_there_is_no_gpu():
    assert paddle.device.cuda.device_count() == 0
    assert paddle.device.get_available_device() == ["cpu"] and paddle.device.get_all_device_type() == ["cpu"]
    paddle.device.cuda.synchronize()
    paddle.device.synchronize()
    paddle.device.cuda.empty_cache()
    with pytest.raises(RuntimeError, match="gpu:0"):
        paddle.device.cuda.get_device_properties()


def test_streams_and_events_keep_order():
    stream = paddle.device.Stream()
    with paddle.device.stream_guard(stream):
        assert paddle.device.current_stream() is stream
        start, end = stream.record_event(), paddle.device.Event(enable_timing=True)
        end.record()
    assert paddle.device.current_stream() is not stream
    assert end.query() and start.elapsed_time(end) >= 0
    with pytest.raises(RuntimeError, match="recorded"):
        paddle.device.Event().elapsed_time(end)
