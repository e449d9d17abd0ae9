"""The service as a command reaches it: the one that holds the home, or one of its own on a free port.

Either way a command speaks HTTP over loopback, so that it does exactly what the API does.
"""

import asyncio
import errno
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import sleep
from typing import TYPE_CHECKING, Any

import httpx

from service.config import LOOPBACK, Settings
from service.errors import HomeLocked, Unavailable, ZhixingError
from service.home import LOCAL_TOKEN, Home, RunningService, running_service
from service.storable import storable, storable_json

if TYPE_CHECKING:
    import uvicorn

    from service.bootstrap import Parts

START_SECONDS = 120.0
ANNOUNCE_SECONDS = 30.0
SHUTDOWN_SECONDS = 15


class Client:
    """The API as the owner of the home folder. Raises ZhixingError with the service's own message.

    What a terminal or a pipe holds beside UTF-8 is sent as U+FFFD.
    """

    def __init__(self, service: RunningService) -> None:
        self._http = httpx.Client(
            base_url=service.url, headers={LOCAL_TOKEN: service.token}, timeout=None, trust_env=False
        )

    def get(self, path: str, **parameters: str | int) -> Any:
        return self._call("GET", path, params=storable_json(parameters))

    def post(self, path: str, body: object) -> Any:
        return self._call("POST", path, json=storable_json(body))

    def upload(self, path: str, name: str, data: bytes) -> Any:
        return self._call("POST", path, files={"file": (storable(name), data)})

    def follow_task(self, task_id: str, on_change: Callable[[Any], None]) -> Any:
        """Poll a task until it is over; `on_change` sees each state. Returns the last."""
        while True:
            task = self.get(f"/api/v1/tasks/{task_id}")
            on_change(task)
            if task["state"] != "running":
                return task
            sleep(0.2)

    def close(self) -> None:
        self._http.close()

    def _call(self, method: str, path: str, **options: Any) -> Any:
        try:
            response = self._http.request(method, path, **options)
        except httpx.TransportError as error:
            raise Unavailable(f"与运行中的服务连接中断：{error}") from error
        if response.status_code >= 400:
            _raise(response)
        return response.json() if response.content else None


@contextmanager
def connected(settings: Settings, *, reset_index: bool = False) -> Iterator[Client]:
    """A client of the service that holds the home, or of one that lives as long as the command.

    `reset_index`: an index that cannot be opened is thrown away, since the command makes it again.
    """
    try:
        home = Home(settings.home)
    except HomeLocked:
        client = Client(_holder(settings))
        try:
            yield client
        finally:
            client.close()
        return
    with home, _served(settings, home, reset_index) as service:
        client = Client(service)
        try:
            yield client
        finally:
            client.close()


async def serve(
    settings: Settings,
    home: Home,
    on_ready: "Callable[[str, Parts], None]",
    prepare: "Callable[[Parts], object] | None" = None,
) -> None:
    """Serve until told to stop. `prepare` runs first; `on_ready` gets the address once it answers."""
    from service import bootstrap

    parts = await asyncio.to_thread(bootstrap.build, settings, home)
    try:
        if prepare is not None:
            await asyncio.to_thread(prepare, parts)
        server = _server(settings, parts)
        # uvicorn raises the signal that stopped it once more: that must not end the process before it closes.
        signal.signal(signal.SIGTERM, lambda _number, _frame: None)
        serving = asyncio.create_task(_until_stopped(server))
        while not server.started and not serving.done():
            await asyncio.sleep(0.02)
        if server.started:
            url = _url(settings, server)
            home.announce(url)
            await asyncio.to_thread(parts.uploads.resume)
            on_ready(url, parts)
        await serving
    finally:
        await asyncio.to_thread(parts.close)


async def _until_stopped(server: "uvicorn.Server") -> None:
    """Serve. Raises Unavailable where uvicorn would end the process: no socket, or a part did not start."""
    try:
        await server.serve()
    except SystemExit as stop:
        raise _did_not_start(server.config.host, server.config.port, stop.__context__) from stop


def _did_not_start(host: str, port: int, cause: BaseException | None) -> Unavailable:
    if isinstance(cause, OSError) and cause.errno == errno.EADDRINUSE:
        return Unavailable(f"端口 {port} 已被占用；请停止占用它的程序，或用 --port 换一个端口")
    if isinstance(cause, OSError):
        return Unavailable(f"无法监听 {host}:{port}：{cause.strerror or cause}")
    return Unavailable("服务没有启动成功，详见上面的日志")


@contextmanager
def _served(settings: Settings, home: Home, reset_index: bool) -> Iterator[RunningService]:
    """A service in a thread of this process, on a free port of the loopback interface."""
    from service import bootstrap  # only where the command serves itself: it loads everything

    own = settings.model_copy(update={"host": "127.0.0.1", "port": 0})
    parts = bootstrap.build(own, home, reset_index=reset_index)
    server = _server(own, parts, with_console=False)
    thread = threading.Thread(target=server.run, name="service", daemon=True)
    thread.start()
    try:
        _wait_until(lambda: server.started or not thread.is_alive(), START_SECONDS)
        if not server.started:
            raise Unavailable("服务没有启动成功，详见上面的日志")
        yield RunningService(_url(own, server), home.token, 0)
    finally:
        server.should_exit = True
        thread.join()
        parts.close()


def _server(settings: Settings, parts: "Parts", *, with_console: bool = True) -> "uvicorn.Server":
    import uvicorn

    from service.app import create_app

    config = uvicorn.Config(
        create_app(parts, with_console=with_console),
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    return uvicorn.Server(config)


def _url(settings: Settings, server: "uvicorn.Server") -> str:
    port = server.servers[0].sockets[0].getsockname()[1]
    host = settings.host if settings.host in LOOPBACK else "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _holder(settings: Settings) -> RunningService:
    """The holder may still be starting: it announces itself once it answers."""
    _wait_until(lambda: running_service(settings.home) is not None, ANNOUNCE_SECONDS)
    service = running_service(settings.home)
    if service is None:
        raise HomeLocked(f"数据目录 {settings.home} 正被另一个知行进程使用，而它没有提供服务；请稍后重试")
    return service


def _wait_until(condition: Callable[[], bool], seconds: float) -> None:
    for _ in range(int(seconds / 0.05)):
        if condition():
            return
        sleep(0.05)


def _raise(response: httpx.Response) -> None:
    try:
        error = response.json()["error"]
        raise ZhixingError(error["message"], code=error["code"], details=error.get("details"))
    except (ValueError, KeyError, TypeError) as cause:
        raise Unavailable(f"服务回应 {response.status_code}") from cause
