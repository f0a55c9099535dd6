"""The installed wheel against a running service: everything that its README says.

PLAYOUT_API_URL and PLAYOUT_API_KEY name the service and a key of it, PLAYOUT_ASSETS the folder of the demo's files. The service
sends webhooks to 127.0.0.1. The last line printed is `N passed, N failed`.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
import uuid
from collections.abc import Callable
from functools import partial
from importlib.metadata import metadata, version
from pathlib import Path

import httpx
from proxy import Fault, Proxy
from receiver import Receiver

import playout as package
from playout import Playout, PlayoutError, Retries, UnknownEvent, WebhookVerificationError, verify_webhook
from playout.models import (
    CreatePost,
    CreateResultCreated,
    CreateWebhook,
    NameFolder,
    Post,
    PostPublishedEvent,
    TikTokSettings,
    ValidateResultValid,
    WebhookTestEvent,
)
from playout.webhooks import signature

URL, KEY = os.environ["PLAYOUT_API_URL"], os.environ["PLAYOUT_API_KEY"]
ASSETS = Path(os.environ["PLAYOUT_ASSETS"])
MIB = 1 << 20
NOWHERE = "019aa124-7a00-7000-8000-00000000dead"
client = Playout(URL, KEY)


class Waits(list[float]):
    """The seconds that a client would have waited."""

    def retries(self, tries: int = 6) -> Retries:
        return Retries(tries=tries, sleep=self.append, random=lambda: 1.0)


def scripted(*responses: httpx.Response | httpx.RequestError) -> tuple[Playout, list[httpx.Request], Waits]:
    """A client whose requests have these responses, those requests, and its waits."""
    requests, waits, left = list[httpx.Request](), Waits(), list(responses)

    def answer(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        response = left.pop(0)
        if isinstance(response, httpx.RequestError):
            raise response
        return response

    return Playout(URL, KEY, retries=waits.retries(), transport=httpx.MockTransport(answer)), requests, waits


def failure(call: Callable[[], object]) -> PlayoutError:
    try:
        call()
    except PlayoutError as error:
        return error
    raise AssertionError("it succeeded")


def error_of(status: int, code: str, **headers: str) -> httpx.Response:
    return httpx.Response(status, json={"code": code, "message": code}, headers=headers)


def account() -> uuid.UUID:
    """Not the first one, on which other programs publish: an account takes fifteen posts a day."""
    return client.list_platforms().platforms[-1].id


def draft(text: str) -> CreatePost:
    return CreatePost(platform_ids=[account()], content=text, mode="draft")


def drafts_with(text: str) -> list[Post]:
    return list(client.list_posts(q=text).posts)


def video(path: Path, size: int) -> Path:
    """A real video of so many bytes: the demo's clip, with a `free` box of noise after it."""
    clip = (ASSETS / "clip.mp4").read_bytes()
    length = size - len(clip)
    path.write_bytes(clip + length.to_bytes(4, "big") + b"free" + os.urandom(length - 8))
    return path


def settled(post: uuid.UUID) -> Post:
    for _ in range(3000):
        root = client.get_post(post).root
        if root.state != "QUEUE":
            return root
        time.sleep(0.1)
    raise AssertionError(f"{post} stays in QUEUE")


def a_photo_is_uploaded_validated_created_and_published(_: Path) -> None:
    media = client.upload(ASSETS / "photo-1.jpg", file_name="kite.jpg")
    assert (media.status, media.original_file_name, media.mime_type) == ("READY", "kite.jpg", "image/jpeg")
    body = CreatePost(
        platform_ids=[account()],
        content="Made by the wheel #kites",
        mode="now",
        media_ids=[media.id],
        settings=TikTokSettings(privacy_level="SELF_ONLY"),
    )
    assert isinstance(client.validate_post(body).results[0], ValidateResultValid)
    created = client.create_post(body).results[0]
    assert isinstance(created, CreateResultCreated), created
    root = settled(created.post.root.id)
    assert root.state == "PUBLISHED", root.error_text
    attempts = client.list_attempts(root.id).attempts
    assert [attempt.outcome for attempt in attempts if attempt.outcome == "published"] == ["published"]


