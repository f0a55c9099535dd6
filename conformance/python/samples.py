"""Runs every sample of the documentation as a running service shows it: those of the reference in the order of
`examples.json`, and those of the guides. Each language has a workspace of its own with a connected account.

PLAYOUT_API_URL names a running demo that takes new users and sends webhooks to 127.0.0.1, PLAYOUT_CLIENT the program
`playout`, PLAYOUT_ASSETS the files that the samples send, and PLAYOUT_MODEL_PORT the port where the service looks for a
language model. The TypeScript compiler is that of `conformance/js`. The last line printed is `N passed, N failed`; words
in the arguments choose languages.
"""

import html
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import requests

URL = os.environ["PLAYOUT_API_URL"]
CLIENT = Path(os.environ["PLAYOUT_CLIENT"])
ASSETS = Path(os.environ["PLAYOUT_ASSETS"])
ROOT = Path(__file__).resolve().parents[2]
JS = ROOT / "conformance/js"
EXAMPLES = json.loads((ROOT / "crates/server/src/api/openapi/examples.json").read_text())
DOCUMENT = requests.get(f"{URL}/openapi.json", timeout=60).json()
REFERENCE = requests.get(f"{URL}/docs", timeout=60).text
GUIDES = re.findall(r"\(/docs/([a-z-]+)\.md\)", requests.get(f"{URL}/llms.txt", timeout=60).text)

# Each language, and the account of its workspace. The guide on the client names its account.
LANGUAGES = {"curl": "harborbakes", "python": "paperplanes", "typescript": "tidegarden", "playout": "kitestudio"}
# What follows the fence of a block that is run.
FENCES = {"sh": "curl", "python": "python", "typescript": "typescript", "sh playout": "playout"}
# A block that is run until it is ended: a stream.
ENDLESS = "sh stream"
# Blocks that are not run here: a test of the service compiles the Rust, and compares the JSON with its schema; those that
# need a simulator of their own are a test of the simulator. `conformance/js/main-job.ts` uploads as the client of the guide does.
OTHER_FENCES = {"typescript client", "sh openssl", "sh simulator", "rust", "json", "http", "text"}
# A rejected post is what the example shows, and the client's exit code says so.
REJECTED = "validatePost"
# The webhook's address in the samples, which is replaced by that of the receiver.
EXAMPLE_RECEIVER = "https://example.org/playout"


