"""Counters and timings in Prometheus form; one registry an application, so tests share no numbers."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from time import perf_counter
from typing import Protocol

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from service.llm.breaker import Circuit
from service.llm.usage import ModelCounters

STAGE_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Models(Protocol):
    """What counts for itself: a language model, or its stand-in for worker threads."""

    def counters(self) -> dict[str, ModelCounters]: ...

    def circuits(self) -> dict[str, Circuit]: ...


TOTALS: dict[str, tuple[str, Callable[[ModelCounters], int]]] = {
    "steps": ("LLM 步骤数", lambda totals: totals.steps),
    "failed_steps": ("没有得到结果的 LLM 步骤数", lambda totals: totals.failed),
    "calls": ("得到回答的 LLM 调用数", lambda totals: totals.calls),
    "retries": ("LLM 调用的重试次数", lambda totals: totals.retries),
    "repairs": ("LLM 回答的格式修复次数", lambda totals: totals.repairs),
}


class _ModelCollector(Collector):
    """Reads the running totals of the language models when it is asked; without a model there are none."""

    def __init__(self) -> None:
        self.models: list[Models] = []

    def collect(self) -> Iterator[Metric]:
        counters = {model: found for each in self.models for model, found in each.counters().items()}
        circuits = {model: found for each in self.models for model, found in each.circuits().items()}
        for name, (meaning, read) in TOTALS.items():
            yield _family(name, meaning, {model: read(found) for model, found in counters.items()})
        opened = GaugeMetricFamily("zhixing_llm_circuit_open", "熔断，暂停调用为 1", labels=["model"])
        for model, circuit in circuits.items():
            opened.add_metric([model], float(circuit is Circuit.OPEN))
        yield opened


def _family(name: str, meaning: str, values: Mapping[str, int]) -> CounterMetricFamily:
    family = CounterMetricFamily(f"zhixing_llm_{name}", meaning, labels=["model"])
    for model, value in values.items():
        family.add_metric([model], value)
    return family


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
        self.cache = Counter(
            "zhixing_answer_cache_total", "答案缓存命中与未命中的次数", ["outcome"], registry=self.registry
        )
        self.files = Counter(
            "zhixing_ingested_files_total", "入库文件数，按状态", ["state"], registry=self.registry
        )
        self.tokens = Counter("zhixing_llm_tokens_total", "LLM 用量", ["kind"], registry=self.registry)
        self.chunks = Gauge("zhixing_index_chunks", "可检索的切片数", registry=self.registry)
        self.documents = Gauge("zhixing_documents", "已发布的文档数", registry=self.registry)

        self._models = _ModelCollector()
        self.registry.register(self._models)

    def watch(self, models: Models) -> None:
        """Show the totals and circuits of these models from now on."""
        self._models.models.append(models)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time a stage: `turn`, `retrieve`, `settle`, `extract`, `phrase` of a question; `read`, `embed`,
        `publish` of a file."""
        started = perf_counter()
        try:
            yield
        finally:
            self.stages.labels(name).observe(perf_counter() - started)

    def exposition(self) -> bytes:
        return generate_latest(self.registry)
