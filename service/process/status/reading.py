"""Text of the files that administrators keep beside the service: UTF-8 with or without a mark, or GB18030."""

from pathlib import Path

MOST_BYTES = 50_000_000


def read_text(path: Path) -> str:
    """Raises OSError, and ValueError when it is too large or in no such encoding."""
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"超过 {MOST_BYTES // 1_000_000} MB")
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("gb18030")
