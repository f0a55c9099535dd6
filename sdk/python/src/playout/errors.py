"""The one exception of the client."""

from __future__ import annotations

import json
from typing import Any

import httpx


class PlayoutError(Exception):
    """A request failed: the service rejected it, or there was no response after all tries."""

    code: str
    """What went wrong, for programs: a code of the service (docs/errors.md), `connection_failed` without a response, or
    `unexpected_response` where the response is not the service's."""
    message: str
    """The same for people."""
    details: list[dict[str, Any]]
    """Of `invalid_request`, each problem with its `path`, `code` and `message`; of a limit, one entry, its figures."""
    request_id: str | None
    """The request's ID in the log of the service."""
    status: int | None
    """The status of the response, if there was one."""
    may_be_done: bool
    """Whether the change may have been made all the same: a response was lost, of this try or of an earlier one. The same request
    with `idempotency_key` is then done once."""
    idempotency_key: str | None
    """The `Idempotency-Key` of the request, the caller's or the client's own."""
    upload_id: str | None
    """Of an upload in parts that can be continued: `upload(path, resume=error.upload_id)`."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        details: list[dict[str, Any]] | None = None,
        request_id: str | None = None,
        status: int | None = None,
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.details = details or []
        self.request_id = request_id
        self.status = status
        self.may_be_done = False
        self.idempotency_key = None
        self.upload_id = None

    def __str__(self) -> str:
        if not self.may_be_done:
            return super().__str__()
        again = "" if self.idempotency_key is None else f"; the same call with idempotency_key={self.idempotency_key!r} has its effect once"
        return f"{super().__str__()} (the change may have been made all the same{again})"

    @classmethod
    def from_response(cls, response: httpx.Response) -> PlayoutError:
        """Reads the body of an error, which is not the service's own where a proxy answers."""
        try:
            body = response.json()
            code, message = str(body["code"]), str(body["message"])
        except (ValueError, KeyError, TypeError):
            return cls.unexpected(response)
        details = body.get("details") or []
        listed = details if isinstance(details, list) else [details]
        status, request_id = response.status_code, request_id_of(response)
        return cls(code, message, details=listed, request_id=request_id, status=status)._of_request(response)

    @classmethod
    def unexpected(cls, response: httpx.Response) -> PlayoutError:
        """A response that does not have the documented form."""
        message = f"status {response.status_code} with a body that is not documented: {response.text[:200]!r}"
        status, request_id = response.status_code, request_id_of(response)
        return cls("unexpected_response", message, request_id=request_id, status=status)._of_request(response)

    @classmethod
    def connection_failed(cls, error: httpx.RequestError, *, may_be_done: bool = False) -> PlayoutError:
        """No response, or only a part of one."""
        failed = cls("connection_failed", f"{type(error).__name__}: {error}")
        failed.may_be_done = may_be_done
        failed.idempotency_key = error.request.headers.get("idempotency-key")
        return failed

    def _of_request(self, response: httpx.Response) -> PlayoutError:
        """Adds what is known of the tries."""
        self.may_be_done = response.extensions.get(MAY_BE_DONE, False)
        self.idempotency_key = response.request.headers.get("idempotency-key")
        return self


MAY_BE_DONE = "playout_may_be_done"
"""The extension of a response that is true where an earlier try, whose response was lost, may have made the change."""


def changes(request: httpx.Request) -> bool:
    """Whether a request changes something."""
    return request.method not in ("GET", "HEAD", "OPTIONS")


def request_id_of(response: httpx.Response) -> str | None:
    """The request's ID, which every response of the service carries."""
    value: str | None = response.headers.get("x-request-id")
    return value


def code_of(response: httpx.Response) -> str | None:
    """The code of an error, `None` where the body has none."""
    try:
        body = response.json()
    except (json.JSONDecodeError, UnicodeDecodeError):
        return None
    code = body.get("code") if isinstance(body, dict) else None
    return code if isinstance(code, str) else None
