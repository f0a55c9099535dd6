"""The client."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.metadata import version
from types import ModuleType
from typing import Any, Self
from uuid import UUID

import httpx

from . import uploads
from .errors import PlayoutError
from .generated.client import Client
from .generated.models import Media
from .operations import DetailedOperations, Operations
from .responses import Response
from .retries import Retries, send

# A model that writes captions takes most of a minute.
TIMEOUT = httpx.Timeout(90.0, connect=10.0)


class Playout(Operations):
    """A client of one workspace, for one service and one API key. Threads may share it.

    Without arguments it reads `PLAYOUT_API_URL` and `PLAYOUT_API_KEY`. Each operation of the API is a method, which
    raises `PlayoutError`; `with_response` has the same methods with the headers of the response. Requests are sent again
    where that is safe, creating ones with an idempotency key that is kept over all tries.
    """

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        retries: Retries = Retries(),
        timeout: httpx.Timeout | float = TIMEOUT,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        address = base_url or os.environ.get("PLAYOUT_API_URL")
        key = api_key or os.environ.get("PLAYOUT_API_KEY")
        if not address or not key:
            raise ValueError("Playout needs base_url and api_key, or PLAYOUT_API_URL and PLAYOUT_API_KEY")
        headers = {"Authorization": f"Bearer {key}", "User-Agent": f"playout-python/{version('playout')}"}
        self._http = httpx.Client(base_url=address.rstrip("/"), headers=headers, timeout=timeout, transport=transport)
        self._retries = retries
        # The generated code reads its options alone.
        self._options = Client(base_url=address)
        super().__init__(DetailedOperations(self._call))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Sends any request, with what `httpx.Client.request` takes, and raises `PlayoutError` where it is rejected."""
        response = send(self._http, self._http.build_request(method, path, **options), self._retries)
        if response.is_success:
            return response
        raise PlayoutError.from_response(response)

    def upload(
        self,
        path: str | os.PathLike[str],
        *,
        file_name: str | None = None,
        folder_id: UUID | str | None = None,
        resume: str | None = None,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> Media:
        """Uploads a file and returns its READY media object.

        A large one goes in parts, and goes on where it was cut. Where all tries fail, the error's `upload_id` continues
        it: `upload(path, resume=error.upload_id)`, for 24 hours. `on_progress` gets the bytes received and those in all.
        """
        file = uploads.File.open(path, file_name, None if folder_id is None else str(folder_id))
        with file.bytes:
            if resume is None and file.size <= uploads.LARGEST_IN_ONE:
                media = uploads.in_one(self.request, file)
            else:
                parts = uploads.Parts(self.request, self._http, self._retries, file, on_progress)
                media = parts.upload(resume)
        if on_progress is not None:
            on_progress(file.size, file.size)
        return media

    def _call(self, operation: ModuleType, arguments: dict[str, Any]) -> Response[Any]:
        """Sends the request of a generated module and reads the response as it does."""
        kwargs: dict[str, Any] = operation._get_kwargs(**arguments)
        response = self.request(kwargs.pop("method"), kwargs.pop("url"), **kwargs)
        if response.status_code == 204:
            return Response.of(response, None)
        try:
            parsed = operation._parse_response(client=self._options, response=response)
        except (KeyError, TypeError, ValueError) as error:
            raise PlayoutError.unexpected(response) from error
        return Response.of(response, parsed)
