"""`zhixing eval …`: measure on data files; the user's own library is never opened."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from ingestion.analyzer import Analyzer
from ingestion.index.keyword import KeywordEncoder
from ingestion.terms import load_terms
from service.assembly import embedder_factory
from service.cli import (
    evaluating_intent,
    evaluating_minutes,
    evaluating_outcomes,
    evaluating_process,
    evaluating_segmentation,
    evaluating_values,
)
from service.cli.printing import friendly_errors, print_report
from service.config import ASSETS, Settings
from service.errors import BadRequest
from service.evaluation.answers import evaluate_answers
from service.evaluation.caching import evaluate_cache
from service.evaluation.filed import filed
from service.evaluation.retrieval import evaluate_retrieval
from service.evaluation.rows import (
    AbsentSplit,
    CorpusRow,
    QueryRow,
    read_absent,
    read_corpus,
    read_pairs,
    read_queries,
)
from service.evaluation.workbench import Bench, workbench
from service.retrieval.calibration import load_calibration
from service.sameness import EQUIVALENTS, Reader, load_equivalents

evaluation = typer.Typer(name="eval", help="用数据文件评测，不触碰已有的资料库。", no_args_is_help=True)

Corpus = Annotated[
    list[Path], typer.Option("--corpus", exists=True, dir_okay=False, help="语料 JSONL，可重复")
]
Queries = Annotated[Path, typer.Option("--queries", exists=True, dir_okay=False, help="问题 JSONL")]
Documents = Annotated[
    list[Path] | None,
    typer.Option(
        "--documents", exists=True, help="改从这些文件读起（可重复，可为目录）；语料只用来认出段落"
    ),
]
Embedding = Annotated[str | None, typer.Option("--embedding", help="向量模型；缺省取设置")]
AsJson = Annotated[bool, typer.Option("--json", help="输出 JSON")]


def register(app: typer.Typer) -> None:
    evaluating_values.register(evaluation)
    evaluating_process.register(evaluation)
    evaluating_minutes.register(evaluation)
    evaluating_intent.register(evaluation)
    evaluating_segmentation.register(evaluation)
    evaluating_outcomes.register(evaluation)
    app.add_typer(evaluation)


@evaluation.command()
def retrieval(
    corpus: Corpus,
    queries: Queries,
    k: Annotated[int, typer.Option("--k", min=1, max=10, help="hit@k 与 recall@k 的 k")] = 8,
    documents: Documents = None,
    embedding: Embedding = None,
    as_json: AsJson = False,
) -> None:
    """检索质量：两路各自与融合后的 hit@1、hit@k、recall@k、mrr@10、ndcg@10。"""
    with friendly_errors():
        rows, asked = read_corpus(corpus), read_queries(queries)
        with _bench(rows, asked, documents, embedding) as (bench, judged):
            print_report(evaluate_retrieval(bench, judged, k), as_json)


@evaluation.command()
def answers(
    corpus: Corpus,
    queries: Queries,
    absent: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="absent_docs、absent_queries 的 JSON")
    ] = None,
    threshold: Annotated[float | None, typer.Option(min=0, max=1, help="置信度门槛；缺省取设置")] = None,
    documents: Documents = None,
    embedding: Embedding = None,
    as_json: AsJson = False,
) -> None:
    """离线引擎的回答：含标准答案的比例、引用与原文核对、拒答与误拒。"""
    with friendly_errors():
        if absent and documents:
            raise BadRequest("--absent 从语料里去掉文档，不能与 --documents 同用")
        split = read_absent(absent) if absent else AbsentSplit()
        rows = [row for row in read_corpus(corpus) if row.doc_id not in split.absent_docs]
        asked = read_queries(queries)
        limit = Settings().score_threshold if threshold is None else threshold
        with _bench(rows, asked, documents, embedding) as (bench, judged):
            print_report(evaluate_answers(bench, judged, split, limit), as_json)


@evaluation.command()
def cache(
    pairs: Annotated[
        Path,
        typer.Option("--input", exists=True, dir_okay=False, help="a、b、label 的 JSONL；1 为同一个问题"),
    ],
    embedding: Embedding = None,
    as_json: AsJson = False,
) -> None:
    """答案缓存：同问命中多少、异问误中多少，旁列「文字相同」与「只看相近」两种做法。"""
    with friendly_errors():
        settings = _settings(embedding)
        embedder = embedder_factory(settings)()
        reader = Reader(Analyzer(load_terms(settings.terms)), load_equivalents(settings.terms / EQUIVALENTS))
        similarity = settings.cache_similarity
        if similarity is None:
            similarity = load_calibration(ASSETS / "data" / "retrieval", embedder.name).cache_similarity
        print_report(evaluate_cache(read_pairs(pairs), reader, embedder, similarity), as_json)


@contextmanager
def _bench(
    rows: list[CorpusRow], asked: list[QueryRow], documents: list[Path] | None, embedding: str | None
) -> Iterator[tuple[Bench, list[QueryRow]]]:
    """The bench, and the questions that can be asked on it: over files, those about what the files hold."""
    settings = _settings(embedding)
    if documents:
        with filed(settings, documents, rows) as bench:
            yield bench, bench.about_the_files(asked)
        return
    embedder = embedder_factory(settings)()
    terms = load_terms(settings.terms)
    calibration = load_calibration(ASSETS / "data" / "retrieval", embedder.name)
    with workbench(rows, embedder, KeywordEncoder(Analyzer(terms)), calibration) as bench:
        yield bench, asked


def _settings(embedding: str | None) -> Settings:
    settings = Settings()
    return settings if embedding is None else settings.model_copy(update={"embedding": embedding})
