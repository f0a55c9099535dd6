"""Sends a request until it has a response that another try would not change."""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx

from .errors import MAY_BE_DONE, PlayoutError, changes, code_of

# What comes of a request that did not reach the service.
NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
# What no other try changes.
OUR_OWN = (httpx.UnsupportedProtocol, httpx.LocalProtocolError)
# Statuses after which another try may succeed.
TRY_AGAIN = (429, 502, 503, 504)


@dataclass(frozen=True)
class Retries:
    """How often and how soon a request is sent again: exponential backoff with full jitter, after any `Retry-After`."""

    tries: int = 6
    """How often a request is sent at most."""
    first_wait: float = 0.5
    """Seconds before the second try at most; twice as many before each further one."""
    longest_wait: float = 8.0
    """Seconds before any try at most."""
    longest_retry_after: float = 60.0
    """A response that names more seconds than this ends the tries."""
    sleep: Callable[[float], None] = time.sleep
    random: Callable[[], float] = random.random

    def wait(self, failed: int, response: httpx.Response | None = None) -> bool:
        """Waits after so many failed tries; false if there is to be no other one."""
        named = retry_after(response) if response is not None else 0.0
        if failed >= self.tries or named > self.longest_retry_after:
            return False
        longest: float = min(self.longest_wait, self.first_wait * 2 ** (failed - 1))
        self.sleep(named + self.random() * longest)
        return True


def send(http: httpx.Client, request: httpx.Request, retries: Retries) -> httpx.Response:
    """Sends a request, again where that is safe and may help; returns the response, whatever its status.

    A POST gets an `Idempotency-Key`, once for all tries, so that the service does the work once.
    """
    if request.method == "POST" and "Idempotency-Key" not in request.headers:
        request.headers["Idempotency-Key"] = str(uuid.uuid4())
    failed, may_be_done = 0, False
    while True:
        failed += 1
        try:
            response = http.send(request)
        except httpx.RequestError as error:
            is_lost = not isinstance(error, NOT_SENT + OUR_OWN)
            may_be_done = may_be_done or (is_lost and changes(request))
            if not can_repeat(request, error) or not retries.wait(failed):
                raise PlayoutError.connection_failed(error, may_be_done=may_be_done) from error
            continue
        if may_be_done and request.method == "DELETE" and response.status_code == 404 and is_gone(response):
            # An earlier try, whose response was lost, removed it.
            return httpx.Response(204, headers=response.headers, request=request)
        unclear = is_unclear(response)
        may_help = response.status_code in TRY_AGAIN or code_of(response) == "idempotency_in_progress"
        # A success is one, also where its body cannot be read.
        may_be_done = may_be_done or (changes(request) and (unclear or response.is_success))
        if not may_help or (unclear and not can_repeat(request)) or not retries.wait(failed, response):
            response.extensions[MAY_BE_DONE] = may_be_done
            return response


def is_gone(response: httpx.Response) -> bool:
    """Whether the service says that what was to be removed is not there, rather than that an address is not."""
    return (code_of(response) or "").endswith("_not_found")


def is_unclear(response: httpx.Response) -> bool:
    """Whether the request may have had its effect although this is no success.

    Only the service itself says that it rejected a request: its errors have a code. Anything else may come from a proxy, while
    the service did the work. A 503 of the service without `Retry-After` means that a change was not confirmed, and what took
    too long (408) goes on.
    """
    if response.is_success:
        return False
    code, status = code_of(response), response.status_code
    is_busy = status == 503 and "retry-after" in response.headers
    goes_on = code in ("idempotency_in_progress", "request_timeout")
    return code is None or goes_on or (status >= 500 and not is_busy)


def can_repeat(request: httpx.Request, error: httpx.RequestError | None = None) -> bool:
    """Whether a request whose response is lost can be sent again.

    A change of one version (`If-Match`) without an idempotency key would be rejected, although it was made.
    """
    if isinstance(error, NOT_SENT):
        return True
    if isinstance(error, OUR_OWN):
        return False
    return "Idempotency-Key" in request.headers or "If-Match" not in request.headers


def retry_after(response: httpx.Response) -> float:
    """The seconds that a response names, 0 if it names none."""
    value = response.headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        until = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return 0.0
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max(0.0, (until - datetime.now(UTC)).total_seconds())
