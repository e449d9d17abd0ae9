import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.widget.conftest import RunJs

READ = """
    const parts = argument.map((part) => new Uint8Array(part));
    const body = new ReadableStream({
      start(controller) {
        parts.forEach((part) => controller.enqueue(part));
        controller.close();
      },
    });
    const events = [];
    for await (const event of module.readEvents(body)) events.push(event);
    return events;
"""

pytestmark = pytest.mark.browser


def wire(events: list[tuple[int, str, object]], newline: str) -> bytes:
    frames = []
    for number, name, data in events:
        text = json.dumps(data, ensure_ascii=False)
        frames += [f"id: {number}", f"event: {name}", f"data: {text}", "", ": ping", ""]
    return newline.join([*frames, ""]).encode()


EVENTS = st.lists(
    st.tuples(st.integers(1, 99), st.sampled_from(["delta", "done"]), st.text(max_size=8)), max_size=4
)


@settings(max_examples=60, deadline=None)
@given(events=EVENTS, newline=st.sampled_from(["\n", "\r\n"]), size=st.integers(1, 40))
def test_events_are_the_same_however_the_bytes_arrive(
    run_js: RunJs, events: list[tuple[int, str, object]], newline: str, size: int
) -> None:
    data = wire(events, newline)
    parts = [list(data[start : start + size]) for start in range(0, len(data), size)]
    read = run_js("widget/sse.js", READ, parts)
    assert [(int(event["id"]), event["event"], event["data"]) for event in read] == events


def test_data_over_several_lines_is_joined(run_js: RunJs) -> None:
    read = run_js("widget/sse.js", READ, [list(b'event: delta\ndata: {"text":\ndata: "x"}\n\n')])
    assert read == [{"id": "", "event": "delta", "data": {"text": "x"}}]


def test_a_frame_cut_off_at_the_end_is_not_an_event(run_js: RunJs) -> None:
    assert run_js("widget/sse.js", READ, [list(b'event: done\ndata: {"a": 1}')]) == []
