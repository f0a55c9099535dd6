"""What the service sends to a webhook, for every event that the reference lists, against the schema of that event.

PLAYOUT_API_URL names a running service that takes new users and sends webhooks to 127.0.0.1, PLAYOUT_SIMULATOR_URL its provider
simulator, PLAYOUT_ASSETS the folder of the demo's files. The last line printed is `N passed, N failed`.
"""

import copy
import json
import os
import sys
import threading
import time
import uuid
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
from jsonschema import Draft202012Validator, FormatChecker

URL, SIMULATOR = os.environ["PLAYOUT_API_URL"], os.environ["PLAYOUT_SIMULATOR_URL"]
ASSETS = Path(os.environ["PLAYOUT_ASSETS"])
DOCUMENT = json.loads((Path(__file__).parents[2] / "openapi.json").read_text())
# How long an event may take to arrive; the machine may be busy.
PATIENCE = 300
RUN = uuid.uuid4().hex[:8]


def closed(schema):
    """The schema with objects that have no other fields than those that it lists, so that an undocumented one is an error."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: closed(value) for name, value in schema.items()}
    if schema.get("type") == "object" and "properties" in schema:
        inner.setdefault("additionalProperties", False)
    return inner


SCHEMAS = closed(copy.deepcopy(DOCUMENT["components"]))


def validator_of(event):
    """Validates the body of an event, with all that the document defines."""
    body = event["post"]["requestBody"]["content"]["application/json"]["schema"]
    schema = {"$schema": Draft202012Validator.META_SCHEMA["$id"], "components": SCHEMAS, **body}
    return Draft202012Validator(schema, format_checker=FormatChecker())


VALIDATORS = {name: validator_of(event) for name, event in DOCUMENT["webhooks"].items()}
assert {"date-time", "uuid"} <= set(FormatChecker().checkers), "formats are not checked"


class Receiver(BaseHTTPRequestHandler):
    """Keeps what the webhook receives: the bodies, and the headers that each must have."""

    bodies = []
    lacking = []
    arrived = threading.Condition()

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        names = [header["name"] for header in DOCUMENT["webhooks"][body["type"]]["post"]["parameters"]]
        self.lacking.extend((body["type"], name) for name in names if not self.headers[name])
        with self.arrived:
            self.bodies.append(body)
            self.arrived.notify_all()
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def wait_for(kind, about, count=1):
    """Waits until so many events of this kind have come about an object; returns the `data` of the last one."""

    def found():
        return [body["data"] for body in Receiver.bodies if body["type"] == kind and about in body["data"].values()]

    with Receiver.arrived:
        if not Receiver.arrived.wait_for(lambda: len(found()) >= count, PATIENCE):
            raise AssertionError(f"no {kind} of {about} among {[body['type'] for body in Receiver.bodies]}")
        return found()[-1]


def answered(response, *statuses):
    assert response.status_code in (statuses or (200, 201, 202, 204)), f"{response.request.url}: {response.text}"
    return response.json() if response.content else None


class Person(httpx.Client):
    """Someone with a session and a workspace of their own, and an account at the provider."""

    def __init__(self):
        super().__init__(base_url=URL, timeout=60)
        credentials = {"email": f"{RUN}@example.org", "password": str(uuid.uuid4())}
        begun = answered(self.post("/app/v1/auth/sign-up", json=credentials))
        self.headers["Authorization"] = f"Bearer {begun['token']}"
        self.headers["x-organization-id"] = begun["organizations"][0]["id"]

    def key(self):
        return answered(self.post("/app/v1/keys", json={"name": "webhooks"}))["key"]

    def connect(self, account, connection):
        """Connects an account as its owner does: the link, the consent at the provider, and the way back."""
        body = {"provider": "tiktok", "connection": connection}
        link = answered(self.post("/app/v1/platforms/connect", json=body))["authorizationUrl"]
        form = {"account": account, "decision": "approve"}
        agreed = httpx.post(link, data=form, follow_redirects=False, timeout=60)
        back = self.get(agreed.headers["location"])
        assert back.status_code in (200, 303), back.text


def simulator(path, body):
    answered(httpx.post(f"{SIMULATOR}/sim/{path}", json=body, timeout=60))


class Story:
    """Makes every event happen in a workspace of its own."""

    def __init__(self, receiver):
        self.person = Person()
        key = {"Authorization": f"Bearer {self.person.key()}"}
        self.api = httpx.Client(base_url=f"{URL}/public/v1", headers=key, timeout=60)
        body = {"url": receiver, "events": sorted(set(DOCUMENT["webhooks"]) - {"webhook.test"})}
        self.webhook = answered(self.api.post("/webhooks", json=body))["id"]

    def tell(self):
        self.test()
        creator = self.account("creator")
        photo, _ = self.files()
        self.plans(creator, photo)
        self.publishes(creator, photo)
        self.comments(photo)
        self.loses(creator)

    def test(self):
        answered(self.api.post(f"/webhooks/{self.webhook}/test"))
        wait_for("webhook.test", self.webhook)

    def account(self, connection):
        name = f"{connection}{RUN}"
        simulator("accounts", {"username": name})
        self.person.connect(name, connection)
        return wait_for("platform.connected", name)["id"]

    def files(self):
        media = []
        for name in ("photo-1.jpg", "clip.mp4"):
            sent = answered(self.api.post("/media", files={"file": (name, (ASSETS / name).read_bytes())}))
            media.append(wait_for("media.ready", sent["id"])["id"])
        noise = b"\x89PNG\r\n\x1a\n" + bytes(1000)
        headers = {"Tus-Resumable": "1.0.0", "Upload-Length": str(len(noise))}
        bytes_of = {"Content-Type": "application/offset+octet-stream"}
        begun = self.api.post("/media/uploads", headers=headers)
        answered(begun)
        upload = begun.headers["location"].rsplit("/", 1)[1]
        part = {**headers, **bytes_of, "Upload-Offset": "0"}
        answered(self.api.patch(f"/media/uploads/{upload}", headers=part, content=noise), 400)
        assert wait_for("media.failed", upload)["failure"]["code"] == "invalid_media_file"
        return media

    def post(self, account, content, media, **more):
        body = {"platformIds": [account], "content": f"{content} {RUN}", "mediaIds": media, **more}
        result = answered(self.api.post("/posts", json=body))["results"][0]
        assert result["status"] == "created", result
        root = result["post"]["root"]["id"]
        wait_for("post.created", root)
        return root, [child["id"] for child in result["post"]["children"]]

    def plans(self, account, photo):
        settings = {"privacy_level": "SELF_ONLY", "is_aigc": True, "kite": {"tail": 3}}
        post, _ = self.post(account, "Planned", [photo], mode="draft", settings=settings)
        answered(self.api.patch(f"/posts/{post}", json={"content": f"Planned anew {RUN}"}))
        assert wait_for("post.updated", post)["content"] == f"Planned anew {RUN}"
        tomorrow = (datetime.now(timezone.utc) + timedelta(days=1)).isoformat()
        answered(self.api.patch(f"/posts/{post}/schedule", json={"scheduledFor": tomorrow}))
        wait_for("post.queued", post)
        answered(self.api.post(f"/posts/{post}/unschedule"))
        wait_for("post.unscheduled", post)
        answered(self.api.delete(f"/posts/{post}"))
        wait_for("post.deleted", post)

    def publishes(self, account, photo):
        private = {"privacy_level": "SELF_ONLY"}
        out, _ = self.post(account, "Out", [photo], mode="now", settings={"privacy_level": "PUBLIC_TO_EVERYONE"})
        wait_for("post.published", out)
        simulator("fates", {"reason": "spam_risk_text", "captionContains": f"#spam {RUN}", "times": 1})
        failed, _ = self.post(account, "#spam", [photo], mode="now", settings=private)
        assert wait_for("post.failed", failed)["errorText"]
        inbox, _ = self.post(account, "Inbox", [photo], mode="now", settings={"post_mode": "MEDIA_UPLOAD"})
        assert wait_for("post.action_required", inbox)["errorText"]

    def comments(self, photo):
        account = self.account("business")
        comments = [{"content": f"First {RUN}", "delayInMinutes": 0}]
        public = {"privacy_level": "PUBLIC_TO_EVERYONE", "allow_comment": True}
        root, children = self.post(account, "Open", [photo], mode="now", settings=public, comments=comments)
        wait_for("post.published", root)
        assert wait_for("post.published", children[0])["parentPostId"] == root

    def loses(self, account):
        simulator(f"accounts/creator{RUN}/revoke", {"reason": 1})
        assert wait_for("platform.refresh_needed", account)["refreshNeeded"]
        self.person.connect(f"creator{RUN}", "creator")
        wait_for("platform.connected", account, count=2)
        answered(self.person.delete(f"/app/v1/platforms/{account}"))
        wait_for("platform.disconnected", account)


def wrong(body):
    """Bodies that are not of this event: another type, a field missing, a field that is not documented, a time that is none."""
    fields = body["data"]
    yield {**body, "type": "kite.risen"}
    yield {**body, "timestamp": "yesterday"}
    yield {**body, "data": {**fields, "undocumented": 1}}
    for name in fields:
        yield {**body, "data": {key: value for key, value in fields.items() if key != name}}


def main():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    began = time.monotonic()
    Story(f"http://127.0.0.1:{server.server_port}/").tell()
    print(f"{len(Receiver.bodies)} events in {time.monotonic() - began:.0f} s")
    failures = [f"{kind} has no {name}" for kind, name in Receiver.lacking]
    failures += [f"no {kind} was sent" for kind in VALIDATORS.keys() - {body["type"] for body in Receiver.bodies}]
    for body in Receiver.bodies:
        validator = VALIDATORS[body["type"]]
        failures += [f"{body['type']} {error.json_path}: {error.message}" for error in validator.iter_errors(body)]
        failures += [f"{body['type']} may be {other}" for other in wrong(body) if validator.is_valid(other)]
    for failure in failures:
        print(f"FAILED {failure}")
    print(f"{len(VALIDATORS)} passed, 0 failed" if not failures else f"0 passed, {len(failures)} failed")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
