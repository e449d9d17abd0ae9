"""`eval minutes`: what the figures count, on an archive of three meetings and six questions."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from service.cli.main import app

MEETINGS = {
    "2026-03-02_茶园会.txt": """茶园会
时间：2026年3月2日
参会人：何叶、石磊

何叶：茶园的滴灌管线改用八毫米的软管。
石磊：茶园的围栏先不修。
""",
    "2026-05-06_茶厂会.txt": """茶厂会
时间：2026年5月6日
参会人：何叶、石磊

石磊：茶厂的烘干机买两台，每台三万元。
何叶：烘干机放在二号车间。
""",
    "2026-07-08_茶店会.txt": """茶店会
时间：2026年7月8日
参会人：何叶、石磊

何叶：茶店的招牌换成木头的。
石磊：茶店的租金还没有谈。
""",
}
GARDEN, FACTORY, SHOP = MEETINGS
ROWS: list[dict[str, object]] = [
    {"question": "茶园的滴灌管线改用多粗的软管", "meetings": [GARDEN], "quotes": ["改用八毫米的软管"]},
    {"question": "石磊说茶厂的烘干机买几台", "meetings": [FACTORY], "quotes": ["烘干机买两台"]},
    {"question": "茶店的招牌换成什么的", "meetings": [SHOP], "quotes": ["招牌换成木头的"]},
    {"question": "王总怎么看烘干机", "absence": "nobody"},
    {"question": "飞船什么时候发射", "absence": "nobody"},
    {"question": "茶店的租金最后定了吗", "absence": "undecided"},
]
KINDS = ("fact", "person", "fact", "person", "fact", "decision")
for number, row in enumerate(ROWS):
    row |= {"id": str(number), "kind": KINDS[number], "answerable": "absence" not in row}
ROWS[1]["speaker"] = "石磊"
SHARES = {"meeting@8", "quoted", "quotes_equal", "refused_unanswerable", "refused_answerable"}
FIGURES = {*SHARES, "wrong_speaker"}


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    folder = tmp_path / "meetings"
    folder.mkdir()
    for name, words in MEETINGS.items():
        (folder / name).write_text(words, encoding="utf-8")
    people = "姓名,称呼,职务,部门\n何叶,何总,场长,茶场\n石磊,石工,技术员,茶场\n"
    (folder / "people.csv").write_text(people, encoding="utf-8")
    return folder


def rows_in(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    return path


def evaluated(rows: Path, archive: Path, *more: str) -> Result:
    arguments = ["eval", "minutes", "--input", str(rows), "--archive", str(archive), *more]
    return CliRunner().invoke(app, arguments)


def test_the_command_tells_every_figure_beside_the_stubs(archive: Path, tmp_path: Path) -> None:
    path = rows_in(tmp_path / "rows.jsonl", ROWS)
    ran = evaluated(path, archive, "--json")
    assert ran.exit_code == 0, ran.output
    report = json.loads(ran.stdout)
    assert set(report) >= {*FIGURES, "questions", "by_kind", "by_absence", "failures"}
    assert report["questions"] == 6
    assert report["meeting@8"] == 1.0, "three meetings are fewer than eight"
    assert report["quotes_equal"] in (1.0, None) and report["wrong_speaker"] == 0
    assert set(report["by_kind"]) == {"decision", "fact", "person"}
    assert all(set(figures) == FIGURES for figures in report["by_kind"].values())
    assert set(report["by_absence"]) == {"nobody", "undecided"}
    assert report["by_absence"]["nobody"] >= 0.5, "王总 is nobody, whatever the weights"
    assert report["stub_refuse_all"]["refused_unanswerable"] == 1.0
    assert report["stub_never_refuse"]["refused_answerable"] == 0.0
    assert {each["id"] for each in report["failures"]} <= {row["id"] for row in ROWS}


def test_a_row_of_an_unknown_absence_is_refused_with_its_line(archive: Path, tmp_path: Path) -> None:
    path = rows_in(tmp_path / "rows.jsonl", [ROWS[0], {**ROWS[3], "absence": "lost"}])
    ran = evaluated(path, archive)
    assert ran.exit_code == 2 and "rows.jsonl 第 2 行" in ran.stderr


def test_an_archive_with_a_file_that_cannot_be_taken_in_is_no_archive(archive: Path, tmp_path: Path) -> None:
    (archive / "空.txt").write_bytes(b"\n")
    path = rows_in(tmp_path / "rows.jsonl", ROWS[:1])
    ran = evaluated(path, archive)
    assert ran.exit_code == 2 and "空.txt" in ran.stderr
