"""Builds the wheel: `python build.py VERSION FOLDER`.

FOLDER gets `playout-VERSION-py3-none-any.whl` and, in `package`, what it is made of.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import operations

HERE = Path(__file__).parent
DOCUMENT = HERE.parent.parent / "openapi.json"
# The same time in every wheel, so that the same sources make the same file (reproducible-builds.org): the oldest of zip.
ENVIRONMENT = {
    **os.environ,
    "PATH": f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}",
    "SOURCE_DATE_EPOCH": "315532800",
}


def run(*command: str, **options: object) -> None:
    subprocess.run(command, check=True, env=ENVIRONMENT, **options)


def main(version: str, folder: Path) -> None:
    staged = folder / "package"
    shutil.rmtree(folder, ignore_errors=True)
    staged.mkdir(parents=True)
    shutil.copytree(HERE / "src/playout", staged / "playout", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(HERE / "README.md", staged)
    shutil.copy(HERE.parent.parent / "LICENSE", staged)
    project = (HERE / "pyproject.toml").read_text()
    (staged / "pyproject.toml").write_text(project.replace('version = "0.0.0"', f'version = "{version}"'))
    generate = ("openapi-python-client", "generate", "--meta", "none", "--fail-on-warning", "--path", str(DOCUMENT))
    output = ("--config", str(HERE / "generator.yaml"), "--output-path", str(staged / "playout/generated"))
    run(*generate, *output, stdout=subprocess.DEVNULL)
    operations.write(DOCUMENT, staged / "playout")
    run("ruff", "format", "--quiet", "--isolated", "--line-length", "120", str(staged / "playout"))
    wheel = ("pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(staged))
    run(*wheel, cwd=folder)
    for built in folder.glob("*.whl"):
        built.chmod(0o644)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]).resolve())
