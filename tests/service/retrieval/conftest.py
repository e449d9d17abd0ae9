"""One small library with the real index and the built-in embedding, shared by the tests of this package."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ingestion.analyzer import Analyzer
from ingestion.index.embedding import BuiltinEmbedder
from ingestion.index.keyword import KeywordEncoder
from ingestion.terms import load_terms
from service.config import ASSETS
from service.evaluation.rows import read_corpus
from service.evaluation.workbench import Workbench, workbench
from service.retrieval.calibration import load_calibration

LIBRARY = Path(__file__).resolve().parents[2] / "cases" / "retrieval" / "library.jsonl"


@pytest.fixture(scope="session")
def bench() -> Iterator[Workbench]:
    encoder = KeywordEncoder(Analyzer(load_terms(ASSETS / "data" / "terms")))
    calibration = load_calibration(ASSETS / "data" / "retrieval", "builtin")
    with workbench(read_corpus([LIBRARY]), BuiltinEmbedder(), encoder, calibration) as built:
        yield built
