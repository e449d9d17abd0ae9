"""A bound on request bodies, for every route and page: what is over it is not read to its end."""

from fnmatch import fnmatchcase

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.api import errors
from service.config import MEGABYTE

MOST_OF_A_BODY = 4 * MEGABYTE  # the longest: the whole history of a conversation in the OpenAI protocol
BESIDE_THE_FILE = 2 * MEGABYTE  # the other fields of an upload, and what multipart adds


class BodyLimit:
    """Refuses by the announced length, and by the length that comes when none or a wrong one was announced.

    `uploads` are the paths that take files of up to `upload_mb`; `*` stands for any characters.
    """

    def __init__(self, app: ASGIApp, upload_mb: int, uploads: tuple[str, ...]) -> None:
        self._app = app
        self._upload_mb = upload_mb
        self._uploads = uploads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        takes_files = any(fnmatchcase(scope["path"], place) for place in self._uploads)
        most = self._upload_mb * MEGABYTE + BESIDE_THE_FILE if takes_files else MOST_OF_A_BODY
        problem = (
            f"文件超过 {self._upload_mb} MB 上限；请拆分后再上传"
            if takes_files
            else f"请求正文超过 {most // MEGABYTE} MB 上限；请缩短后再发送"
        )
        announced = Headers(scope=scope).get("content-length", "")
        if announced.isdecimal() and (len(announced) > 15 or int(announced) > most):
            await errors.response(Request(scope), 413, "too_large", problem)(scope, receive, send)
            return
        received = 0

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > most:
                raise HTTPException(413, problem)
            return message

        await self._app(scope, counted, send)
