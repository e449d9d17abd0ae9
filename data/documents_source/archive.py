"""Zip-based office files with the same bytes on every run.

Members are stored without compression, in name order and with one fixed time: the result depends neither on
the clock nor on the version of zlib.
"""

import io
import re
import zipfile
from datetime import datetime

_EPOCH = (1980, 1, 1, 0, 0, 0)
_CONTENT_TYPES = "[Content_Types].xml"
_MODIFIED = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*(</dcterms:modified>)")


def pinned(data: bytes, dated: datetime) -> bytes:
    """The office file `data` rewritten in the fixed form, last modified at `dated`."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as target:
        for name in sorted(source.namelist(), key=lambda name: (name != _CONTENT_TYPES, name)):
            content = source.read(name)
            if name == "docProps/core.xml":
                stamp = dated.strftime("%Y-%m-%dT%H:%M:%SZ").encode()
                content = _MODIFIED.sub(rb"\g<1>" + stamp + rb"\g<2>", content)
            target.writestr(zipfile.ZipInfo(name, _EPOCH), content)
    return out.getvalue()
