"""The readings of amounts and values are judged by their files' own forms, also through the command."""

import json
from decimal import Decimal
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rules.mentions.amounts import Op
from service.cli.main import app
from service.evaluation.amounts import AmountRow, evaluate_amounts
from service.evaluation.values import ValueRow, evaluate_values

ROWS = [
    AmountRow(id="1", text="八万五", op=Op.EXACT, value=Decimal(85000)),
    AmountRow(id="2", text="三到五万", op=Op.RANGE, low=Decimal(30000), high=Decimal(50000)),
    AmountRow(id="3", text="5万美元", op=Op.EXACT, value=Decimal(50000)),  # the row is wrong: not yuan
    AmountRow(id="4", text="说不好", op=Op.ABOUT, value=Decimal(1)),
]


def value(kind: str, text: str, gold: object, base: str | None = None, source: str = "jionlp") -> ValueRow:
    return ValueRow.model_validate(
        {"id": text, "source": source, "kind": kind, "text": text, "base": base, "gold": gold}
    )


def test_right_refused_and_wrong_amounts_are_told_apart() -> None:
    report = evaluate_amounts(ROWS)
    assert (report["right"], report["refused"], report["wrong"]) == (0.5, 0.25, 0.25)
    assert (report["silent"], report["items"]) == (1, 4)
    assert [failure["id"] for failure in report["failures"]] == ["3", "4"]  # type: ignore[union-attr,index,call-overload]
    assert report["by_op"] == {"=": {"right": 1, "wrong": 1}, "range": {"right": 1}, "~": {"refused": 1}}


def test_always_refusing_stands_beside_as_a_measure_of_what_reading_adds() -> None:
    assert evaluate_amounts(ROWS)["always_refusing"] == {"right": 0.0, "refused": 1.0, "wrong": 0.0}


def test_an_empty_file_has_no_shares() -> None:
    assert evaluate_amounts([])["right"] is None


@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        (value("money", "一万块", {"num": "10000.00", "case": "元", "definition": "accurate"}), "right"),
        (value("money", "一万块", {"num": "9000.00", "case": "元", "definition": "accurate"}), "wrong"),
        (value("money", "一万块", {"num": "10000.00", "case": "元", "definition": "blur"}), "wrong"),
        (
            value("money", "十几块", {"num": ["10.00", "20.00"], "case": "元", "definition": "blur"}),
            "differs",
        ),
        (value("money", "很多钱", {"num": "1.00", "case": "元", "definition": "accurate"}), "refused"),
        (
            value(
                "time",
                "昨天",
                {
                    "type": "time_point",
                    "definition": "accurate",
                    "time": ["2021-06-13 00:00:00", "2021-06-13 23:59:59"],
                },
                "2021-06-14 01:06:40",
            ),
            "right",
        ),
        (
            value(
                "time",
                "晚上八点",
                {
                    "type": "time_point",
                    "definition": "accurate",
                    "time": ["2021-06-13 20:00:00", "2021-06-13 20:59:59"],
                },
                "2021-06-14 01:06:40",
            ),
            "not_aimed",
        ),
        (
            value("time", "36天", {"type": "time_delta", "definition": "accurate", "time": {"day": 36.0}}),
            "right",
        ),
    ],
    ids=lambda item: item.text if isinstance(item, ValueRow) else item,
)
def test_a_value_is_judged_by_the_form_of_its_source(row: ValueRow, verdict: str) -> None:
    report = evaluate_values([row])
    counts = report["by_source"]["jionlp"][row.kind]  # type: ignore[index,call-overload]
    assert {name: count for name, count in counts.items() if count} == {verdict: 1}  # type: ignore[union-attr]
    assert report["wrong"] == (verdict == "wrong")


def test_kinds_without_a_reader_are_counted_and_named() -> None:
    report = evaluate_values([value("percent", "八成", [], source="recognizers-text")])
    assert report["unsupported"] == {"recognizers-text": {"percent": 1}}
    assert report["by_source"] == {}


def test_the_commands_print_the_figures_as_one_object(tmp_path: Path) -> None:
    amounts = tmp_path / "amounts.jsonl"
    amounts.write_text(json.dumps({"text": "10w", "op": "=", "value": 100000}) + "\n", encoding="utf-8")
    values = tmp_path / "values.jsonl"
    values.write_text(ROWS_OF_VALUES, encoding="utf-8")
    for command, path, key, figure in (("amounts", amounts, "right", 1.0), ("values", values, "wrong", 0)):
        done = CliRunner().invoke(
            app, ["eval", command, "--input", str(path), "--json"], catch_exceptions=False
        )
        assert done.exit_code == 0, done.output
        assert json.loads(done.stdout)[key] == figure


ROWS_OF_VALUES = '{"id": "1", "source": "wetext-itn", "kind": "itn_money", "text": "五角", "gold": "¥0.5"}\n'


def test_a_line_that_is_no_amount_row_is_named(tmp_path: Path) -> None:
    path = tmp_path / "amounts.jsonl"
    path.write_text('{"text": "10w", "op": "?"}\n', encoding="utf-8")
    done = CliRunner().invoke(app, ["eval", "amounts", "--input", str(path)])
    assert done.exit_code == 2
    assert "第 1 行" in done.output


def test_no_exact_value_of_the_open_libraries_is_read_wrongly_more_than_their_conventions_differ(
    shared_data: Path,
) -> None:
    path = shared_data / "cn_values" / "values.jsonl"
    if not path.is_file():
        pytest.skip("the values are not beside this checkout")
    rows = [ValueRow.model_validate_json(line) for line in path.read_text(encoding="utf-8").splitlines()]
    report = evaluate_values(rows)
    assert report["items"] == len(rows)
    wrong = [failure["text"] for failure in report["failures"] if failure["verdict"] == "wrong"]  # type: ignore[union-attr,index,call-overload]
    assert wrong == ["10月8号"]  # said in September 2021: theirs is of 2022
