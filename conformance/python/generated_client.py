"""Makes a client of `openapi.json` by openapi-python-client without a warning, checks its types, and lets it do the main job."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
CLIENT = ROOT / "target/conformance/python-client"
# A model for each error of each operation would be hundreds.
MOST_MODELS = 200

# The generator formats what it makes with programs beside it.
PROGRAMS = {**os.environ, "PATH": f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}"}


def run(*command, **environment):
    subprocess.run(command, check=True, env={**PROGRAMS, **environment})


run(
    *("openapi-python-client", "generate", "--fail-on-warning", "--overwrite"),
    *("--path", str(ROOT / "openapi.json"), "--config", str(HERE / "generator.yaml"), "--output-path", str(CLIENT)),
)
models = len([model for model in (CLIENT / "playout_client/models").glob("*.py") if model.name != "__init__.py"])
print(f"{models} models")
if models > MOST_MODELS:
    sys.exit(f"more than {MOST_MODELS}")
cache = str(ROOT / "target/conformance/mypy")
run("mypy", "--strict", "--cache-dir", cache, str(CLIENT / "playout_client"), str(HERE / "main_job.py"), MYPYPATH=str(CLIENT))
run(sys.executable, str(HERE / "main_job.py"), PYTHONPATH=str(CLIENT), PYTHONDONTWRITEBYTECODE="1")
