from functools import cache
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from run import MIDDLE, OUTLINE, PITCH, SIZE, fonts, run


@cache
def font(file):
    return ImageFont.truetype(str(fonts / file), SIZE)


def bake(photo, caption, _path):
    image = Image.open(BytesIO(photo))
    draw = ImageDraw.Draw(image)
    first = MIDDLE[1] - (len(caption["lines"]) - 1) * PITCH / 2
    for number, line in enumerate(caption["lines"]):
        at = (MIDDLE[0], first + number * PITCH)
        draw.text(at, line, "white", font(caption["font"]), "mm", stroke_width=OUTLINE, stroke_fill="black")
    jpeg = BytesIO()
    image.save(jpeg, "JPEG", quality=90, subsampling="4:2:0")
    return jpeg.getvalue()


run(bake)
