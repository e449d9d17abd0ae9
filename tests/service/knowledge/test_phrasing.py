"""Writing an answer holds up nothing else on the event loop."""

import asyncio
import time
from datetime import date

import pytest

from service.knowledge import phrasing
from service.knowledge.phrasing import Asked, Written
from service.knowledge.verification import Passage, Verdict, verify

TEXT = "出差人员应当自返回之日起十个工作日内提交报销单。"


def test_the_loop_goes_on_while_a_sentence_is_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(sentence: str, passages: dict[int, Passage]) -> Verdict:
        time.sleep(0.2)
        return verify(sentence, passages)

    monkeypatch.setattr(phrasing, "verify", slow)
    shown: list[str] = []

    async def show(text: str) -> None:
        shown.append(text)

    async def count(ended: asyncio.Event) -> int:
        ticks = 0
        while not ended.is_set():
            await asyncio.sleep(0.01)
            ticks += 1
        return ticks

    async def answer() -> int:
        ended = asyncio.Event()
        counting = asyncio.create_task(count(ended))
        gate = phrasing._Gate(Asked("几天", {1: Passage(TEXT)}, date(2026, 7, 1)), Written(), show)
        await gate.offer("应当在十个工作日内提交报销单[1]。")
        ended.set()
        return await counting

    assert asyncio.run(answer()) >= 5
    assert shown == ["应当在十个工作日内提交报销单[1]。"]
