"""Uploads: of small files in one request, of large ones in parts by tus 1.0.0, which go on after a cut."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

import httpx

from .errors import PlayoutError
from .generated.models import Media
from .retries import TRY_AGAIN, Retries

MIB = 1 << 20
LARGEST_IN_ONE = 16 * MIB
PART = 8 * MIB
TUS = {"Tus-Resumable": "1.0.0"}
UPLOADS = "/public/v1/media/uploads"
# Where the last part may have been received: how often the service is asked whether it has processed the file.
MOST_QUESTIONS = 60
# The statuses of the service that end an upload: what it is of cannot be received, or it is not there.
ENDED = (400, 404, 410, 413, 415, 422)
# 409: the service has other bytes than this part follows. 423: an earlier try still writes. 460: the part was damaged.
ASK_AGAIN = (408, 409, 423, 460)


class Request(Protocol):
    def __call__(self, method: str, path: str, **options: object) -> httpx.Response: ...


@dataclass
class File:
    """A file to be uploaded."""

    bytes: BinaryIO
    size: int
    name: str
    folder_id: str | None

    @classmethod
    def open(cls, path: str | os.PathLike[str], name: str | None, folder_id: str | None) -> File:
        opened = open(path, "rb")
        return cls(opened, os.fstat(opened.fileno()).st_size, name or Path(path).name, folder_id)


def in_one(request: Request, file: File) -> Media:
    """Uploads a file by one multipart request."""
    fields = {} if file.folder_id is None else {"folderId": file.folder_id}
    parts = {"file": (file.name, file.bytes, "application/octet-stream")}
    return media_of(request("POST", "/public/v1/media", data=fields, files=parts))


@dataclass
class Parts:
    """An upload in parts.

    `request` retries and raises. A part is sent by `http` once: after a cut the service is first asked how much of it was
    received.
    """

    request: Request
    http: httpx.Client
    retries: Retries
    file: File
    on_progress: Callable[[int, int], None] | None

    def upload(self, upload_id: str | None) -> Media:
        """Begins an upload or continues one, and ends with its media object."""
        upload_id, offset = (upload_id, None) if upload_id else (self.create(), 0)
        try:
            self.send_from(upload_id, offset)
            return self.finished(upload_id)
        except PlayoutError as error:
            may_go_on = error.status not in ENDED or error.code == "unexpected_response"
            error.upload_id = upload_id if may_go_on else None
            error.may_be_done = may_go_on
            raise

    def create(self) -> str:
        """Returns the ID, which is that of the media object. `Location` may have another origin than this client uses."""
        fields = {"filename": self.file.name}
        if self.file.folder_id is not None:
            fields["folderId"] = self.file.folder_id
        metadata = ",".join(f"{name} {b64encode(value.encode()).decode()}" for name, value in fields.items())
        headers = {**TUS, "Upload-Length": str(self.file.size), "Upload-Metadata": metadata}
        response = self.request("POST", UPLOADS, headers=headers)
        return response.headers["location"].rstrip("/").rsplit("/", 1)[1]

    def send_from(self, upload_id: str, offset: int | None) -> None:
        """Sends what the service lacks. Failed tries are counted from the last progress on."""
        failed, furthest = 0, -1
        while offset != self.file.size:
            if offset is None:
                offset = self.received(upload_id)
                continue
            if offset > furthest:
                failed, furthest = 0, offset
                self.report(offset)
            response: httpx.Response | None = None
            try:
                response = self.patch(upload_id, offset)
                if response.is_success:
                    offset = after(offset, response)
                    continue
                cause = PlayoutError.from_response(response)
                if response.status_code not in (*ASK_AGAIN, *TRY_AGAIN):
                    raise cause
            except httpx.RequestError as error:
                cause = PlayoutError.connection_failed(error)
                cause.__cause__ = error
            failed, offset = failed + 1, None
            if not self.retries.wait(failed, response):
                raise cause

    def patch(self, upload_id: str, offset: int) -> httpx.Response:
        self.file.bytes.seek(offset)
        part = self.file.bytes.read(PART)
        if not part:
            raise ValueError(f"{self.file.name} became shorter while it was read")
        headers = {**TUS, "Upload-Offset": str(offset), "Content-Type": "application/offset+octet-stream"}
        return self.http.patch(f"{UPLOADS}/{upload_id}", headers=headers, content=part)

    def received(self, upload_id: str) -> int:
        """How many bytes the service has."""
        try:
            response = self.request("HEAD", f"{UPLOADS}/{upload_id}", headers=TUS)
        except PlayoutError as error:
            if error.status == 404:
                # The response to a HEAD has no body; this one has the code.
                self.request("GET", f"/public/v1/media/{upload_id}")
            raise
        if int(response.headers.get("upload-length", self.file.size)) != self.file.size:
            raise ValueError(f"upload {upload_id} is of a file of another size")
        return after(-1, response)

    def finished(self, upload_id: str) -> Media:
        """The media object, which is READY with the response to the last part unless that was lost."""
        for _ in range(MOST_QUESTIONS):
            media = media_of(self.request("GET", f"/public/v1/media/{upload_id}"))
            if media.failure is not None:
                raise PlayoutError(media.failure.code, media.failure.message)
            if media.status == "READY":
                return media
            self.retries.sleep(1.0)
        raise PlayoutError("upload_not_ready", f"the service still processes the upload {upload_id}")

    def report(self, offset: int) -> None:
        if self.on_progress is not None and offset < self.file.size:
            self.on_progress(offset, self.file.size)


def after(offset: int, response: httpx.Response) -> int:
    """The offset of a response, which must be a later one."""
    value = response.headers.get("upload-offset", "")
    if not (value.isascii() and value.isdigit()) or int(value) <= offset:
        raise PlayoutError.unexpected(response)
    return int(value)


def media_of(response: httpx.Response) -> Media:
    """The media object of a response."""
    try:
        return Media.from_dict(response.json())
    except (KeyError, TypeError, ValueError) as error:
        raise PlayoutError.unexpected(response) from error
