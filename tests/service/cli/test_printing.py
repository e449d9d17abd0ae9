"""What commands print: foreign text as it is, and known errors as one line with the documented exit code."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from rich.table import Table
from typer.testing import CliRunner

from ingestion.errors import EmbeddingError, IndexMismatch, IngestionError
from service.cli.main import app
from service.cli.printing import complain, err, friendly_errors, out
from service.errors import NotFound, ZhixingError

FOREIGN = ["[final]说明.md", "找不到：/tmp/a[/b].md", "[/]", "[red]", ":warning:.md", "\\[bold]"]


@pytest.mark.parametrize("text", FOREIGN)
def test_foreign_text_is_printed_as_it_is(text: str) -> None:
    table = Table("文件", title=text, box=None)
    table.add_row(text)
    with out.capture() as said:
        out.print(text)
        out.print(table)
        out.rule(text)
    assert said.get().count(text) == 4


@given(st.text(alphabet=st.sampled_from(list("[]/\\:ab red文件")), min_size=1, max_size=30))
def test_no_message_can_break_the_line_it_is_told_in(text: str) -> None:
    with err.capture() as said:
        complain("错误", text)
    assert said.get() == f"错误 {text}\n"


@pytest.mark.parametrize(
    "error", [NotFound("没有[/b]"), EmbeddingError("缺少模型"), IndexMismatch("请运行 zhixing rebuild")]
)
def test_a_known_error_of_either_package_ends_with_two_and_its_message(
    error: ZhixingError | IngestionError, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(typer.Exit) as ended, friendly_errors():
        raise error
    assert ended.value.exit_code == 2
    assert capsys.readouterr().err == f"错误 {error.message}\n"


def test_a_file_that_cannot_be_read_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as ended, friendly_errors():
        Path("/没有/[这个]/文件").read_bytes()
    assert ended.value.exit_code == 2
    assert capsys.readouterr().err.startswith("错误 /没有/[这个]/文件：")


@pytest.mark.parametrize(
    "command", [["bench", "retrieval"], ["bench", "reading", "FILE"], ["ask", "问"], ["rebuild"]]
)
def test_an_embedding_that_does_not_exist_is_told_by_every_command(
    tmp_path: Path, command: list[str]
) -> None:
    (tmp_path / "雨伞.md").write_text("雨伞在前台借用。", encoding="utf-8")
    arguments = [str(tmp_path / "雨伞.md") if part == "FILE" else part for part in command]
    environment = {"ZHIXING_HOME": str(tmp_path / "home"), "ZHIXING_EMBEDDING": "wrong"}
    done = CliRunner().invoke(app, arguments, env=environment)
    assert (done.exit_code, "ZHIXING_EMBEDDING" in done.stderr) == (2, True), done.output


def test_a_taken_port_is_told_and_ends_with_two(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [sys.executable, "-m", "service.cli", "serve", "--port", port],
            env={**os.environ, "ZHIXING_HOME": str(tmp_path / "home")},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 2, done.stderr
    assert f"端口 {port} 已被占用" in done.stderr and "Traceback" not in done.stderr
