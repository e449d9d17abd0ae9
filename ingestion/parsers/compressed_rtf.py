"""The compressed RTF body of Outlook messages, after [MS-OXRTFCP]: LZ77 over a ring of 4,096 bytes."""

import struct

from ingestion.documents import FailureReason
from ingestion.errors import ParseFailure

COMPRESSED, PLAIN = 0x75465A4C, 0x414C454D  # LZFu, MELA
RING = 4_096
MAX_BYTES = 50 * 1024 * 1024
DICTIONARY = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript "
    rb"\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    b"\r\n"
    rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)


def decompress(data: bytes) -> bytes:
    """Raises ParseFailure (corrupt) for a stream of another kind or one that ends in the middle."""
    try:
        _size, raw_size, kind, _checksum = struct.unpack_from("<IIII", data)
        if kind == PLAIN:
            return data[16 : 16 + raw_size]
        if kind == COMPRESSED and raw_size <= MAX_BYTES:
            return bytes(_expanded(data, raw_size))
    except (struct.error, IndexError) as error:
        raise _corrupt() from error
    raise _corrupt()


def _expanded(data: bytes, raw_size: int) -> bytearray:
    ring = bytearray(DICTIONARY.ljust(RING, b"\0"))
    write = len(DICTIONARY)
    out = bytearray()
    place = 16
    while len(out) < raw_size:
        control, place = data[place], place + 1
        for bit in range(8):
            if control & 1 << bit:
                reference, place = data[place] << 8 | data[place + 1], place + 2
                start, length = reference >> 4, (reference & 15) + 2
                if start == write:
                    return out
                piece = [start + step for step in range(length)]
            else:
                piece, place = [-place - 1], place + 1
            for source in piece:
                byte = ring[source % RING] if source >= 0 else data[-source - 1]
                out.append(byte)
                ring[write] = byte
                write = (write + 1) % RING
    return out


def _corrupt() -> ParseFailure:
    return ParseFailure(FailureReason.CORRUPT, "邮件的 RTF 正文已损坏，请在 Outlook 中重新另存后再试")
