"""What JSON Schema cannot say of a valid request, made true before it is sent.

A schema says that `mediaIds` are UUIDs; that they must name media of the workspace it cannot say. So wherever the tool
means to send a valid request, its identifiers are made to name what exists, its times to lie ahead, its new names to be
unused. Requests that are meant to be invalid go out as they are.

PLAYOUT_URL, PLAYOUT_API_KEY and PLAYOUT_ASSETS (photo-1.jpg, clip.mp4) come from the environment.
"""

import itertools
import json
import os
import urllib.request
from datetime import datetime, timedelta, timezone
from pathlib import Path

import schemathesis
from hypothesis import strategies as st

URL = os.environ["PLAYOUT_URL"]
KEY = os.environ["PLAYOUT_API_KEY"]
ASSETS = Path(os.environ["PLAYOUT_ASSETS"])
PHOTO = (ASSETS / "photo-1.jpg").read_bytes()
CLIP = (ASSETS / "clip.mp4").read_bytes()

counter = itertools.count()


def call(path, data=None, content_type=None):
    headers = {"Authorization": f"Bearer {KEY}"}
    if content_type:
        headers["Content-Type"] = content_type
    request = urllib.request.Request(f"{URL}/public/v1{path}", data=data, headers=headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def upload_photo():
    """A photo that no generated request knows of, and so none deletes by chance."""
    head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="kept.jpg"\r\n\r\n'
    form = head + PHOTO + b"\r\n--b--\r\n"
    return call("/media", form, "multipart/form-data; boundary=b")["id"]


PLATFORMS = [platform["id"] for platform in call("/platforms")["platforms"]]
KEPT = [upload_photo() for _ in range(3)]

# The five types that an upload takes (`encoding.file.contentType`).
for mime in ("image/jpeg", "image/webp", "video/mp4", "video/webm", "video/quicktime"):
    schemathesis.openapi.media_type(mime, st.just(PHOTO if mime.startswith("image") else CLIP))


def is_meant_valid(case, location):
    """Whether the tool generated this part of the request, and all of it, to be accepted."""
    return case.meta is None or not case.meta.generation.mode.is_negative


def ahead():
    return (datetime.now(timezone.utc) + timedelta(days=1 + next(counter) % 300)).isoformat()


def make_post(body):
    """A post that its platform takes, wherever the body says so at all."""
    if body.get("platformIds"):
        body["platformIds"] = PLATFORMS[: len(body["platformIds"])]
    if "content" in body and isinstance(body["content"], str):
        body["content"] = body["content"][:1000]
    if "mediaIds" in body or "mode" in body:
        body["mediaIds"] = KEPT[: max(1, len(body.get("mediaIds") or []))]
    for comment in body.get("comments") or []:
        if comment.get("mediaIds"):
            comment["mediaIds"] = KEPT[:1]
    if body.get("mode") != "draft" and "comments" in body:
        body["comments"] = []
    if body.get("scheduledFor"):
        body["scheduledFor"] = ahead()
    settings = body.get("settings")
    if isinstance(settings, dict):
        body["settings"] = {f"x-{name}": value for name, value in settings.items()}


def make_name(body):
    body["name"] = f"{next(counter)} {body['name'].strip()[:200] or 'folder'}"


def make_upload(body):
    body.pop("mimeType", None)
    body.pop("mediaType", None)
    body["file"] = PHOTO


@schemathesis.hook
def map_case(context, case):
    operation = case.operation.definition.raw.get("operationId")
    if not is_meant_valid(case, "body"):
        return case
    body = case.body
    if isinstance(body, dict):
        if operation in ("createPost", "validatePost", "updatePost", "schedulePost"):
            make_post(body)
        elif operation in ("createFolder", "renameFolder"):
            make_name(body)
        elif operation == "uploadMedia":
            make_upload(body)
    query = case.query
    if operation == "listPosts" and query and "startDate" in query and "endDate" in query:
        query["startDate"], query["endDate"] = "2026-01-01T00:00:00Z", ahead().replace("+00:00", "Z")
    return case
