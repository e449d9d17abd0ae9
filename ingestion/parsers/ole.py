"""The directory of an OLE compound file: enough to tell what an office file with magic D0CF11E0 is.

Layout after [MS-CFB]: a header of 512 bytes, sectors, and a directory of 128-byte entries that form a tree.
"""

import struct

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ENTRY_BYTES = 128
END_OF_CHAIN = 0xFFFFFFFA  # this and above are markers, no sector numbers
NO_ENTRY = 0xFFFFFFFF
HEADER_FAT_SECTORS = 109


def root_names(data: bytes) -> frozenset[str]:
    """Names of the streams and storages directly under the root; empty when the directory is damaged."""
    try:
        entries = _directory(data)
        return frozenset(_names_under_root(entries))
    except (struct.error, IndexError, UnicodeDecodeError):
        return frozenset()


def _directory(data: bytes) -> list[bytes]:
    (shift,) = struct.unpack_from("<H", data, 30)
    if shift not in (9, 12):
        return []
    size = 1 << shift
    tables = _table_sectors(data, size)
    (sector,) = struct.unpack_from("<I", data, 48)
    seen: set[int] = set()
    entries: list[bytes] = []
    while sector < END_OF_CHAIN and sector not in seen:
        seen.add(sector)
        start = (sector + 1) * size
        block = data[start : start + size]
        entries.extend(
            block[i : i + ENTRY_BYTES] for i in range(0, len(block) - ENTRY_BYTES + 1, ENTRY_BYTES)
        )
        table, place = divmod(sector, size // 4)
        (sector,) = struct.unpack_from("<I", data, (tables[table] + 1) * size + 4 * place)
    return entries


def _table_sectors(data: bytes, size: int) -> list[int]:
    """The sectors of the file allocation table: 109 in the header, more in a chain (files over 7 MB)."""
    tables = list(struct.unpack_from(f"<{HEADER_FAT_SECTORS}I", data, 76))
    (sector,) = struct.unpack_from("<I", data, 68)
    seen: set[int] = set()
    while sector < END_OF_CHAIN and sector not in seen:
        seen.add(sector)
        *more, sector = struct.unpack_from(f"<{size // 4}I", data, (sector + 1) * size)
        tables.extend(more)
    return [number for number in tables if number < END_OF_CHAIN]


def _names_under_root(entries: list[bytes]) -> set[str]:
    names: set[str] = set()
    waiting = [struct.unpack_from("<I", entries[0], 76)[0]] if entries else []
    seen: set[int] = set()
    while waiting:
        number = waiting.pop()
        if number == NO_ENTRY or number in seen or number >= len(entries):
            continue
        seen.add(number)
        entry = entries[number]
        (length,) = struct.unpack_from("<H", entry, 64)
        names.add(entry[: max(0, min(length, 64) - 2)].decode("utf-16-le"))
        waiting.extend(struct.unpack_from("<II", entry, 68))  # left and right sibling
    return names
