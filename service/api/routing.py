"""The kind of route that serves people: who asks is known before the body is read, and what the body says can
be stored, encoded and sent back.

JSON may hold `\\u0000` and half of a surrogate pair, e.g. of an emoji that a client cut in two. Neither an
index, a database nor a response in UTF-8 takes them; a person's question is answered without them.
"""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

from service.api.access import principal_of
from service.storable import storable_json


class Route(APIRoute):
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def authenticated(request: Request) -> Response:
            await principal_of(request)  # nobody unknown gets megabytes read or forms parsed
            return await handle(_Request(request.scope, request.receive))

        return authenticated


class _Request(Request):
    async def json(self) -> Any:
        return storable_json(await super().json())