def a_post_is_created_once_over_a_lost_response_and_a_503(_: Path) -> None:
    text, waits = f"Once {uuid.uuid4()}", Waits()
    busy = (503, {"Retry-After": "3"}, b'{"code":"unavailable","message":"The database does not answer."}')
    path = "/public/v1/posts"
    proxy = Proxy(URL, [Fault("POST", path), Fault("POST", path, reject=busy), Fault("POST", path)])
    created = Playout(proxy.url, KEY, retries=waits.retries()).with_response.create_post(draft(text))
    assert proxy.faults == [] and created.replayed
    assert waits == [0.5, 3 + 1.0, 2.0], waits
    keys = {headers["idempotency-key"] for headers in proxy.headers_of("POST", path)}
    assert proxy.count("POST", path) == 4 and len(keys) == 1, proxy.seen
    result = created.parsed.results[0]
    assert isinstance(result, CreateResultCreated)
    assert [post.id for post in drafts_with(text)] == [result.post.root.id]


def an_error_says_whether_the_change_may_have_been_made(_: Path) -> None:
    text = f"Perhaps {uuid.uuid4()}"
    limited = (429, {"Retry-After": "3600"}, b'{"code":"rate_limited","message":"Too many requests."}')
    proxy = Proxy(URL, [Fault("POST", "/public/v1/posts"), Fault("POST", "/public/v1/posts", reject=limited)])
    through = Playout(proxy.url, KEY, retries=Waits().retries())
    error = failure(partial(through.create_post, draft(text)))
    assert (error.code, error.may_be_done) == ("rate_limited", True) and error.idempotency_key is not None
    again = client.with_response.create_post(draft(text), idempotency_key=error.idempotency_key)
    assert again.replayed and len(drafts_with(text)) == 1

    cases: list[tuple[httpx.Response | httpx.RequestError, bool]] = [
        (httpx.ReadError("cut"), True),
        (httpx.ConnectError("refused"), False),
        (error_of(504, "gateway"), True),
        (error_of(503, "unavailable", **{"Retry-After": "3600"}), False),
        (error_of(400, "invalid_request"), False),
        (error_of(500, "internal_error"), True),
        (error_of(409, "idempotency_in_progress"), True),
        (error_of(408, "request_timeout"), True),
        (httpx.Response(302, headers={"Location": "/login"}), True),
        (httpx.Response(401, text="<h1>Sign in</h1>"), True),
        (httpx.Response(503, text="Guru Meditation", headers={"Retry-After": "3600"}), True),
    ]
    for outcome, expected in cases:
        changing, reading = scripted(*[outcome] * 6)[0], scripted(*[outcome] * 6)[0]
        error = failure(partial(changing.create_post, draft(text)))
        assert (error.may_be_done, bool(error.idempotency_key)) == (expected, True), outcome
        assert (f"idempotency_key='{error.idempotency_key}'" in str(error)) == expected
        assert not failure(reading.list_posts).may_be_done


def a_removal_whose_response_is_lost_succeeds(_: Path) -> None:
    folder = client.create_folder(NameFolder(name=f"Kites {uuid.uuid4()}"))
    proxy = Proxy(URL, [Fault("DELETE", str(folder.id))])
    Playout(proxy.url, KEY, retries=Waits().retries()).delete_folder(folder.id)
    assert proxy.count("DELETE", str(folder.id)) == 2
    assert folder.id not in [other.id for other in client.list_folders().folders]
    gone = scripted(httpx.ReadError("cut"), httpx.Response(404, text="404 page not found"))[0]
    error = failure(partial(gone.delete_folder, folder.id))
    assert (error.code, error.may_be_done) == ("unexpected_response", True), "nobody says that it is gone"


def waits_double_and_end(_: Path) -> None:
    playout, requests, waits = scripted(*[error_of(503, "unavailable")] * 6)
    try:
        playout.list_platforms()
        raise AssertionError("it has no response")
    except PlayoutError as error:
        assert (error.code, error.status) == ("unavailable", 503)
    assert (len(requests), waits) == (6, [0.5, 1.0, 2.0, 4.0, 8.0])
    playout, requests, waits = scripted(error_of(429, "rate_limited", **{"Retry-After": "3600"}))
    try:
        playout.list_platforms()
        raise AssertionError("an hour is not waited for")
    except PlayoutError as error:
        assert error.code == "rate_limited" and len(requests) == 1 and waits == []


