"""What the files of deploy/ must agree with: the settings that the service knows, its addresses, and the image."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
PORT = 8080
PROBES = ("/healthz", "/readyz")


def text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def settings() -> set[str]:
    """The variables of docs/configuration.md that have an effect, and those of a bucket in docs/nodes.md."""
    known, _, _ = text("docs/configuration.md").partition("Known, for parts that this version does not have")
    own = re.findall(r"^\| `\w+` \| `(PLAYOUT_\w+)`", known, re.MULTILINE)
    rows = re.findall(r"^\| (`AWS_.*?) \|", text("docs/nodes.md"), re.MULTILINE)
    return {*own, *re.findall(r"`(AWS_\w+)`", " ".join(rows))}


def version() -> str:
    """The version of the workspace."""
    return re.search(r'^\[workspace\.package\]\nversion = "(.*?)"', text("Cargo.toml"), re.MULTILINE)[1]


def routes() -> set[str]:
    return set(re.findall(r'\.route\("(/\w+)", get\(health::', text("crates/server/src/api/router.rs")))


def image() -> dict[str, str]:
    """The variables of the image and its user."""
    dockerfile = text("deploy/Dockerfile")
    variables = dict(re.findall(r"(PLAYOUT_\w+)=(\S+)", dockerfile))
    return {**variables, "USER": re.search(r"^USER (\S+)$", dockerfile, re.MULTILINE)[1]}
