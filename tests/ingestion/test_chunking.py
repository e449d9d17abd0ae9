"""Chunks are slices of the canonical text: complete, ordered, within limits, one section each."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingestion.chunking import MAXIMUM, MINIMUM, chunk
from ingestion.documents import Anchor, Block, BlockBuilder, BlockKind, Chunk, Parsed
from ingestion.index.embedding_rows import LONGEST, prepared
from ingestion.tables import Table, table_blocks

TEXT = st.text(alphabet="差旅住宿报销标准审批办法，。；：！A1 ", min_size=1, max_size=60)
LONG = st.builds(lambda text, times: text * times, TEXT, st.integers(1, 60))
KINDS = st.sampled_from([BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.TABLE, BlockKind.NOTE])
HEADINGS = st.builds(lambda text, level: Block(BlockKind.HEADING, text, level=level), TEXT, st.integers(1, 4))
CLAUSES = st.builds(
    lambda number, text: Block(BlockKind.PARAGRAPH, f"第{number}条 {text}"), st.sampled_from("一二三"), LONG
)
BODIES = st.builds(
    lambda kind, text: Block(kind, text, context="表头" if kind is BlockKind.TABLE else ""), KINDS, LONG
)
DOCUMENTS = st.lists(st.one_of(BODIES, BODIES, HEADINGS, CLAUSES), min_size=1, max_size=25)


def parsed(blocks: list[Block]) -> Parsed:
    builder = BlockBuilder()
    for block in blocks:
        builder.add(block)
    return builder.finish()


def heading(text: str, level: int = 1) -> Block:
    return Block(BlockKind.HEADING, text, level=level)


def paragraph(text: str, kind: BlockKind = BlockKind.PARAGRAPH, context: str = "") -> Block:
    return Block(kind, text, context=context)


def blocks_of(piece: Chunk, document: Parsed) -> list[Block]:
    return [
        block
        for block in document.blocks
        if block.anchor.char_start < piece.char_end and piece.char_start < block.anchor.char_end
    ]


def paths(document: Parsed) -> dict[int, tuple[str, ...]]:
    """Heading path of every block, by its offset; an independent walk."""
    found: dict[int, tuple[str, ...]] = {}
    stack: list[Block] = []
    for block in document.blocks:
        if block.kind is BlockKind.HEADING:
            stack = [above for above in stack if above.level < block.level] + [block]
        found[block.anchor.char_start] = tuple(" ".join(above.text.split()) for above in stack)
    return found


@given(DOCUMENTS)
def test_chunks_always_cover_the_canonical_text_exactly_once_and_in_order(blocks: list[Block]) -> None:
    document = parsed(blocks)
    end = 0
    for number, piece in enumerate(chunk(document, "r")):
        assert piece.ordinal == number
        assert piece.text == document.text[piece.char_start : piece.char_end]
        assert document.text[end : piece.char_start] in ("", "\n")
        end = piece.char_end
    assert document.text[end:] == ""


@given(DOCUMENTS)
def test_no_chunk_ever_exceeds_the_maximum(blocks: list[Block]) -> None:
    assert all(0 < len(piece.text) <= MAXIMUM for piece in chunk(parsed(blocks), "r"))


@given(DOCUMENTS)
def test_a_chunk_always_holds_one_section_or_short_siblings(blocks: list[Block]) -> None:
    document = parsed(blocks)
    by_offset = paths(document)
    for piece in chunk(document, "r"):
        bodies = [b for b in blocks_of(piece, document) if b.kind is not BlockKind.HEADING]
        sections = {by_offset[block.anchor.char_start] for block in bodies}
        if len(sections) > 1:
            assert {section[:-1] for section in sections - {piece.heading_path}} == {piece.heading_path}
        elif sections:
            (section,) = sections
            assert piece.heading_path in (section, section[:-1])


@given(DOCUMENTS)
def test_notes_never_share_a_chunk_with_the_body(blocks: list[Block]) -> None:
    document = parsed(blocks)
    for piece in chunk(document, "r"):
        kinds = {block.kind for block in blocks_of(piece, document)} - {BlockKind.HEADING}
        assert BlockKind.NOTE not in kinds or kinds == {BlockKind.NOTE}


@given(DOCUMENTS)
def test_a_table_row_or_an_article_paragraph_that_fits_is_never_cut(blocks: list[Block]) -> None:
    document = parsed(blocks)
    pieces = chunk(document, "r")
    above = None
    for block in document.blocks:
        room = MAXIMUM - (len(above.text) + 1 if above is not None and above.kind is BlockKind.HEADING else 0)
        if block.kind is BlockKind.TABLE and len(block.text) <= room and _no_run_of_headings(document, block):
            holders = [p for p in pieces if block in blocks_of(p, document)]
            assert len(holders) == 1
            assert holders[0].context == "表头"
        above = block


def _no_run_of_headings(document: Parsed, block: Block) -> bool:
    place = document.blocks.index(block)
    return place < 2 or document.blocks[place - 2].kind is not BlockKind.HEADING


@given(DOCUMENTS)
def test_anchors_and_contexts_are_always_those_of_the_chunks_blocks(blocks: list[Block]) -> None:
    document = parsed(blocks)
    for piece in chunk(document, "r"):
        inside = blocks_of(piece, document)
        assert piece.anchors == tuple(block.anchor for block in inside)
        assert piece.context == ("表头" if any(b.kind is BlockKind.TABLE for b in inside) else "")


@given(DOCUMENTS)
def test_ids_are_always_unique_repeatable_and_bound_to_the_revision(blocks: list[Block]) -> None:
    document = parsed(blocks)
    first = [piece.id for piece in chunk(document, "r1")]
    assert len(set(first)) == len(first)
    assert first == [piece.id for piece in chunk(document, "r1")]
    assert not set(first) & {piece.id for piece in chunk(document, "r2")}


@given(DOCUMENTS)
def test_a_chunk_never_ends_with_a_heading_unless_the_document_does(blocks: list[Block]) -> None:
    document = parsed(blocks)
    for piece in chunk(document, "r")[:-1]:
        last = blocks_of(piece, document)[-1]
        is_whole = piece.char_end == last.anchor.char_end
        assert last.kind is not BlockKind.HEADING or not is_whole or len(last.text) > MAXIMUM


@given(st.lists(st.integers(20, 200), min_size=6, max_size=30))
def test_a_long_section_of_small_paragraphs_reaches_the_minimum(sizes: list[int]) -> None:
    pieces = chunk(parsed([paragraph("字" * size) for size in sizes]), "r")
    if sum(sizes) >= 2 * MAXIMUM:
        assert sum(len(piece.text) >= MINIMUM for piece in pieces) >= len(pieces) - 1


@settings(max_examples=20)
@given(st.integers(1, 300), st.integers(0, 500))
def test_other_limits_hold_too(minimum: int, more: int) -> None:
    document = parsed([heading("一、范围"), paragraph("本办法适用于全体员工。" * 80)])
    assert all(
        len(p.text) <= minimum + more for p in chunk(document, "r", minimum=minimum, maximum=minimum + more)
    )


def test_an_id_does_not_change_when_text_is_inserted_before_it() -> None:
    body = [heading("二、标准"), paragraph("住宿费标准为每晚400元。" * 50)]
    before = chunk(parsed(body), "r")
    after = chunk(parsed([heading("一、目的"), paragraph("为规范差旅费管理，" * 80), *body]), "r")
    assert [piece.id for piece in before] == [
        piece.id for piece in after if piece.heading_path == ("二、标准",)
    ]


def test_equal_texts_under_one_heading_get_different_ids() -> None:
    row = "同一句话。" * 120
    pieces = chunk(parsed([heading("一、甲"), paragraph(row), paragraph(row)]), "r")
    assert len({piece.id for piece in pieces}) == len(pieces) == 2


def test_an_article_that_fits_stays_whole_with_its_paragraphs() -> None:
    article = [
        paragraph("第二条 下列人员适用本办法："),
        *[paragraph("（一）在编人员；" * 20) for _ in range(3)],
    ]
    filler = paragraph("第一条 为加强管理，制定本办法。" * 30)
    document = parsed([filler, *article, replace(filler, text="第三条 附则。" * 40)])
    holder = next(piece for piece in chunk(document, "r") if "第二条" in piece.text)
    assert all(block.text in holder.text for block in article)


def test_an_article_that_is_too_long_is_cut_at_sentences() -> None:
    document = parsed([paragraph("第一条 " + "报销应当在出差结束后三十日内办理。" * 80)])
    pieces = chunk(document, "r")
    assert len(pieces) > 1
    assert all(piece.text.endswith("。") for piece in pieces)


def test_short_siblings_are_merged_under_their_parent_with_their_headings() -> None:
    sections = [block for n in "一二三" for block in (heading(f"（{n}）细则", 2), paragraph("内容。" * 30))]
    pieces = chunk(parsed([heading("第一章 总则"), *sections]), "r")
    assert [piece.heading_path for piece in pieces] == [("第一章 总则",)]
    assert all(f"（{n}）细则" in pieces[0].text for n in "一二三")


def test_a_short_text_above_the_first_subsection_joins_it_under_the_parent() -> None:
    document = parsed(
        [
            heading("第二章 住宿"),
            paragraph("本章规定如下。"),
            heading("（一）标准", 2),
            paragraph("每晚400元。"),
        ]
    )
    (piece,) = chunk(document, "r")
    assert piece.heading_path == ("第二章 住宿",)
    assert piece.text == document.text


def test_a_heading_without_text_joins_the_section_below_it() -> None:
    document = parsed([heading("第一章 总则"), heading("第一节 目的", 2), paragraph("为规范管理。")])
    (piece,) = chunk(document, "r")
    assert piece.text == document.text
    assert piece.heading_path == ("第一章 总则", "第一节 目的")


def test_children_of_two_sections_with_equal_names_do_not_mix() -> None:
    annex = [heading("附件"), heading("一、清单", 2)]
    document = parsed([*annex, paragraph("甲清单。" * 20), *annex, paragraph("乙清单。" * 20)])
    assert [piece.heading_path for piece in chunk(document, "r")] == [("附件", "一、清单")] * 2


def test_a_long_section_does_not_mix_with_its_neighbour() -> None:
    document = parsed(
        [heading("一、甲"), paragraph("甲事项。" * 200), heading("二、乙"), paragraph("乙事项。" * 200)]
    )
    for piece in chunk(document, "r"):
        assert not ("甲" in piece.text and "乙" in piece.text)


def test_the_header_of_a_table_is_repeated_in_each_of_its_chunks() -> None:
    rows = [
        paragraph(f"部门为第{n}部，金额为{n}。" + "说明" * 40, BlockKind.TABLE, "预算表\n部门 | 金额")
        for n in range(30)
    ]
    pieces = chunk(parsed(rows), "r")
    assert len(pieces) > 3
    assert {piece.context for piece in pieces} == {"预算表\n部门 | 金额"}
    assert all(piece.searched_text.startswith("预算表") for piece in pieces)


def test_a_text_without_any_break_is_cut_at_the_maximum() -> None:
    sizes = [len(piece.text) for piece in chunk(parsed([paragraph("字" * 2000)]), "r")]
    assert sizes == [800, 800, 400]


def test_an_announcement_stays_with_its_list() -> None:
    intro = paragraph("报销时应当提交下列材料：")
    items = [paragraph(f"（{n}）材料" + "说明" * 100, BlockKind.LIST) for n in range(3)]
    document = parsed([paragraph("差旅费管理。" * 120), intro, *items])
    holder = next(piece for piece in chunk(document, "r") if intro.text in piece.text)
    assert items[0].text in holder.text


def test_a_document_without_blocks_has_no_chunks() -> None:
    assert chunk(parsed([]), "r") == []


def test_limits_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(ValueError, match="chunk sizes"):
        chunk(parsed([paragraph("甲")]), "r", minimum=900, maximum=800)


def test_anchors_keep_page_and_cell() -> None:
    block = Block(BlockKind.TABLE, "部门为财务部。", Anchor(sheet="预算", cell_range="A5:F5"))
    (piece,) = chunk(parsed([block]), "r")
    assert piece.anchors[0].cell_range == "A5:F5"


def test_a_table_with_hundreds_of_columns_is_embedded_with_the_text_of_its_rows() -> None:
    rows = [[f"第{place:03d}项考核指标" for place in range(700)], ["甲"] * 700, ["乙"] * 700]
    builder = BlockBuilder()
    for block in table_blocks(Table.from_rows(rows, title="考核表")):
        builder.add(block)
    for piece in chunk(builder.finish(), "r"):
        assert len(piece.context) > LONGEST
        assert piece.text in prepared(piece.searched_text)