def a_request_in_progress_is_waited_for(_: Path) -> None:
    results = httpx.Response(201, json={"results": []})
    playout, requests, waits = scripted(error_of(409, "idempotency_in_progress"), results)
    assert playout.create_post(draft("Kites")).results == []
    assert len({request.headers["idempotency-key"] for request in requests}) == 1 and len(waits) == 1
    playout, requests, _waits = scripted(error_of(409, "media_in_use"))
    try:
        playout.delete_media(NOWHERE)
        raise AssertionError("it is in use")
    except PlayoutError as error:
        assert error.code == "media_in_use" and len(requests) == 1


def a_change_of_one_version_is_not_repeated_blindly(_: Path) -> None:
    cut = httpx.ReadError("cut")
    playout, requests, _waits = scripted(cut, error_of(412, "precondition_failed"))
    try:
        playout.rename_folder(NOWHERE, NameFolder(name="Kites"), if_match='"1"')
        raise AssertionError("it is not known whether the folder was renamed")
    except PlayoutError as error:
        assert error.code == "connection_failed" and isinstance(error.__cause__, httpx.ReadError)
    assert len(requests) == 1
    # A 503 that does not say when to come back is a change that was not confirmed; one that does is a rejection.
    playout, requests, _waits = scripted(error_of(503, "unavailable"))
    try:
        playout.rename_folder(NOWHERE, NameFolder(name="Kites"), if_match='"1"')
        raise AssertionError("it is not known whether the folder was renamed")
    except PlayoutError as error:
        assert error.code == "unavailable" and len(requests) == 1
    busy, last = error_of(503, "unavailable", **{"Retry-After": "1"}), error_of(412, "precondition_failed")
    playout, requests, _waits = scripted(busy, last)
    try:
        playout.rename_folder(NOWHERE, NameFolder(name="Kites"), if_match='"1"')
        raise AssertionError("it was changed since")
    except PlayoutError as error:
        assert error.code == "precondition_failed" and len(requests) == 2


def a_file_is_uploaded_once_over_a_lost_response(_: Path) -> None:
    name, path = f"{uuid.uuid4()}.jpg", "/public/v1/media"
    proxy = Proxy(URL, [Fault("POST", path), Fault("POST", path, cut_after=10_000)])
    playout = Playout(proxy.url, KEY, retries=Waits().retries())
    media = playout.upload(ASSETS / "photo-1.jpg", file_name=name)
    assert proxy.count("POST", path) == 3 and media.size == (ASSETS / "photo-1.jpg").stat().st_size
    assert [other.id for other in client.list_media().media if other.original_file_name == name] == [media.id]


def a_key_of_the_caller_is_kept(_: Path) -> None:
    text = f"twice-{uuid.uuid4()}"
    first, second = (client.with_response.create_post(draft(text), idempotency_key=text) for _ in range(2))
    assert not first.replayed and second.replayed and len(drafts_with(text)) == 1


def a_change_of_another_version_is_rejected(_: Path) -> None:
    folder = client.with_response.create_folder(NameFolder(name=f"Kites {uuid.uuid4()}"))
    assert folder.etag and folder.status == 201 and folder.request_id
    client.rename_folder(folder.parsed.id, NameFolder(name=f"Winds {uuid.uuid4()}"), if_match=folder.etag)
    try:
        client.delete_folder(folder.parsed.id, if_match=folder.etag)
        raise AssertionError("it was changed since")
    except PlayoutError as error:
        assert (error.code, error.status) == ("precondition_failed", 412)


def errors_say_what_is_wrong(folder: Path) -> None:
    try:
        client.create_post(CreatePost(platform_ids=[], content="", mode="draft"))
        raise AssertionError("it has no account")
    except PlayoutError as error:
        assert (error.code, error.status) == ("invalid_request", 400) and error.message and error.request_id
        assert error.details[0]["path"] == ["platformIds"] and error.details[0]["code"], error.details
    for wrong, code in [(Playout(URL, "svc_sk_wrong"), "invalid_api_key"), (client, "post_not_found")]:
        try:
            wrong.get_post(NOWHERE)
            raise AssertionError("there is no such post")
        except PlayoutError as error:
            assert error.code == code and error.details == []
    (folder / "kite.txt").write_text("no picture")
    try:
        client.upload(folder / "kite.txt")
        raise AssertionError("it is no picture")
    except PlayoutError as error:
        assert error.code == "invalid_media_file"
    page = httpx.Response(404, html="<h1>Not found</h1>", headers={"x-request-id": "a"})
    try:
        scripted(page)[0].get_post(NOWHERE)
        raise AssertionError("that is no service")
    except PlayoutError as error:
        assert (error.code, error.status, error.request_id) == ("unexpected_response", 404, "a")


