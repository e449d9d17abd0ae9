"""Files for download: always as an attachment, so that nothing of them runs in our origin."""

from typing import Any
from urllib.parse import quote

from fastapi.responses import Response

ATTACHMENT: dict[int | str, dict[str, Any]] = {200: {"content": {"application/octet-stream": {}}}}


def attachment(data: bytes, file_name: str) -> Response:
    return Response(
        data,
        media_type="application/octet-stream",
        headers={
            "Content-Disposition": f"attachment; filename*=UTF-8''{quote(file_name, safe='')}",
            "Content-Security-Policy": "sandbox; default-src 'none'",
        },
    )
