"""Runs a peer: a warm-up, then every photo with its caption; prints what each took.

python PEER.py FOLDER FONTS NAME
"""

import json
import resource
import sys
from pathlib import Path

SIZE, PITCH, OUTLINE = 70, 84, 6
MIDDLE = (540, 775)

folder, fonts, name = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]


def millis():
    """CPU of this process and of those it waited for, so far."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used) * 1000


def run(bake):
    """`bake(photo, caption, path)` answers a JPEG file."""
    listed = json.loads((folder / "captions.json").read_text(encoding="utf-8"))
    pictures = folder / "pictures" / name
    pictures.mkdir(parents=True, exist_ok=True)
    for number in range(3):
        path = folder / f"{number:02}.jpg"
        bake(path.read_bytes(), listed["warmUp"], path)
    for number, caption in enumerate(listed["captions"]):
        path = folder / f"{number:02}.jpg"
        photo = path.read_bytes()
        began = millis()
        jpeg = bake(photo, caption, path)
        print(f"{number}\t{millis() - began:.3f}")
        (pictures / path.name).write_bytes(jpeg)