def an_upload_that_is_cut_goes_on(folder: Path) -> None:
    file, uploads = video(folder / "kite.mp4", 20 * MIB), "/public/v1/media/uploads"
    proxy, waits = Proxy(URL), Waits()
    proxy.faults = [Fault("POST", uploads), Fault("PATCH", "", cut_after=5 * MIB), Fault("PATCH", "", cut_after=MIB)]
    playout, progress = Playout(proxy.url, KEY, retries=waits.retries()), list[int]()
    media = playout.upload(file, on_progress=lambda done, _: progress.append(done))
    assert proxy.faults == [] and media.status == "READY" and media.size == 20 * MIB
    assert media.original_file_name == "kite.mp4"
    # It went on with what was received: 5 MiB, and 1 more.
    offsets = [int(headers["upload-offset"]) for headers in proxy.headers_of("PATCH", "")]
    assert offsets == [0, 5 * MIB, 6 * MIB, 14 * MIB], offsets
    assert progress == [0, 5 * MIB, 6 * MIB, 14 * MIB, 20 * MIB], progress
    bytes_there = httpx.get(media.public_url, timeout=60).content
    assert hashlib.sha256(bytes_there).digest() == hashlib.sha256(file.read_bytes()).digest()


def an_upload_that_fails_is_continued_later(folder: Path) -> None:
    file = video(folder / "kite.mp4", 18 * MIB)
    proxy = Proxy(URL, [Fault("PATCH", "", cut_after=3 * MIB), Fault("PATCH", "", cut_after=0)])
    try:
        Playout(proxy.url, KEY, retries=Waits().retries(tries=1)).upload(file)
        raise AssertionError("it was cut")
    except PlayoutError as error:
        assert error.code == "connection_failed" and error.upload_id
        upload_id = error.upload_id
    proxy.seen.clear()
    proxy.faults.clear()
    media = Playout(proxy.url, KEY).upload(file, resume=upload_id)
    assert str(media.id) == upload_id and media.status == "READY"
    assert proxy.headers_of("PATCH", "")[0]["upload-offset"] == str(3 * MIB)
    assert client.upload(file, resume=upload_id) == media
    try:
        client.upload(file, resume=NOWHERE)
        raise AssertionError("there is no such upload")
    except PlayoutError as unknown:
        assert unknown.code == "media_not_found" and unknown.upload_id is None


def a_large_file_that_is_no_video_is_rejected(folder: Path) -> None:
    file = folder / "kite.mp4"
    file.write_bytes(b"\x89PNG\r\n\x1a\n" + b"\x07" * 17 * MIB)
    try:
        client.upload(file)
        raise AssertionError("it is no video")
    except PlayoutError as error:
        assert (error.code, error.upload_id) == ("invalid_media_file", None)


def deliveries_are_verified(folder: Path) -> None:
    receiver = Receiver()
    webhook = client.create_webhook(CreateWebhook(url=receiver.url, events=["post.published"]))
    client.test_webhook(webhook.id)
    body, headers = receiver.next("webhook.test")
    event = verify_webhook(body, headers, webhook.secret)
    assert isinstance(event, WebhookTestEvent) and event.data.webhook_id == webhook.id, event
    assert (
        verify_webhook(body.decode(), {name.upper(): value for name, value in headers.items()}, webhook.secret) == event
    )
    forged_or_old(body, headers, webhook.secret)
    # Both secrets sign while one replaces the other.
    new = client.rotate_webhook_secret(webhook.id)
    client.test_webhook(webhook.id)
    body, headers = receiver.next("webhook.test")
    for secret in (webhook.secret, new.secret, [webhook.secret, new.secret]):
        assert isinstance(verify_webhook(body, headers, secret), WebhookTestEvent)
    media = client.upload(ASSETS / "photo-1.jpg")
    settings = TikTokSettings(privacy_level="SELF_ONLY")
    post = CreatePost(platform_ids=[account()], content="Kites", mode="now", media_ids=[media.id], settings=settings)
    created = client.create_post(post).results[0]
    assert isinstance(created, CreateResultCreated)
    body, headers = receiver.next("post.published", str(created.post.root.id))
    published = verify_webhook(body, headers, new.secret)
    assert isinstance(published, PostPublishedEvent) and published.data.id == created.post.root.id
    client.delete_webhook(webhook.id)