def serve(port, answer):
    """A server on this machine; `answer` gets the path, the headers and the body of each request."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            response = answer(self.path, dict(self.headers.items()), body)
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(response)))
            self.end_headers()
            self.wfile.write(response)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def captions(_path, _headers, body):
    """What a language model answers."""
    asked = json.loads(body)["messages"][1]["content"]
    count = json.loads(asked if isinstance(asked, str) else asked[0]["text"])["slideCount"]
    content = json.dumps({"caption": "Kites #wind", "slides": ["Kite"] * count})
    message = {"role": "assistant", "content": content}
    return json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}).encode()


received = {}


def receive(path, headers, body):
    received.setdefault(path, []).append(({name.lower(): value for name, value in headers.items()}, body))
    return b"{}"


def until(what, is_so):
    """Waits for what the service does by itself."""
    for _ in range(3000):
        if found := is_so():
            return found
        time.sleep(0.1)
    raise AssertionError(f"in vain waited for {what}")


class Workspace:
    """A user, their workspace with one account, a key, and a folder with the files that samples send."""

    def __init__(self, language, account):
        self.language = language
        self.person = requests.Session()
        self.person.headers["Origin"] = URL
        credentials = {"email": f"{uuid.uuid4()}@example.org", "password": str(uuid.uuid4())}
        begun = self.app("POST", "auth/sign-up", json=credentials)
        # The cookie is for https and for this machine, which the library does not know.
        self.person.headers["Cookie"] = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.person.cookies)
        self.organization = begun["organizations"][0]["id"]
        self.person.headers["x-organization-id"] = self.organization
        self.key = self.app("POST", "keys", json={"name": language})["key"]
        link = self.app("POST", "platforms/connect", json={"provider": "tiktok"})["authorizationUrl"]
        consent = {"account": account, "decision": "approve"}
        approved = requests.post(link, data=consent, allow_redirects=False, timeout=60)
        assert self.person.get(approved.headers["Location"], timeout=60).ok
        assert self.api("GET", "/public/v1/platforms").json()["platforms"], "the account is not connected"
        self.folder = Path(tempfile.mkdtemp(prefix=f"samples-{language}-"))
        shutil.copy(ASSETS / "photo-1.jpg", self.folder / "photo.jpg")
        shutil.copy(ASSETS / "clip.mp4", self.folder / "clip.mp4")
        self.variables = {
            "ORGANIZATION_ID": self.organization,
            "RECEIVER_URL": f"{RECEIVER}/{language}",
            "FILE_URL": f"{RECEIVER}/films/kite.mp4",
        }
        self.environment = {
            **os.environ,
            "PATH": f"{CLIENT.parent}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "PLAYOUT_API_URL": URL,
            "PLAYOUT_API_KEY": self.key,
            "PLAYOUT_SESSION": begun["token"],
            "XDG_CONFIG_HOME": str(self.folder / "config"),
            "XDG_STATE_HOME": str(self.folder / "state"),
            "PLAYOUT_KEYRING": "off",
        }

    def app(self, method, path, **options):
        response = self.person.request(method, f"{URL}/app/v1/{path}", timeout=60, **options)
        assert response.ok, f"{method} {path}: {response.text}"
        return response.json()

    def api(self, method, path, **options):
        headers = {"Authorization": f"Bearer {self.key}", **options.pop("headers", {})}
        return requests.request(method, URL + path, headers=headers, timeout=60, **options)

    def run(self, *command, script=None):
        """Standard output of a program, which must succeed."""
        environment = {**self.environment, **self.variables}
        done = subprocess.run(
            command, cwd=self.folder, env=environment, input=script, capture_output=True, text=True, timeout=300
        )
        if done.returncode:
            raise AssertionError(f"status {done.returncode}\n…{(done.stdout + done.stderr)[-1500:]}")
        return done.stdout

    def run_for_a_while(self, *command, script=None):
        """A program that must still run after some seconds, and is then ended."""
        environment = {**self.environment, **self.variables}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        program = subprocess.Popen(
            command, cwd=self.folder, env=environment, text=True, start_new_session=True, **pipes
        )
        try:
            printed, _ = program.communicate(script, timeout=5)
        except subprocess.TimeoutExpired:
            os.killpg(program.pid, signal.SIGKILL)
            program.communicate()
            return "ended"
        raise AssertionError(f"status {program.returncode}\n…{printed[-1500:]}")

    def filled(self, value):
        if isinstance(value, str):
            before, _, name = value.rpartition("$")
            return before + self.variables[name] if name in self.variables else value
        if isinstance(value, list):
            return [self.filled(item) for item in value]
        if isinstance(value, dict):
            return {name: self.filled(item) for name, item in value.items()}
        return value

    def call(self, step, method, path):
        """A step that no sample of this language shows."""
        for name, value in step.get("path", {}).items():
            path = path.replace(f"{{{name}}}", self.filled(value))
        headers = {name: str(self.filled(value)) for name, value in step.get("headers", {}).items()}
        form = step.get("form", {})
        files = {name: open(self.folder / file[1:], "rb") for name, file in form.items() if file.startswith("@")}
        data = {name: text for name, text in form.items() if not text.startswith("@")}
        data.update(self.filled(step.get("fields", {})))
        body = (self.folder / step["bytes"][1:]).read_bytes() if "bytes" in step else data or None
        tokens = {"person": self.environment["PLAYOUT_SESSION"], "anybody": None}
        token = tokens.get(step.get("as"), self.key)
        headers["Authorization"] = f"Bearer {token}" if token else None
        options = {"params": step.get("query"), "files": files or None, "data": body, "headers": headers}
        if "body" in step:
            options["json"] = self.filled(step["body"])
            options.pop("data")
        response = self.api(method, path, stream="endless" in step, **options)
        assert response.status_code == step["status"], response.text
        if "endless" in step:
            response.close()
            return ""
        return response.text

    def wait_before(self, step):
        """What the service does by itself before this step can follow."""
        if step["operation"] == "markPostPublished":
            post = f"/public/v1/posts/{self.variables['INBOX_ID']}"
            until("the inbox", lambda: self.api("GET", post).json()["root"]["state"] == "ACTION_REQUIRED")
        if step["operation"] == "redeliver":
            webhook = f"/public/v1/webhooks/{self.variables['WEBHOOK_ID']}/deliveries?limit=1"
            until("the delivery", lambda: self.api("GET", webhook).json()["deliveries"][0]["state"] == "delivered")

    def save(self, step, printed):
        if not step.get("save"):
            return
        printed = json.loads(printed)
        for name, pointer in step["save"].items():
            # The client uploads several files, and prints a list.
            found = printed["media"][0] if self.language == "playout" and "media" in printed else printed
            for part in pointer[1:].split("/"):
                found = found[int(part)] if isinstance(found, list) else found[part]
            self.variables[name] = found


def place(operation):
    for path, methods in DOCUMENT["paths"].items():
        for method, described in methods.items():
            if described["operationId"] == operation:
                return method.upper(), path
    raise AssertionError(f"the document has no operation {operation}")


def shown(language, operation):
    """The sample that the reference shows."""
    start = f'<pre class="{language}" data-operation="{operation}" tabindex="0"><code>'
    found = re.search(re.escape(start) + "(.*?)</code>", REFERENCE, re.S)
    return html.unescape(found[1]) if found else None


def blocks(guide):
    """The code of a guide in each language, as one program."""
    text = requests.get(f"{URL}/docs/{guide}.md", timeout=60).text
    programs = {}
    for fence, code in re.findall(r"^```([a-z ]+)\n(.*?)^```$", text, re.S | re.M):
        known = fence in FENCES or fence in OTHER_FENCES or fence == ENDLESS
        assert known, f"{guide} has a block of {fence}, which nothing runs"
        programs.setdefault(FENCES.get(fence, fence), []).append(code)
    return {language: "\n".join(codes) for language, codes in programs.items()}


def compile_typescript(programs):
    """Checks the types of all samples at once, and leaves JavaScript beside each."""
    folder = JS / "generated/samples"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, code in programs.items():
        (folder / f"{name}.ts").write_text(code)
    done = subprocess.run(
        ["node", "node_modules/typescript/bin/tsc", "--project", "tsconfig.samples.json"],
        cwd=JS, capture_output=True, text=True,
    )
    assert done.returncode == 0, done.stdout
    return folder


# Runs a sample so that what it prints is read as JSON; `conformance/js/print-json.mjs` is the same for TypeScript.
PRINT_JSON = """
import builtins, json, runpy, sys
builtins.print = lambda value, *_: sys.stdout.write(json.dumps(value, default=dict) + "\\n")
runpy.run_path(sys.argv[1])
"""


def run_sample(workspace, name, code, operation=None, endless=False):
    """Runs a sample; what it printed of the response."""
    language = workspace.language
    if endless and language in ("curl", "playout"):
        return workspace.run_for_a_while("bash", "-s", script=f"{code}\n")
    if endless and language == "typescript":
        return workspace.run_for_a_while("node", "--no-warnings", JS / f"generated/samples/{name}.js")
    if endless:
        file = workspace.folder / f"{name}.py"
        file.write_text(code)
        return workspace.run_for_a_while(sys.executable, file)
    if language == "curl" and operation:
        shell = "curl() { command curl -s -o answer -w '%{http_code}' \"$@\"; }"
        status = workspace.run("bash", "-s", script=f"{shell}\n{code}\n")
        answer = workspace.folder / "answer"
        assert status.startswith("2"), f"{status}: {answer.read_text() if answer.exists() else ''}"
        return answer.read_bytes() if answer.exists() else b""
    if language in ("curl", "playout"):
        # The placeholder stands for the key that the environment has.
        code = code.replace("svc_sk_…", workspace.key)
        script = f"{code}\n[ $? -le 1 ]\n" if operation == REJECTED else f"set -e -o pipefail\n{code}\n"
        return workspace.run("bash", "-s", script=script)
    if language == "python":
        file = workspace.folder / f"{name}.py"
        file.write_text(code)
        return workspace.run(sys.executable, *(["-c", PRINT_JSON] if operation else []), file)
    program = JS / f"generated/samples/{name}.js"
    hook = ["--import", str(JS / "print-json.mjs")] if operation else []
    return workspace.run("node", "--no-warnings", *hook, program)


class Results:
    passed = 0
    failures = []
    lock = threading.Lock()

    def check(self, name, test):
        try:
            printed = test()
        except Exception as error:
            with self.lock:
                self.failures.append(name)
                print(f"FAILED {name}\n{error if isinstance(error, AssertionError) else repr(error)}")
            return None
        with self.lock:
            self.passed += 1
        return printed


RESULTS = Results()


def run_reference(workspace):
    """All steps of the examples, each by the sample of the reference where it shows one."""
    seen = set()
    for step in EXAMPLES["steps"]:
        operation = step["operation"]
        sample = None if operation in seen else shown(workspace.language, operation)
        seen.add(operation)
        workspace.wait_before(step)
        if sample is None:
            printed = workspace.call(step, *place(operation))
        else:
            name = f"{operation} in {workspace.language}"
            endless = "endless" in step
            printed = RESULTS.check(name, lambda: run_sample(workspace, operation, sample, operation, endless))
            assert printed is not None, f"{name} failed, and what follows needs it"
        workspace.save(step, printed)


def run_guide(workspace, guide, code):
    code = code.replace(EXAMPLE_RECEIVER, f"{RECEIVER}/{workspace.language}/{guide}")
    printed = RESULTS.check(f"{guide} in {workspace.language}", lambda: run_sample(workspace, f"guide-{guide}", code))
    return printed


def run_language(language, guides):
    workspace = Workspace(language, LANGUAGES[language])
    run_reference(workspace)
    for guide, programs in guides.items():
        if language in programs and guide != "webhooks":
            run_guide(workspace, guide, programs[language])
    return workspace


def verify_webhook(workspace, programs):
    """A delivery as it was received is genuine by the sample of each language, and another body is not."""
    stream = programs[ENDLESS]
    RESULTS.check("the stream of webhooks in curl", lambda: run_sample(workspace, "", stream, endless=True))
    secret = json.loads(run_guide(workspace, "webhooks", programs["curl"]))["secret"]
    path = f"/{workspace.language}/webhooks"
    webhooks = workspace.api("GET", "/public/v1/webhooks").json()["webhooks"]
    webhook = next(webhook for webhook in webhooks if webhook["url"].endswith(path))
    assert workspace.api("POST", f"/public/v1/webhooks/{webhook['id']}/test").status_code == 202
    headers, body = until("the delivery", lambda: received.get(path))[0]
    (workspace.folder / "body").write_bytes(body)
    # Servers write the names in another case: Flask has `Webhook-Id`.
    titled = {name.title(): value for name, value in headers.items()}
    workspace.variables.update(SECRET=secret, HEADERS=json.dumps(titled))
    signed = [headers[f"webhook-{name}"] for name in ("id", "timestamp", "signature")]
    drivers = {
        "python": "\nimport json, os\nfrom pathlib import Path\n"
        "print(is_genuine(os.environ['SECRET'], json.loads(os.environ['HEADERS']), Path('body').read_bytes()))",
        "typescript": "import { readFileSync } from 'node:fs';\n"
        "console.log(isGenuine(`${process.env.SECRET}`, JSON.parse(`${process.env.HEADERS}`), readFileSync('body')));",
        "sh openssl": f'is_genuine "$SECRET" {" ".join(map(repr, signed))} body && echo True || echo False',
    }
    compile_typescript({"webhooks": programs["typescript"] + drivers["typescript"]})
    commands = {
        "python": lambda: workspace.run(sys.executable, "-c", programs["python"] + drivers["python"]),
        "typescript": lambda: workspace.run("node", JS / "generated/samples/webhooks.js"),
        "sh openssl": lambda: workspace.run("bash", "-c", programs["sh openssl"] + drivers["sh openssl"]),
    }
    for language, run in commands.items():
        for content, expected in ((body, "true"), (body + b" ", "false")):
            def verify():
                (workspace.folder / "body").write_bytes(content)
                printed = run().strip().lower()
                assert printed == expected, f"{printed}, not {expected}"
            RESULTS.check(f"a body that is {'as' if expected == 'true' else 'not as'} sent, in {language}", verify)


MODEL = serve(int(os.environ["PLAYOUT_MODEL_PORT"]), captions)
RECEIVER = serve(0, receive)


def main():
    guides = {guide: blocks(guide) for guide in GUIDES}
    wanted = sys.argv[1:] or list(LANGUAGES)
    if "typescript" in wanted:
        operations = {step["operation"] for step in EXAMPLES["steps"]}
        samples = {operation: shown("typescript", operation) for operation in operations}
        samples.update({f"guide-{guide}": code["typescript"] for guide, code in guides.items() if "typescript" in code})
        RESULTS.check("the types of the samples in TypeScript", lambda: compile_typescript(samples) or True)
    with ThreadPoolExecutor(len(LANGUAGES)) as pool:
        running = {language: pool.submit(run_language, language, guides) for language in wanted}
        workspaces = {name: RESULTS.check(name, task.result) for name, task in running.items()}
    if workspaces.get("curl"):
        RESULTS.check("webhooks", lambda: verify_webhook(workspaces["curl"], guides["webhooks"]))
    for workspace in filter(None, workspaces.values()):
        shutil.rmtree(workspace.folder)
    operations = [described["operationId"] for methods in DOCUMENT["paths"].values() for described in methods.values()]
    always = ("curl", "python", "typescript")
    missing = [(name, language) for name in operations for language in always if not shown(language, name)]
    assert not missing, f"no samples: {missing}"
    print(f"{RESULTS.passed} passed, {len(RESULTS.failures)} failed")
    sys.exit(1 if RESULTS.failures else 0)


if __name__ == "__main__":
    main()
