"""What a command sends to the service that it found."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

from service.cli.running import Client
from service.home import RunningService


class Echo(BaseHTTPRequestHandler):
    """Answers with the body it got."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        """Nothing: the test tells."""


@contextmanager
def echoing() -> Iterator[Client]:
    server = HTTPServer(("127.0.0.1", 0), Echo)
    thread = Thread(target=server.serve_forever)
    thread.start()
    client = Client(RunningService(f"http://127.0.0.1:{server.server_port}", "token", 1))
    try:
        yield client
    finally:
        client.close()
        server.shutdown()
        thread.join()
        server.server_close()


def test_bytes_of_a_terminal_that_are_no_text_are_sent_as_the_sign_for_them() -> None:
    said = b"\xff\xfe \xe6\x80\xa5".decode(errors="surrogateescape")
    with echoing() as client:
        assert client.post("/api/v1/process-cases", {"message": said}) == {"message": "\ufffd\ufffd 急"}
        assert client.post("/", {said: [said]}) == {"\ufffd\ufffd 急": ["\ufffd\ufffd 急"]}
