"""Reads compose.yaml with docker-compose and haproxy.cfg with HAProxy, and checks what an engine would start."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any

import yaml

import checkout

FILE = checkout.DEPLOY / "compose.yaml"
NODES = ("api", "worker")
# What compose.yaml itself reads of .env.
ITS_OWN = {"COMPOSE_PROJECT_NAME", "PLAYOUT_IMAGE", "POSTGRES_PASSWORD", "API_NODES", "WORKER_NODES", "SUBNET", "TLS_PEM"}
GIVEN = {"POSTGRES_PASSWORD": "word", "PLAYOUT_SECRET_KEY": "a2V5"}


def example() -> dict[str, str]:
    """The variables of example.env, those that are commented out included."""
    return dict(re.findall(r"^#?([A-Z_]+)=(.*)$", checkout.text("deploy/example.env"), re.MULTILINE))


def seconds(duration: str) -> int:
    return sum(int(number) * {"s": 1, "m": 60}[unit] for number, unit in re.findall(r"(\d+)([ms])", duration))


def config(variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """What docker-compose makes of the file with these variables in .env."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(FILE, folder)
        env = "".join(f"{name}={value}\n" for name, value in variables.items())
        (Path(folder) / ".env").write_text(env, encoding="utf-8")
        command = ["docker-compose", "--file", str(Path(folder) / FILE.name), "config"]
        home = {"PATH": os.environ["PATH"], "HOME": folder}
        return subprocess.run(command, cwd=folder, env=home, capture_output=True, text=True, check=False)


class TheComposeFile(unittest.TestCase):
    def setUp(self):
        self.file: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
        self.services = self.file["services"]

    def test_is_accepted_with_the_variables_of_the_example(self):
        found = config({**example(), **GIVEN, "API_NODES": "3"})
        self.assertEqual(found.returncode, 0, found.stderr)
        services = yaml.safe_load(found.stdout)["services"]
        self.assertEqual(set(services), {"postgres", "api", "worker", "haproxy"})
        self.assertEqual((services["api"]["deploy"]["replicas"], services["worker"]["deploy"]["replicas"]), (3, 2))
        self.assertEqual(services["worker"]["environment"]["AWS_REGION"], example()["AWS_REGION"])

    def test_names_each_variable_that_is_missing(self):
        needed = set(re.findall(r"\$\{(\w+):\?", FILE.read_text(encoding="utf-8")))
        self.assertEqual(
            needed,
            {"PLAYOUT_IMAGE", "PLAYOUT_BASE_URL", "PLAYOUT_DATABASE_URL", "PLAYOUT_STORAGE_URL", "PLAYOUT_SECRET_KEY", "POSTGRES_PASSWORD"},
        )
        for name in needed:
            with self.subTest(name):
                found = config({**example(), **GIVEN, name: ""})
                self.assertNotEqual(found.returncode, 0)
                self.assertIn(name, found.stderr)

    def test_sets_no_variable_that_the_service_does_not_know(self):
        for name in NODES:
            self.assertLessEqual(set(self.services[name]["environment"]), checkout.settings())
        self.assertLessEqual(set(example()) - ITS_OWN, checkout.settings())
        self.assertLessEqual(set(checkout.image()) - {"USER"}, checkout.settings())
        read = set(re.findall(r"\$\{(\w+)", FILE.read_text(encoding="utf-8")))
        self.assertLessEqual(read, ITS_OWN | checkout.settings())

    def test_gives_no_container_rights(self):
        for name, service in self.services.items():
            with self.subTest(name):
                self.assertEqual(service["cap_drop"], ["ALL"])
                self.assertEqual(service["security_opt"], ["no-new-privileges:true"])
                self.assertTrue(service["read_only"])
                self.assertIn("mem_limit", service)
                self.assertNotIn("privileged", service)

    def test_runs_both_roles_and_lets_them_end_what_they_have_begun(self):
        for role in NODES:
            node = self.services[role]
            self.assertEqual(node["command"], ["serve", "--role", role])
            drain = int(node["environment"]["PLAYOUT_DRAIN_SECONDS"])
            self.assertGreater(seconds(node["stop_grace_period"]), drain)

    def test_gives_each_node_a_data_directory_of_its_own(self):
        for role in NODES:
            # Without a name before it: a volume for each container.
            self.assertEqual(self.services[role]["volumes"], [checkout.image()["PLAYOUT_DATA_DIR"]])

    def test_asks_nodes_whether_they_are_ready(self):
        self.assertTrue(checkout.image()["PLAYOUT_LISTEN"].endswith(f":{checkout.PORT}"))
        for role in NODES:
            self.assertEqual(self.services[role]["healthcheck"]["test"][-1], f"http://127.0.0.1:{checkout.PORT}/readyz")
        self.assertLessEqual(set(checkout.PROBES), checkout.routes())

    def test_opens_the_proxy_alone_and_lets_it_reach_no_database(self):
        self.assertEqual([name for name, service in self.services.items() if "ports" in service], ["haproxy"])
        self.assertNotIn("networks", self.services["haproxy"])
        self.assertEqual(self.services["postgres"]["networks"], ["database"])
        self.assertEqual(self.file["networks"]["database"], {"internal": True})
        subnet = self.file["networks"]["default"]["ipam"]["config"][0]["subnet"]
        self.assertEqual(self.services["api"]["environment"]["PLAYOUT_TRUSTED_PROXIES"], subnet)


