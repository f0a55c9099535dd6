from functools import cache
from io import BytesIO

from PIL import Image, ImageFont
from pilmoji import Pilmoji
from pilmoji.source import BaseSource

from run import MIDDLE, OUTLINE, PITCH, SIZE, folder, fonts, run


class Drawn(BaseSource):
    """Pictures of emoji from a folder."""

    def get_emoji(self, emoji, /):
        file = folder / "emoji" / ("-".join(f"{ord(sign):x}" for sign in emoji) + ".png")
        return BytesIO(file.read_bytes()) if file.exists() else None

    def get_discord_emoji(self, id, /):
        return None


@cache
def font(file):
    return ImageFont.truetype(str(fonts / file), SIZE)


def bake(photo, caption, _path):
    image = Image.open(BytesIO(photo))
    first = MIDDLE[1] - (len(caption["lines"]) - 1) * PITCH / 2
    with Pilmoji(image, source=Drawn) as draw:
        for number, line in enumerate(caption["lines"]):
            at = (MIDDLE[0], round(first + number * PITCH))
            draw.text(
                at, line, "white", font(caption["font"]), "mm", stroke_width=OUTLINE, stroke_fill="black", emoji_scale_factor=1.1
            )
    jpeg = BytesIO()
    image.save(jpeg, "JPEG", quality=90, subsampling="4:2:0")
    return jpeg.getvalue()


run(bake)
