"""Verifies deliveries of webhooks, signed as Standard Webhooks (https://www.standardwebhooks.com)."""

from __future__ import annotations

import binascii
import hashlib
import hmac
import json
import time
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from .events import EVENTS, KnownEvent

PREFIX = "whsec_"


class WebhookVerificationError(Exception):
    """A delivery that is not genuine, or too old."""


@dataclass(frozen=True)
class UnknownEvent:
    """An event that is newer than this client, or has values that are."""

    type_: str
    timestamp: datetime
    data: Any


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str | Iterable[str],
    *,
    tolerance: float = 300.0,
    now: float | None = None,
) -> KnownEvent | UnknownEvent:
    """Returns the event of a delivery, or raises `WebhookVerificationError` if it is not genuine.

    `body` is the body as received, byte for byte. `headers` may have any case. `secret` is that of the webhook, or
    several. `tolerance` is how many seconds the delivery's time may be off; `now` replaces the clock.
    """
    payload = body.encode() if isinstance(body, str) else bytes(body)
    lower = {name.lower(): value for name, value in headers.items()}
    missing = [name for name in ("webhook-id", "webhook-timestamp", "webhook-signature") if not lower.get(name)]
    if missing:
        raise WebhookVerificationError(f"the delivery has no {missing[0]}")
    sent = lower["webhook-timestamp"]
    if not (sent.isascii() and sent.isdigit() and len(sent) < 16):
        raise WebhookVerificationError("webhook-timestamp is no number of seconds")
    if abs((time.time() if now is None else now) - int(sent)) > tolerance:
        raise WebhookVerificationError("webhook-timestamp is too far from the clock: an old delivery, or a wrong clock")
    message = f"{lower['webhook-id']}.{sent}.".encode() + payload
    expected = [signature(one, message) for one in ([secret] if isinstance(secret, str) else secret)]
    given = [entry.encode() for entry in lower["webhook-signature"].split()]
    # Compares all, so that the time does not depend on which of them fits.
    fits = [hmac.compare_digest(one, other) for one in expected for other in given]
    if not any(fits):
        raise WebhookVerificationError("no signature fits")
    return event_of(payload)


def signature(secret: str, message: bytes) -> bytes:
    """The entry of `webhook-signature` that a secret makes."""
    try:
        key = b64decode(secret.removeprefix(PREFIX), validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("the secret of a webhook is whsec_ and base64") from error
    if not key:
        raise ValueError("the secret of a webhook is empty")
    return b"v1," + b64encode(hmac.new(key, message, hashlib.sha256).digest())


def event_of(payload: bytes) -> KnownEvent | UnknownEvent:
    try:
        body = json.loads(payload)
        kind, at = str(body["type"]), datetime.fromisoformat(body["timestamp"])
    except (ValueError, KeyError, TypeError) as error:
        raise WebhookVerificationError("the body is signed, and is no event") from error
    model = EVENTS.get(kind)
    if model is not None:
        try:
            return model.from_dict(body)
        except (ValueError, KeyError, TypeError):
            pass
    return UnknownEvent(kind, at, body.get("data"))
