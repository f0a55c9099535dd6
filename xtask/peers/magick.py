import subprocess
import sys

from run import MIDDLE, OUTLINE, PITCH, SIZE, fonts, run

program = sys.argv[4]


def bake(_photo, caption, path):
    """One process a picture, as it is used: the outline, then the letters over it."""
    text = "\n".join(caption["lines"]).replace("\\", "\\\\").replace("%", "%%")
    place = f"+0{MIDDLE[1] - 960:+}"
    command = [program, path, "-font", fonts / caption["font"], "-pointsize", str(SIZE)]
    command += ["-interline-spacing", str(PITCH - SIZE * 1.32), "-gravity", "center"]
    command += ["-fill", "black", "-stroke", "black", "-strokewidth", str(2 * OUTLINE), "-annotate", place, text]
    command += ["-fill", "white", "-stroke", "none", "-annotate", place, text]
    command += ["-sampling-factor", "4:2:0", "-quality", "90", "jpg:-"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


run(bake)
