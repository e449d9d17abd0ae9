"""Writes small compound files (OLE) for tests: folders and streams, all streams in the mini stream."""

import struct
from collections.abc import Mapping

from ingestion.parsers.ole import MAGIC

Tree = Mapping[str, "bytes | Tree"]
NONE, END, FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
SECTOR, MINI = 512, 64


def compound(tree: Tree) -> bytes:
    """The file with `tree` under its root: bytes are streams, mappings are storages."""
    entries: list[list[object]] = [["Root Entry", 5, NONE, 0, 0]]  # name, type, child, start, size
    siblings: list[int] = [NONE]
    mini = bytearray()
    chains: list[int] = []

    def add(children: Tree) -> int:
        first = previous = NONE
        for name, content in children.items():
            index = len(entries)
            entries.append([name, 1, NONE, 0, 0])
            siblings.append(NONE)
            if isinstance(content, bytes):
                start, count = len(mini) // MINI, -(-len(content) // MINI)
                mini.extend(content.ljust(count * MINI, b"\0"))
                chains.extend([*range(start + 1, start + count), END] if count else [])
                entries[index] = [name, 2, NONE, start if count else END, len(content)]
            else:
                entries[index][2] = add(content)
            if previous == NONE:
                first = index
            else:
                siblings[previous] = index
            previous = index
        return first

    entries[0][2] = add(tree)
    entries[0][3:] = [0, len(mini)]
    directory = b"".join(_entry(entry, sibling) for entry, sibling in zip(entries, siblings, strict=True))
    parts = [bytes(mini), directory, struct.pack(f"<{len(chains)}I", *chains)]
    padded = [
        part.ljust(-(-len(part) // SECTOR) * SECTOR, b"\xff" if i == 2 else b"\0")
        for i, part in enumerate(parts)
    ]
    counts = [len(part) // SECTOR for part in padded]
    starts = [sum(counts[:i]) for i in range(3)]
    table = [
        n
        for start, count in zip(starts, counts, strict=True)
        for n in ([*range(start + 1, start + count), END] if count else [])
    ]
    assert len(table) < SECTOR // 4, "one sector of the allocation table is enough for a test"
    table.append(FAT)
    fat = struct.pack("<128I", *table, *[NONE] * (128 - len(table)))
    entries_start = starts[1]
    header = bytearray(MAGIC.ljust(SECTOR, b"\0"))
    struct.pack_into("<HHHHH", header, 24, 0x3E, 3, 0xFFFE, 9, 6)
    struct.pack_into(
        "<IIIIIIIII",
        header,
        44,
        1,
        entries_start,
        0,
        4096,
        starts[2] if counts[2] else END,
        counts[2],
        END,
        0,
        sum(counts),
    )
    struct.pack_into("<108I", header, 80, *[NONE] * 108)
    return bytes(header) + b"".join(padded) + fat


def _entry(entry: list[object], sibling: int) -> bytes:
    name, kind, child, start, size = entry
    raw = (str(name) + "\0").encode("utf-16-le")
    links = struct.pack("<III", NONE, sibling, child)
    return (
        raw.ljust(64, b"\0")
        + struct.pack("<HBB", len(raw), kind, 1)
        + links
        + bytes(36)
        + struct.pack("<IQ", start, size)
    )
