"""A server that receives the deliveries of a webhook."""

from __future__ import annotations

import json
import queue
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Receiver:
    """`url` is for the webhook; `next` waits for one."""

    def __init__(self) -> None:
        deliveries: queue.Queue[tuple[bytes, dict[str, str]]] = queue.Queue()

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                deliveries.put((body, dict(self.headers.items())))
                self.send_response(204)
                self.end_headers()

        self.deliveries = deliveries
        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{server.server_port}/playout"
        threading.Thread(target=server.serve_forever, daemon=True).start()

    def next(self, kind: str, about: str | None = None) -> tuple[bytes, dict[str, str]]:
        """The body and the headers of the next delivery of this event, about this object; others have events, too."""
        while True:
            body, headers = self.deliveries.get(timeout=300)
            event = json.loads(body)
            if event["type"] == kind and about in (None, event["data"].get("id")):
                return body, headers
