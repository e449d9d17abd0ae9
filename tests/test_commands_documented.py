"""The README's table of commands is the command line's own list."""

import re
from importlib import import_module

import pytest
import typer

from tests.conftest import REPOSITORY

# By name: the package's attribute `main` is the function that runs the application.
GROUP = typer.main.get_group(import_module("service.cli.main").app)
CONTEXT = GROUP.make_context("zhixing", [], resilient_parsing=True)
ROWS = re.findall(r"^\| `zhixing ([a-z]+)", (REPOSITORY / "README.md").read_text(encoding="utf-8"), re.M)


def test_every_command_is_in_the_readme_and_nothing_else() -> None:
    assert sorted(ROWS) == sorted(GROUP.list_commands(CONTEXT))


@pytest.mark.parametrize("name", ROWS)
def test_command_of_the_readme_exists_and_says_what_it_does(name: str) -> None:
    command = GROUP.get_command(CONTEXT, name)
    assert command is not None
    assert command.help
