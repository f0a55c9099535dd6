"""What JSON Schema cannot say of a valid request, made true before it is sent.

A schema says that `mediaIds` are UUIDs; that they must name media of the workspace it cannot say. So wherever the tool
means to send a valid request, its identifiers are made to name what exists, its times to lie ahead, its new names to be
unused. Requests that are meant to be invalid go out as they are.

PLAYOUT_API_URL, PLAYOUT_API_KEY, PLAYOUT_ASSETS (which has photo-1.jpg) and PLAYOUT_MODEL_PORT (where the service looks for a
language model) come from the environment.
"""

import contextlib
import copy
import itertools
import json
import os
import threading
import urllib.error
import urllib.request
import uuid
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import schemathesis
from hypothesis import strategies as st
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import ComponentInfo

URL = os.environ["PLAYOUT_API_URL"]
KEY = os.environ["PLAYOUT_API_KEY"]
ASSETS = Path(os.environ["PLAYOUT_ASSETS"])
PHOTO = (ASSETS / "photo-1.jpg").read_bytes()

RUN = os.urandom(3).hex()
counter = itertools.count()


def call(path, data=None, content_type=None):
    headers = {"Authorization": f"Bearer {KEY}"}
    if content_type:
        headers["Content-Type"] = content_type
    request = urllib.request.Request(f"{URL}/public/v1{path}", data=data, headers=headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def tell(path, data, headers=None):
    """POSTs JSON outside of the public API."""
    headers = {"Content-Type": "application/json", **(headers or {})}
    request = urllib.request.Request(f"{URL}{path}", data=json.dumps(data).encode(), headers=headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def sign_up():
    """Somebody who may approve devices: what they send with each request."""
    begun = tell("/app/v1/auth/sign-up", {"email": f"{uuid.uuid4()}@example.org", "password": str(uuid.uuid4())})
    return {"Authorization": f"Bearer {begun['token']}", "x-organization-id": begun["organizations"][0]["id"]}


# A user who sends wrong codes is soon blocked, so another one approves what must be approved.
PERSON = sign_up()
APPROVERS, approved = [], itertools.count()


class Model(BaseHTTPRequestHandler):
    """A language model that writes as many captions as it is asked for."""

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        content = asked["messages"][1]["content"]
        document = json.loads(content if isinstance(content, str) else content[0]["text"])
        captions = {"caption": "Kites #wind", "slides": ["Kite"] * document["slideCount"]}
        message = {"role": "assistant", "content": json.dumps(captions)}
        answer = json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


model = ThreadingHTTPServer(("127.0.0.1", int(os.environ["PLAYOUT_MODEL_PORT"])), Model)
threading.Thread(target=model.serve_forever, daemon=True).start()


class Bearer:
    """Sends a token. The tool takes it away to see whether it is asked for."""

    token = KEY

    def get(self, case, context):
        return self.token

    def set(self, case, data, context):
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}


@schemathesis.auth().apply_to(path_regex=r"^/public/")
class Program(Bearer):
    pass


@schemathesis.auth().apply_to(path_regex=r"^/auth/device/(approve|deny|\{userCode\})$")
class Person(Bearer):
    token = PERSON["Authorization"].removeprefix("Bearer ")


def upload_photo():
    head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="photo.jpg"\r\n\r\n'
    form = head + PHOTO + b"\r\n--b--\r\n"
    return call("/media", form, "multipart/form-data; boundary=b")


def photos(count):
    """Photos that exist now: generated requests may have deleted those of a moment ago."""
    found = call("/media?mediaType=image&limit=3")["media"]
    ready = [media["id"] for media in found if media["status"] == "READY"]
    return (ready or [upload_photo()["id"]])[: max(1, count)]


# No bytes are a beginning of any upload.
schemathesis.openapi.media_type("application/offset+octet-stream", st.just(b""))

PLATFORMS = [platform["id"] for platform in call("/platforms")["platforms"]]


def is_meant_valid(case):
    """Whether the tool generated all of the request to be accepted."""
    if case.meta is None:
        return True
    parts = case.meta.components.values()
    return not case.meta.generation.mode.is_negative and not any(part.mode.is_negative for part in parts)


def ahead():
    return (datetime.now(timezone.utc) + timedelta(days=1 + next(counter) % 300)).strftime("%Y-%m-%dT%H:%M:%SZ")


def without_nul(value):
    """No database keeps U+0000, and no schema can forbid it at every depth."""
    if isinstance(value, str):
        return value.replace("\0", "")
    if isinstance(value, list):
        return [without_nul(item) for item in value]
    if isinstance(value, dict):
        return {without_nul(name): without_nul(item) for name, item in value.items()}
    return value


def make_post(body):
    """A post that its platform takes, wherever the body says so at all."""
    if body.get("platformIds"):
        body["platformIds"] = PLATFORMS[: len(body["platformIds"])]
    if "content" in body and isinstance(body["content"], str):
        body["content"] = body["content"][:1000]
    if "mediaIds" in body or "mode" in body:
        body["mediaIds"] = photos(len(body.get("mediaIds") or []))
    if body.get("comments"):
        body["comments"] = []
    if body.get("scheduledFor"):
        body["scheduledFor"] = ahead()
    settings = body.get("settings")
    if isinstance(settings, dict):
        kept = {f"x-{name}": value for name, value in without_nul(settings).items()}
        # No schema can count the values at all depths.
        body["settings"] = kept if len(json.dumps(kept)) < 400 else {}


def can_be_sent(post, operation):
    """Whether a request may be accepted for it: not for a post of the demo whose account is switched off or disconnected, nor, where
    it is to go out, for a draft without media."""
    with contextlib.suppress(urllib.error.HTTPError, ValueError):
        root = call(f"/posts/{post}")["root"]
        return root["integrationId"] in PLATFORMS and (operation == "updatePost" or bool(root["mediaIds"]))
    return True


def make_mark(body):
    """The word of a person alone: an ID or an address must be that of a post which is out."""
    body.update({name: None for name in ("releaseId", "releaseUrl") if name in body})


def make_name(body):
    body["name"] = f"{RUN} {next(counter)} {body['name'].strip()[:200] or 'folder'}"


def make_upload(body):
    name = body.get("fileName")
    body.clear()
    body["file"] = PHOTO
    if name:
        body["fileName"] = name


def mark_valid(case):
    """The tool compares no bytes with a schema: it takes a body for invalid as soon as a hook has put any into it."""
    case.meta.components[ParameterLocation.BODY] = ComponentInfo(mode=schemathesis.GenerationMode.POSITIVE)
    case.meta.generation.mode = schemathesis.GenerationMode.POSITIVE


def make_move(body):
    if body.get("fileName"):
        body["fileName"] = f"photo {next(counter)}.jpg"
    if body.get("folderId") not in (None, "null"):
        folders = call("/media/folders")["folders"]
        body["folderId"] = folders[0]["id"] if folders else None


def approver():
    """Whose workspace has room for another key: it can have fifty, and each device gets one."""
    if next(approved) % 40 == 0:
        APPROVERS.append(sign_up())
    return APPROVERS[-1]


def make_device(case, operation):
    """A device that waits for the person, or that was let in already."""
    codes = tell("/auth/device/start", {})
    if operation == "getDevice":
        case.path_parameters = {**case.path_parameters, "userCode": codes["user_code"]}
    elif operation == "pollDevice":
        tell("/auth/device/approve", {"userCode": codes["user_code"]}, approver())
        case.body["device_code"] = codes["device_code"]
    else:
        case.body["userCode"] = codes["user_code"]
        if "x-organization-id" in (case.headers or {}):
            case.headers["x-organization-id"] = PERSON["x-organization-id"]


def caption(text):
    """One that fits on a slide, whatever the tool made up."""
    return " ".join(text.split())[:40]


def make_slides(body):
    for index, slide in enumerate(body["slides"]):
        slide.update(index=index, mediaId=photos(1)[0], caption=caption(slide["caption"]))
    del body["slides"][3:]


def make_preview(body):
    body.update(mediaId=photos(1)[0], caption=caption(body["caption"]))


def make_captions(body):
    body["userRequest"] = body["userRequest"].strip() or "kites"
    if body.get("mediaIds"):
        body["mediaIds"] = photos(len(body["mediaIds"]))


def make_webhook(body):
    """An address at which nobody ever is (RFC 6761), in a workspace that has room for another."""
    if body.get("url"):
        body["url"] = f"https://kites.invalid/{next(counter)}"
    webhooks = call("/webhooks")["webhooks"]
    for webhook in webhooks[: max(0, len(webhooks) - 10)]:
        path = f"{URL}/public/v1/webhooks/{webhook['id']}"
        gone = urllib.request.Request(path, headers={"Authorization": f"Bearer {KEY}"}, method="DELETE")
        with contextlib.suppress(urllib.error.HTTPError):
            urllib.request.urlopen(gone).close()


def make_import(body):
    """An address at which there is never a file (RFC 6761), in a workspace that has room for another."""
    if body.get("url"):
        body["url"] = f"https://kites.invalid/{next(counter)}.mp4"
    make_move(body)
    make_room()


def make_room():
    """Ends uploads that nobody goes on with: a workspace has only so many."""
    pending = [media["id"] for media in call("/media")["media"] if media["status"] == "PENDING"]
    for upload in pending[50:]:
        path = f"{URL}/public/v1/media/{upload}"
        gone = urllib.request.Request(path, headers={"Authorization": f"Bearer {KEY}"}, method="DELETE")
        with contextlib.suppress(urllib.error.HTTPError):
            urllib.request.urlopen(gone).close()


def make_bytes(headers):
    """An upload that its plan allows, of a file that its bytes may turn out to be."""
    headers.pop("Upload-Checksum", None)
    if "Upload-Length" in headers:
        headers["Upload-Length"] = str(len(PHOTO))
        headers.pop("Upload-Metadata", None)


@schemathesis.hook
def before_call(context, case, kwargs):
    operation = case.operation.definition.raw.get("operationId")
    # A version that the resource has: any of them.
    if "If-Match" in (case.headers or {}):
        case.headers["If-Match"] = "*"
    if not is_meant_valid(case):
        return
    # The tool sends parts of one request again in others: what is changed must be a copy.
    if isinstance(case.body, dict):
        body = case.body = copy.deepcopy(case.body)
        if operation in ("createPost", "validatePost", "updatePost", "schedulePost"):
            make_post(body)
            if operation == "updatePost":
                # Only a draft's time is changed with its contents.
                body.pop("scheduledFor", None)
        elif operation == "markPostPublished":
            make_mark(body)
        elif operation in ("createFolder", "renameFolder"):
            make_name(body)
        elif operation == "uploadMedia":
            make_upload(body)
            if case.meta is not None:
                mark_valid(case)
        elif operation == "updateMedia":
            make_move(body)
        elif operation == "importMedia":
            make_import(body)
        elif operation == "compositeSlides":
            make_slides(body)
        elif operation == "previewSlide":
            make_preview(body)
        elif operation == "proposeCaptions":
            make_captions(body)
        elif operation in ("createWebhook", "updateWebhook"):
            make_webhook(body)
    if operation in ("getDevice", "approveDevice", "denyDevice", "pollDevice"):
        make_device(case, operation)
    # The tool follows references from one answer to the next request, also those that lead nowhere.
    for name, value in (case.path_parameters or {}).items():
        if value in (None, "None"):
            case.path_parameters = {**case.path_parameters, name: str(uuid.uuid4())}
    if operation in ("updatePost", "schedulePost", "publishPost"):
        if not can_be_sent(case.path_parameters["id"], operation):
            case.path_parameters = {**case.path_parameters, "id": str(uuid.uuid4())}
    if "Idempotency-Key" in (case.headers or {}):
        case.headers["Idempotency-Key"] = f"{RUN}-{next(counter)}"
    if operation == "createUpload":
        make_room()
    if operation in ("createUpload", "appendToUpload"):
        make_bytes(case.headers)
    if operation == "listPosts" and isinstance(case.query, dict):
        query = case.query = copy.deepcopy(case.query)
        if "startDate" in query and "endDate" in query:
            query["startDate"], query["endDate"] = "2026-01-01T00:00:00Z", ahead()