class TheProxy(unittest.TestCase):
    def setUp(self):
        self.text = checkout.text("deploy/haproxy.cfg")
        self.lines = {line.strip() for line in self.text.splitlines()}

    def test_is_accepted_without_a_warning(self):
        with tempfile.TemporaryDirectory() as folder:
            key, certificate = Path(folder) / "key", Path(folder) / "certificate"
            make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=posts.example.org", "-keyout", key, "-out", certificate]
            subprocess.run(make, capture_output=True, check=True)
            pem, settings = Path(folder) / "tls.pem", Path(folder) / "haproxy.cfg"
            pem.write_bytes(certificate.read_bytes() + key.read_bytes())
            settings.write_text(self.text.replace("/run/secrets/tls.pem", str(pem)), encoding="utf-8")
            haproxy = shutil.which("haproxy") or "/usr/sbin/haproxy"
            checked = subprocess.run([haproxy, "-c", "-f", settings], capture_output=True, text=True, check=False)
        self.assertEqual(checked.returncode, 0, checked.stderr)
        self.assertNotIn("WARNING", checked.stderr)

    def test_has_the_settings_of_the_documentation(self):
        [_, documented] = checkout.text("docs/nodes.md").split("```haproxy\n")
        listen = documented.partition("```")[0].partition("listen playout")[2]
        wanted = {line.strip() for line in listen.splitlines()} - {""}
        ours = {line for line in wanted if not line.startswith("server node")}
        missing = {line for line in ours if not any(line in have for have in self.lines)}
        self.assertEqual(missing, set())

    def test_finds_the_nodes_that_answer_requests(self):
        [(most, name, port)] = re.findall(r"^    server-template api (\d+) (\w+):(\d+)$", self.text, re.MULTILINE)
        self.assertEqual((name, int(port)), ("api", checkout.PORT))
        self.assertGreaterEqual(int(most), int(example()["API_NODES"]))

    def test_notices_a_node_that_stops_before_it_closes(self):
        [(inter, fall)] = re.findall(r"default-server check inter (\d+)s fall (\d+)", self.text)
        drain = yaml.safe_load(FILE.read_text(encoding="utf-8"))["services"]["api"]["environment"]["PLAYOUT_DRAIN_SECONDS"]
        self.assertLess(int(inter) * int(fall), int(drain))

    def test_has_the_ports_and_the_files_that_the_compose_file_gives_it(self):
        service = yaml.safe_load(FILE.read_text(encoding="utf-8"))["services"]["haproxy"]
        self.assertEqual([port.split(":")[1] for port in service["ports"]], re.findall(r"bind :(\d+)", self.text))
        targets = [volume.rsplit(":", 2)[1] for volume in service["volumes"]]
        self.assertIn(re.search(r" crt (\S+)", self.text)[1], targets)


if __name__ == "__main__":
    unittest.main()
