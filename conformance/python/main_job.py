"""The main job through a client generated from `openapi.json` by openapi-python-client: upload, validate, create, read.

PLAYOUT_API_URL and PLAYOUT_API_KEY name a running service and a key of it. `generated_client.py` makes the client, checks the types
of this file and runs it.
"""

import os
from io import BytesIO
from pathlib import Path

from playout_client import AuthenticatedClient
from playout_client.api.media import upload_media
from playout_client.api.platforms import list_platforms
from playout_client.api.posts import create_post, get_post, validate_post
from playout_client.models import (
    CreatePost,
    CreatePostMode,
    CreateResultCreated,
    CreateResults,
    Error,
    Media,
    MediaStatus,
    PlatformList,
    PostGroup,
    PostState,
    TikTokSettings,
    TikTokSettingsPrivacyLevel,
    UploadForm,
    ValidateResults,
    ValidateResultValid,
)
from playout_client.types import File

client = AuthenticatedClient(base_url=os.environ["PLAYOUT_API_URL"], token=os.environ["PLAYOUT_API_KEY"])
photo = Path(os.environ["PLAYOUT_ASSETS"], "photo-1.jpg").read_bytes()

platforms = list_platforms.sync(client=client)
assert isinstance(platforms, PlatformList), platforms
account = platforms.platforms[0].id

form = UploadForm(file=File(BytesIO(photo), "photo-1.jpg", "image/jpeg"))
media = upload_media.sync(client=client, body=form)
assert isinstance(media, Media), media
assert (media.status, media.size) == (MediaStatus.READY, len(photo))

settings = TikTokSettings(privacy_level=TikTokSettingsPrivacyLevel.SELF_ONLY, is_aigc=True)
post = CreatePost(
    platform_ids=[account],
    content="Made by a client of openapi-python-client",
    mode=CreatePostMode.DRAFT,
    media_ids=[media.id],
    settings=settings,
)
validated = validate_post.sync(client=client, body=post)
assert isinstance(validated, ValidateResults), validated
verdict = validated.results[0]
assert isinstance(verdict, ValidateResultValid), verdict
assert verdict.will_publish_at is None

created = create_post.sync(client=client, body=post, idempotency_key=str(media.id))
assert isinstance(created, CreateResults), created
result = created.results[0]
assert isinstance(result, CreateResultCreated), result

read = get_post.sync(result.post.root.id, client=client)
assert isinstance(read, PostGroup), read
assert (read.root.state, read.root.media_ids) == (PostState.DRAFT, [media.id])
assert read.root.settings.to_dict() == settings.to_dict()

post.platform_ids = []
refused = create_post.sync(client=client, body=post)
assert isinstance(refused, Error) and refused.code == "invalid_request", refused
print("1 passed, 0 failed")
