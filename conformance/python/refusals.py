"""Requests that are refused before their bodies are read, among good ones, over the kept connections of an httpx pool: none
may fail by a connection that was closed under it.

PLAYOUT_API_URL names a running service, PLAYOUT_API_KEY a key of it. The last line printed is `N passed, N failed`.
"""

import os
import sys
from concurrent.futures import ThreadPoolExecutor

import httpx

URL = os.environ["PLAYOUT_API_URL"]
COUNT = 2_000
KEY = {"Authorization": f"Bearer {os.environ['PLAYOUT_API_KEY']}"}
JSON = {"Content-Type": "application/json"}


def chunks(size):
    """Sent without its length."""
    for _ in range(size // 1000):
        yield b"a" * 1000


# The status that each must have: method, path, headers, and what makes the body.
REQUESTS = [
    (200, "GET", "/healthz", {}, lambda: None),
    (401, "POST", "/public/v1/posts", JSON, lambda: b"a" * 300),
    (401, "POST", "/public/v1/posts", JSON, lambda: chunks(30_000)),
    (404, "POST", "/public/v1/nothing", KEY | JSON, lambda: b"a" * 60_000),
    (200, "GET", "/public/v1/platforms", KEY, lambda: None),
    (405, "PUT", "/healthz", JSON, lambda: b"a" * 300),
    (415, "POST", "/public/v1/posts", KEY | {"Content-Type": "text/plain"}, lambda: b"a" * 300),
    (200, "GET", "/healthz", {}, lambda: None),
]


def send(client, number):
    status, method, path, headers, body = REQUESTS[number % len(REQUESTS)]
    try:
        answer = client.request(method, URL + path, headers=headers, content=body())
    except httpx.HTTPError as error:
        return f"{number}: {error!r}"
    return None if answer.status_code == status else f"{number}: {answer.status_code} instead of {status}"


with httpx.Client(trust_env=False, timeout=300) as client, ThreadPoolExecutor(8) as pool:
    failures = [failure for failure in pool.map(lambda number: send(client, number), range(COUNT)) if failure]
print(f"{len(failures)} of {COUNT} requests failed, by httpx")
for failure in failures[:10]:
    print(f"  {failure}")
print(f"{0 if failures else 1} passed, {1 if failures else 0} failed")
sys.exit(bool(failures))
