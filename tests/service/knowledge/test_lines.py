"""What the sentences of a passage are and what each stands under."""

from hypothesis import given
from hypothesis import strategies as st

from ingestion.documents import Chunk, Document, Revision
from service.knowledge.lines import Line, Role, read
from service.knowledge.table_rows import Cell, cells
from service.retrieval.results import Evidence


def lines(text: str, *path: str, title: str = "办法", context: str = "") -> list[Line]:
    chunk = Chunk("c", "r", 0, path, text, 0, len(text), context=context)
    return read(0, Evidence(chunk, Document("d", "", title), Revision("r", "d", ""), 0.9, 0.5, 0.5, 1))


def above(found: list[Line], text: str) -> list[str]:
    line = next(line for line in found if line.text.startswith(text))
    return [found[place].text for place in line.heads]


def test_headings_nest_by_their_numbering() -> None:
    found = lines("3 开机和关机\n3.1 开机\n短按电源键。\n3.2 关机\n长按电源键。")
    assert [line.role for line in found] == [Role.HEADING, Role.HEADING, Role.PLAIN, Role.HEADING, Role.PLAIN]
    assert above(found, "短按") == ["3 开机和关机", "3.1 开机"]
    assert above(found, "长按") == ["3 开机和关机", "3.2 关机"]


def test_an_answer_stands_under_its_question_only() -> None:
    found = lines("食堂几点开门？\n早上七点。\n加班有餐吗？\n可以领餐券。")
    assert above(found, "早上七点") == ["食堂几点开门?"]
    assert above(found, "可以领") == ["加班有餐吗?"]


def test_a_question_within_a_paragraph_is_a_sentence() -> None:
    assert [line.role for line in lines("他问为什么？没有人回答。")] == [Role.PLAIN, Role.PLAIN]


def test_items_stand_under_their_lead_in_and_what_follows_them_does_not() -> None:
    found = lines("应当附下列材料：\n（一）申请表；\n（二）说明。\n逾期不予受理。")
    assert [line.role for line in found] == [Role.LEAD, Role.ITEM, Role.ITEM, Role.PLAIN]
    assert above(found, "(二)") == ["应当附下列材料:"]
    assert above(found, "逾期") == []


def test_the_rest_of_an_article_stands_under_its_first_sentence() -> None:
    found = lines("第九条 病假应当提供病假单。不满三天的除外。\n第十条 事假不超过十天。")
    assert above(found, "不满三天") == ["第九条 病假应当提供病假单。"]
    assert above(found, "第十条") == []


def test_a_title_is_a_heading_also_where_nothing_follows() -> None:
    assert [line.role for line in lines("操作手册", title="操作手册")] == [Role.HEADING]
    assert [line.role for line in lines("版本V2.1 信息技术部")] == [Role.PLAIN]


def test_a_row_is_taken_apart_into_its_cells() -> None:
    row = "标准(单位:元/人·天):职级为主管、高级工程师,限额/大城市为500,限额/其他为350。"
    assert cells(row, "标准（单位：元/人·天）\n职级 | 限额/大城市 | 限额/其他") == (
        Cell("职级", "主管、高级工程师", "元"),
        Cell("限额/大城市", "500", "元"),
        Cell("限额/其他", "350", "元"),
    )
    assert cells("预算金额为8,000元,方式为询价。", "预算金额（元） | 方式") == (
        Cell("预算金额", "8,000元"),
        Cell("方式", "询价"),
    )


def test_a_sentence_under_no_header_of_the_table_is_no_row() -> None:
    assert cells("申请人为主管,方式为询价。", "职级 | 限额") == ()
    assert cells("职级为主管。", "") == ()
    assert cells("", "职级 | 限额") == ()


@given(st.text(alphabet="第一二条章开机。；：？\n（）1.、 为，职级 限额", max_size=200))
def test_heads_always_come_before_what_stands_under_them(text: str) -> None:
    found = lines(text, "章", context="职级 | 限额")
    assert [line.place for line in found] == list(range(len(found)))
    assert all(place < line.place for line in found for place in line.heads)
    assert all(tuple(sorted(line.heads)) == line.heads for line in found)
