"""The README's table of commands is the command line's own list."""

import re
from importlib import import_module

import typer

from tests.conftest import REPOSITORY

# By name: the package's attribute `main` is the function that runs the application.
COMMANDS = typer.main.get_group(import_module("service.cli.main").app).commands
ROWS = re.findall(r"^\| `zhixing ([a-z]+)", (REPOSITORY / "README.md").read_text(encoding="utf-8"), re.M)


def test_every_command_is_in_the_readme_and_nothing_else() -> None:
    assert set(ROWS) == set(COMMANDS)


def test_every_command_says_what_it_does() -> None:
    assert [name for name, command in COMMANDS.items() if not command.help] == []
