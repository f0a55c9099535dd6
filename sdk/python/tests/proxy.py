"""A proxy in front of the service that loses responses, cuts requests and rejects them, as it is told to."""

from __future__ import annotations

import socket
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit


@dataclass
class Fault:
    """What happens to the next request with this method whose path ends so."""

    method: str
    path: str
    reject: tuple[int, dict[str, str], bytes] | None = None
    """The response that the proxy sends itself: status, headers, body."""
    cut_after: int | None = None
    """How many bytes of the body reach the service before both connections are closed; without it, and not rejected, the
    service does the work, and its response is lost."""


@dataclass
class Proxy:
    """The proxy; `seen` has the method, path and headers of every request."""

    target: str
    faults: list[Fault] = field(default_factory=list)
    seen: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def forward(self) -> None:
                proxy.forward(self)

            do_GET = do_HEAD = do_POST = do_PATCH = do_DELETE = forward

        proxy = self
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def count(self, method: str, path: str) -> int:
        """How many requests there were."""
        return len(self.headers_of(method, path))

    def headers_of(self, method: str, path: str) -> list[dict[str, str]]:
        """The headers of those requests, their names in lower case."""
        return [headers for name, seen, headers in self.seen if name == method and seen.endswith(path)]

    def fault_of(self, method: str, path: str) -> Fault | None:
        for fault in self.faults:
            if fault.method == method and path.endswith(fault.path):
                self.faults.remove(fault)
                return fault
        return None

    def forward(self, request: BaseHTTPRequestHandler) -> None:
        headers = {name.lower(): value for name, value in request.headers.items()}
        path = urlsplit(request.path).path
        self.seen.append((request.command, path, headers))
        fault = self.fault_of(request.command, path)
        request.close_connection = True
        left = int(headers.get("content-length", "0"))
        if fault is not None and fault.reject is not None:
            request.rfile.read(left)
            status, more, body = fault.reject
            request.send_response(status)
            for name, value in {**more, "Content-Length": str(len(body)), "Connection": "close"}.items():
                request.send_header(name, value)
            request.end_headers()
            request.wfile.write(body)
            return
        to = urlsplit(self.target)
        with socket.create_connection((to.hostname, to.port)) as service:
            kept = {name: value for name, value in headers.items() if name not in ("host", "connection")}
            head = "".join(f"{name}: {value}\r\n" for name, value in kept.items())
            start = f"{request.command} {request.path} HTTP/1.1\r\nHost: {to.netloc}\r\nConnection: close\r\n"
            service.sendall(f"{start}{head}\r\n".encode("latin-1"))
            if fault is not None and fault.cut_after is not None:
                service.sendall(request.rfile.read(min(left, fault.cut_after)))
                # A half-closed connection: the service receives all that was sent before it sees the end.
                service.shutdown(socket.SHUT_WR)
                while service.recv(65536):
                    pass
                request.connection.shutdown(socket.SHUT_RDWR)
                return
            while left > 0:
                part = request.rfile.read(min(left, 1 << 16))
                service.sendall(part)
                left -= len(part)
            while part := service.recv(1 << 16):
                if fault is None:
                    request.wfile.write(part)
            if fault is not None:
                request.connection.shutdown(socket.SHUT_RDWR)