def forged_or_old(body: bytes, headers: dict[str, str], secret: str) -> None:
    """Each of these differs from a genuine delivery."""
    sent = int(headers["webhook-timestamp"])
    without = {name: value for name, value in headers.items() if name.lower() != "webhook-signature"}
    other = "whsec_" + "A" * 44
    forged: list[tuple[bytes, dict[str, str], str, float]] = [
        (body + b" ", headers, secret, sent),
        (body, headers, other, sent),
        (body, headers, secret, sent + 301),
        (body, headers, secret, sent - 301),
        (body, without, secret, sent),
        (body, {**headers, "webhook-id": "other"}, secret, sent),
        (body, {**headers, "webhook-timestamp": str(sent + 1)}, secret, sent),
        (body, {**headers, "webhook-timestamp": "now"}, secret, sent),
        (body, {**headers, "webhook-signature": "v1,AAAA v1a,AAAA é"}, secret, sent),
    ]
    for number, (payload, given, key, now) in enumerate(forged):
        try:
            verify_webhook(payload, given, key, now=now)
        except WebhookVerificationError:
            continue
        raise AssertionError(f"forgery {number} is accepted")
    assert verify_webhook(body, headers, secret, now=sent + 300), "five minutes are allowed"


def an_event_of_tomorrow_is_unknown(_: Path) -> None:
    secret, now = "whsec_a2l0ZXM=", int(time.time())
    body = b'{"type":"kite.risen","timestamp":"2026-11-20T12:00:05.000Z","data":{"height":9}}'
    signed = signature(secret, f"1.{now}.".encode() + body).decode()
    given = {"webhook-id": "1", "webhook-timestamp": str(now), "webhook-signature": f"v1,AAAA {signed}"}
    event = verify_webhook(body, given, secret)
    assert isinstance(event, UnknownEvent) and (event.type_, event.data) == ("kite.risen", {"height": 9})


def the_readme_is_true(folder: Path) -> None:
    readme = str(metadata("playout").json["description"])
    blocks = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    assert len(blocks) == 4
    shutil.copy(ASSETS / "clip.mp4", folder)
    printed = []
    for number, block in enumerate(blocks):
        script = folder / f"readme_{number}.py"
        script.write_text(block)
        ran = subprocess.run([sys.executable, script], cwd=folder, capture_output=True, text=True)
        assert ran.returncode == 0, f"{block}\n{ran.stderr}"
        printed.append(ran.stdout)
    assert printed[0].startswith("PUBLISHED "), printed
    assert printed[1].startswith("post_not_found 404 "), printed
    assert package.__version__ == version("playout")


TESTS = [
    a_photo_is_uploaded_validated_created_and_published,
    a_post_is_created_once_over_a_lost_response_and_a_503,
    an_error_says_whether_the_change_may_have_been_made,
    a_removal_whose_response_is_lost_succeeds,
    waits_double_and_end,
    a_request_in_progress_is_waited_for,
    a_change_of_one_version_is_not_repeated_blindly,
    a_file_is_uploaded_once_over_a_lost_response,
    a_key_of_the_caller_is_kept,
    a_change_of_another_version_is_rejected,
    errors_say_what_is_wrong,
    an_upload_that_is_cut_goes_on,
    an_upload_that_fails_is_continued_later,
    a_large_file_that_is_no_video_is_rejected,
    deliveries_are_verified,
    an_event_of_tomorrow_is_unknown,
    the_readme_is_true,
]


def main() -> None:
    failed = 0
    for test in TESTS:
        name = test.__name__.replace("_", " ")
        try:
            with tempfile.TemporaryDirectory() as folder:
                test(Path(folder))
            print(f"ok {name}", flush=True)
        except Exception:
            failed += 1
            print(f"FAILED {name}\n{traceback.format_exc()}", flush=True)
    print(f"{len(TESTS) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
