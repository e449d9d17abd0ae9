"""Imports point one way, as drawn in docs/architecture.md; nothing below knows what stands above it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

# From the top down. A room may import rooms of later lines, itself, and nothing above.
LAYERS: list[set[str]] = [
    {"service.cli"},
    {"service.evaluation"},
    {"service.app", "service.samples"},
    {"service.api", "service.ui"},
    {"service.bootstrap", "service.assembly"},
    {"service.turn"},
    {"service.knowledge", "service.process", "service.minutes", "service.conversation"}
    | {"service.discussion", "service.debate"},
    {"service"},
    {"ingestion", "rules"},
]
PATHS = LAYERS[6]


def room_of(module: str) -> str:
    """The room a module belongs to: `service.api.chat` -> `service.api`, shared modules -> `service`."""
    named = {room for layer in LAYERS for room in layer}
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        name = ".".join(parts[:length])
        if name in named:
            return name
    return parts[0]


def depth_of(room: str) -> int:
    return next(depth for depth, layer in enumerate(LAYERS) if room in layer)


def modules() -> Iterator[tuple[str, Path]]:
    for package in ("service", "ingestion", "rules"):
        for path in sorted((REPOSITORY / package).rglob("*.py")):
            name = ".".join(path.relative_to(REPOSITORY).with_suffix("").parts)
            if ".migrations." not in name:
                yield name.removesuffix(".__init__"), path


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize(("module", "path"), list(modules()))
def test_imports_never_point_up(module: str, path: Path) -> None:
    own = room_of(module)
    for imported in imports(path):
        if not imported.startswith(("service", "ingestion", "rules")):
            continue
        room = room_of(imported)
        assert depth_of(room) >= depth_of(own), f"{module} imports {imported}"


@pytest.mark.parametrize(("module", "path"), list(modules()))
def test_paths_and_foundations_do_not_know_each_other(module: str, path: Path) -> None:
    own = room_of(module)
    apart = PATHS if own in PATHS else {"ingestion", "rules"} if own in {"ingestion", "rules"} else set()
    others = {room_of(imported) for imported in imports(path)} & apart
    assert others <= {own}, f"{module} imports {others - {own}}"


def test_a_relative_import_would_escape_the_check() -> None:
    for module, path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not (isinstance(node, ast.ImportFrom) and node.level), f"{module} imports relatively"
