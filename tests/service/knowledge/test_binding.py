"""Chunks that follow each other are shown as one passage, and each citation lies in its own chunk."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from ingestion.chunking import chunk
from ingestion.documents import Anchor, Block, BlockBuilder, BlockKind, Chunk, Document, Revision
from service.knowledge.binding import bind, bind_joined, number
from service.retrieval.results import Evidence
from service.retrieval.sentences import sentences


def text_and_chunks(sections: int = 2, lines: int = 6) -> tuple[str, list[Chunk]]:
    builder = BlockBuilder()
    for section in range(sections):
        builder.add(Block(BlockKind.HEADING, f"第{section + 1}章 规定", Anchor(), level=1))
        for line in range(lines):
            told = f"第{section}-{line}条 员工应当在{line + 2}日内提交材料；逾期{section}次的不予受理。"
            builder.add(Block(BlockKind.PARAGRAPH, told, Anchor(paragraph=line + 1)))
    parsed = builder.finish()
    return parsed.text, chunk(parsed, "r", minimum=20, maximum=60)


TEXT, CHUNKS = text_and_chunks()


def evidence(order: list[int]) -> list[Evidence]:
    document, revision = Document("d", "file:///d", "管理办法"), Revision("r", "d", "0")
    return [
        Evidence(CHUNKS[place], document, revision, 0.9, 0.5, 0.5, rank)
        for rank, place in enumerate(order, 1)
    ]


def test_neighbours_of_one_section_are_one_passage_under_the_best_number() -> None:
    bound = number(evidence([2, 0, 1]))
    assert list(bound.passages) == [1]
    assert bound.passages[1].text == TEXT[CHUNKS[0].char_start : CHUNKS[2].char_end]
    assert [reference.n for reference in bound.references] == [1, 2, 3]


def test_what_does_not_follow_or_has_another_heading_stands_alone() -> None:
    bound = number(evidence([0, 2, 3, 4]))  # 0 and 2 do not follow, 4 begins the next chapter
    assert {n: len(joined.parts) for n, joined in bound.joined.items()} == {1: 1, 2: 2, 4: 1}
    other = [replace(item, chunk=replace(item.chunk, context=str(item.rank))) for item in evidence([0, 1])]
    assert list(number(other).passages) == [1, 2]


@given(st.lists(st.integers(0, len(CHUNKS) - 1), min_size=1, max_size=8, unique=True))
def test_every_citation_is_verbatim_where_it_says_and_in_its_chunk(order: list[int]) -> None:
    found = evidence(order)
    bound = number(found)
    chunks = {item.chunk.id: item.chunk for item in found}
    shown = 0
    for n, passage in bound.passages.items():
        for span in sentences(passage.text):
            citation = bind_joined(bound, n, span)
            held = chunks[citation.chunk_id]
            assert citation.n == n
            assert citation.quote == TEXT[citation.char_start : citation.char_end]
            assert held.char_start <= citation.char_start < held.char_end
            assert citation.anchor.char_start <= citation.char_start < citation.anchor.char_end
            shown += 1
    assert shown >= sum(1 for item in found for _ in sentences(item.chunk.text))
    for item in found:
        for span in sentences(item.chunk.text):
            assert bind(bound, item.rank, span).chunk_id == item.chunk.id
