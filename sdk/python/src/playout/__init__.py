"""A client of Playout: publish short videos and slideshows, now or on schedule, exactly once."""

from importlib.metadata import version

from .client import Playout
from .errors import PlayoutError
from .responses import Response
from .retries import Retries
from .webhooks import UnknownEvent, WebhookVerificationError, verify_webhook

__version__ = version("playout")

__all__ = [
    "Playout",
    "PlayoutError",
    "Response",
    "Retries",
    "UnknownEvent",
    "WebhookVerificationError",
    "__version__",
    "verify_webhook",
]
