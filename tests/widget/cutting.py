"""A line that breaks: a TCP relay which hangs up in the middle of an answer."""

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

ARRIVAL_SECONDS = 0.5  # a browser drops what it has not read when a line breaks
TEXT = b"event: delta"
FIRST_EVENT = b"\nid: 1\r"  # of its own line: the id of a message or a request may begin with 1 as well
_CHAT = b"POST /api/v1/chat "
_RESUME = re.compile(
    rb"^GET /api/v1/messages/[^/]+/events (?:.*?^last-event-id: (\d+)\r$)?", re.I | re.S | re.M
)


class CuttingRelay:
    """Passes bytes on to `service`; the next `cuts` chat streams break off where `cut_at` begins, the text.

    `patience`: seconds the line stays silent before it breaks.
    `resumed_after`: the event numbers after which a client asked for the rest, 0 for all of it.
    """

    def __init__(self, service: str) -> None:
        target = urlsplit(service)
        self._target = (str(target.hostname), int(target.port or 80))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._closing = threading.Event()
        self.cuts = 0
        self.cut_at = TEXT
        self.patience = ARRIVAL_SECONDS
        self.resumed_after: list[int] = []
        self._thread = threading.Thread(target=self._accept)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def close(self) -> None:
        self._closing.set()
        with socket.create_connection(self._listener.getsockname()):
            pass  # wakes `accept`
        self._thread.join()
        self._listener.close()

    def _accept(self) -> None:
        workers: list[threading.Thread] = []
        while True:
            client, _ = self._listener.accept()
            if self._closing.is_set():
                client.close()
                break
            workers.append(threading.Thread(target=self._relay, args=(client,)))
            workers[-1].start()
        for worker in workers:
            worker.join()

    def _relay(self, client: socket.socket) -> None:
        """One request a connection: the relay asks both sides to close after it."""
        with client, socket.create_connection(self._target) as service:
            request = _read_request(client)
            if request:
                service.sendall(request.replace(b"\r\n", b"\r\nConnection: close\r\n", 1))
                self._answer(request, service, client)

    def _answer(self, request: bytes, service: socket.socket, client: socket.socket) -> None:
        if resume := _RESUME.match(request):
            self.resumed_after.append(int(resume[1] or 0))
        cutting = request.startswith(_CHAT) and self.cuts > 0
        self.cuts -= cutting
        for piece in _pieces(service):
            passed = piece.partition(self.cut_at)[0] if cutting else piece
            try:
                client.sendall(passed)
            except OSError:
                return  # the browser has left
            if passed != piece:
                self._closing.wait(self.patience)
                return


def _read_request(client: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        piece = client.recv(65536)
        if not piece:
            return b""
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    missing = (int(lengths[0].split(b":")[1]) if lengths else 0) - len(body)
    while missing > 0:
        piece = client.recv(65536)
        data += piece
        missing -= len(piece)
    return data


def _pieces(source: socket.socket) -> Iterator[bytes]:
    while piece := source.recv(65536):
        yield piece


@contextmanager
def cutting_relay(service: str) -> Iterator[CuttingRelay]:
    relay = CuttingRelay(service)
    try:
        yield relay
    finally:
        relay.close()
