"""Counters and timings in Prometheus form; one registry an application, so tests share no numbers."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

STAGE_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Telemetry:
    """What operators watch; names are documented in docs/api.md."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "zhixing_http_requests_total", "HTTP 请求数", ["route", "status"], registry=self.registry
        )
        self.stages = Histogram(
            "zhixing_stage_seconds",
            "各阶段耗时（秒）",
            ["stage"],
            buckets=STAGE_BUCKETS,
            registry=self.registry,
        )
        self.answers = Counter(
            "zhixing_answers_total", "回答数，按引擎与结果", ["engine", "outcome"], registry=self.registry
        )
        self.refusals = Counter(
            "zhixing_refusals_total", "拒答数，按原因", ["reason"], registry=self.registry
        )
        self.fallbacks = Counter(
            "zhixing_engine_fallbacks_total",
            "由离线引擎接手的次数，按原因",
            ["reason"],
            registry=self.registry,
        )
        self.files = Counter(
            "zhixing_ingested_files_total", "入库文件数，按状态", ["state"], registry=self.registry
        )
        self.tokens = Counter("zhixing_llm_tokens_total", "LLM 用量", ["kind"], registry=self.registry)
        self.chunks = Gauge("zhixing_index_chunks", "可检索的切片数", registry=self.registry)
        self.documents = Gauge("zhixing_documents", "已发布的文档数", registry=self.registry)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time a stage of a turn: retrieve, answer, verify, publish, …"""
        started = perf_counter()
        try:
            yield
        finally:
            self.stages.labels(name).observe(perf_counter() - started)

    def exposition(self) -> bytes:
        return generate_latest(self.registry)
