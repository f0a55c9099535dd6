"""A response with its headers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

import httpx

T = TypeVar("T")


@dataclass(frozen=True)
class Response(Generic[T]):
    """A successful response."""

    parsed: T
    """The body; `None` where there is none."""
    status: int
    headers: httpx.Headers

    @classmethod
    def of(cls, response: httpx.Response, parsed: T) -> Response[T]:
        return cls(parsed, response.status_code, response.headers)

    @property
    def etag(self) -> str | None:
        """The version of the resource, for `if_match`."""
        value: str | None = self.headers.get("etag")
        return value

    @property
    def replayed(self) -> bool:
        """Whether this is the stored response of an earlier request with the same idempotency key."""
        return str(self.headers.get("idempotency-replayed")) == "true"

    @property
    def request_id(self) -> str | None:
        """The request's ID in the log of the service."""
        value: str | None = self.headers.get("x-request-id")
        return value
