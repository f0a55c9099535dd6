"""Renders the chart with Helm as an operator would and checks what Kubernetes would get."""

import base64
import functools
import unittest
from collections.abc import Callable
from typing import Any

import kubernetes_validate
import yaml
from helm_python import Chart, HelmError, chart

import checkout

PATH = checkout.DEPLOY / "helm/playout"
# The oldest that Chart.yaml allows, and the newest that has schemas.
KUBERNETES = ("1.27", kubernetes_validate.latest_version())
SECRETS = {
    "PLAYOUT_DATABASE_URL": "postgres://playout:word@db.example.org/playout",
    "PLAYOUT_SECRET_KEY": "a2V5",
    "AWS_SECRET_ACCESS_KEY": "word",
}
NEEDED: dict[str, Any] = {
    "image": {"repository": "registry.example.org/playout"},
    "baseUrl": "https://posts.example.org",
    "storageUrl": "s3://playout-media",
    "secret": {"existing": "playout-settings"},
}
APART = {"all": {"replicas": 0}, "api": {"replicas": 3}, "worker": {"replicas": 2}}
CASES: dict[str, dict[str, Any]] = {
    "defaults": {},
    "roles apart": {"roles": APART},
    "secret of the chart": {"secret": {"existing": "", "values": SECRETS}},
    "ingress": {
        "trustedProxies": "10.0.0.0/8",
        "ingress": {
            "enabled": True,
            "className": "nginx",
            "tlsSecret": "posts-tls",
            "annotations": {"nginx.ingress.kubernetes.io/proxy-body-size": "0"},
        },
    },
    "autoscaling": {"roles": {**APART, "api": {"autoscaling": {"enabled": True}}}},
    "everything else": {
        "image": {"repository": "registry.example.org/playout", "tag": "1.2.3"},
        "imagePullSecrets": [{"name": "registry"}],
        "settings": {"AWS_REGION": "eu-central-1", "PLAYOUT_WORKER_CONCURRENCY": 128, "PLAYOUT_LOG_FORMAT": "json"},
        "serviceAccount": {"annotations": {"example.org/role": "playout"}},
        "service": {"annotations": {"example.org/scheme": "internal"}},
        "podAnnotations": {"example.org/logs": "json"},
        "nodeSelector": {"kubernetes.io/arch": "amd64"},
        "tolerations": [{"key": "posts", "operator": "Exists"}],
        "priorityClassName": "high",
        "podDisruptionBudget": {"enabled": False},
    },
    "another service account": {"serviceAccount": {"create": False, "name": "posts"}},
}


Manifests = dict[str, list[dict[str, Any]]]


def rendered(values: dict[str, Any]) -> Manifests:
    """The manifests by kind, for the values that are needed and these."""
    with Chart.load(PATH) as loaded:
        texts = loaded.render(values={**NEEDED, **values}, name="posts", namespace="publishing")
    by_kind: Manifests = {}
    for path, text in texts.items():
        for manifest in yaml.safe_load_all(text) if path.endswith(".yaml") else []:
            if manifest:
                by_kind.setdefault(manifest["kind"], []).append(manifest)
    return by_kind


def pods(kinds: Manifests) -> list[dict[str, Any]]:
    return [deployment["spec"]["template"] for deployment in kinds["Deployment"]]


def container(pod: dict[str, Any]) -> dict[str, Any]:
    return pod["spec"]["containers"][0]


def of_each_case(test: Callable[[unittest.TestCase, Manifests], None]) -> Callable[[unittest.TestCase], None]:
    @functools.wraps(test)
    def of_all(self: unittest.TestCase) -> None:
        for name, values in CASES.items():
            with self.subTest(name):
                test(self, rendered(values))

    return of_all


class TheChart(unittest.TestCase):
    def refuses(self, values: dict[str, Any], reason: str) -> None:
        with self.assertRaisesRegex(HelmError, reason):
            rendered(values)

    def test_has_no_warning(self):
        for name, values in CASES.items():
            with self.subTest(name):
                report = chart.lint(PATH, {**NEEDED, **values}, strict=True)
                warnings = [message for message in report["messages"] if message["severity"] > 1]
                self.assertEqual((warnings, report["errors"]), ([], []))

    @of_each_case
    def test_makes_manifests_of_the_schemas_of_kubernetes(self, kinds):
        for manifest in (one for manifests in kinds.values() for one in manifests):
            for version in KUBERNETES:
                kubernetes_validate.validate(manifest, version, strict=True)

    @of_each_case
    def test_sets_no_variable_that_the_service_does_not_know_or_that_is_set_twice(self, kinds):
        for pod in pods(kinds):
            names = [variable["name"] for variable in container(pod)["env"]]
            self.assertLessEqual(set(names), checkout.settings())
            self.assertEqual(len(names), len(set(names)))

    @of_each_case
    def test_fits_the_image(self, kinds):
        image = checkout.image()
        for pod in pods(kinds):
            variables = {variable["name"]: variable.get("value") for variable in container(pod)["env"]}
            for name in ("PLAYOUT_LISTEN", "PLAYOUT_DATA_DIR"):
                self.assertEqual(variables[name], image[name])
            user = pod["spec"]["securityContext"]
            self.assertEqual(f"{user['runAsUser']}:{user['runAsGroup']}", image["USER"])
            self.assertEqual(container(pod)["ports"], [{"name": "http", "containerPort": checkout.PORT}])
            self.assertEqual(container(pod)["volumeMounts"][0]["mountPath"], image["PLAYOUT_DATA_DIR"])

    @of_each_case
    def test_asks_addresses_that_the_service_has(self, kinds):
        for pod in pods(kinds):
            probes = {kind: container(pod)[f"{kind}Probe"]["httpGet"] for kind in ("startup", "liveness", "readiness")}
            self.assertEqual({probe["port"] for probe in probes.values()}, {"http"})
            self.assertEqual(probes["liveness"]["path"], "/healthz")
            self.assertEqual(probes["readiness"]["path"], "/readyz")
            self.assertLessEqual({probe["path"] for probe in probes.values()}, checkout.routes())

    @of_each_case
    def test_gives_a_node_longer_to_stop_than_it_answers_requests(self, kinds):
        for pod in pods(kinds):
            [drain] = [one["value"] for one in container(pod)["env"] if one["name"] == "PLAYOUT_DRAIN_SECONDS"]
            self.assertGreater(pod["spec"]["terminationGracePeriodSeconds"], int(drain))
            readiness = container(pod)["readinessProbe"]
            self.assertGreater(int(drain), readiness["periodSeconds"] * readiness["failureThreshold"])

    def test_rejects_a_node_that_is_killed_while_it_answers(self):
        self.refuses({"drainSeconds": 60, "terminationGracePeriodSeconds": 60}, "longer than drainSeconds")

    @of_each_case
    def test_gives_a_node_no_rights(self, kinds):
        for pod in pods(kinds):
            own = container(pod)["securityContext"]
            self.assertTrue(pod["spec"]["securityContext"]["runAsNonRoot"])
            self.assertEqual(pod["spec"]["securityContext"]["seccompProfile"], {"type": "RuntimeDefault"})
            self.assertEqual(own["capabilities"], {"drop": ["ALL"]})
            self.assertTrue(own["readOnlyRootFilesystem"])
            self.assertFalse(own["allowPrivilegeEscalation"])
            self.assertFalse(pod["spec"]["automountServiceAccountToken"])
            self.assertIn("memory", container(pod)["resources"]["limits"])

    @of_each_case
    def test_starts_no_node_without_database_and_key(self, kinds):
        for pod in pods(kinds):
            references = {one["name"]: one["valueFrom"]["secretKeyRef"] for one in container(pod)["env"] if "valueFrom" in one}
            self.assertEqual(set(references), {"PLAYOUT_DATABASE_URL", "PLAYOUT_SECRET_KEY"})
            [every] = container(pod)["envFrom"]
            for name, reference in references.items():
                self.assertEqual((reference["key"], reference.get("optional")), (name, None))
                self.assertEqual(reference["name"], every["secretRef"]["name"])

    def test_runs_the_roles_that_are_wanted(self):
        def roles(values):
            return {container(pod)["args"][-1] for pod in pods(rendered(values))}

        self.assertEqual(roles({}), {"all"})
        self.assertEqual(roles({"roles": APART}), {"api", "worker"})
        self.refuses({"roles": {"all": {"replicas": 0}, "worker": {"replicas": 1}}}, "no node answers requests")
        self.refuses({"roles": {"all": {"replicas": 0}, "api": {"replicas": 1}}}, "no node publishes")

    @of_each_case
    def test_sends_requests_to_nodes_that_answer_them(self, kinds):
        [service] = kinds["Service"]
        selector = service["spec"]["selector"].items()
        for pod in pods(kinds):
            self.assertEqual(selector <= pod["metadata"]["labels"].items(), container(pod)["args"][-1] != "worker")

    @of_each_case
    def test_names_pods_alike_everywhere(self, kinds):
        labels = {deployment["metadata"]["name"]: deployment["spec"]["template"]["metadata"]["labels"] for deployment in kinds["Deployment"]}
        selecting = kinds["Deployment"] + kinds.get("PodDisruptionBudget", [])
        for manifest in selecting:
            selector = manifest["spec"]["selector"]["matchLabels"].items()
            self.assertLessEqual(selector, labels[manifest["metadata"]["name"]].items())
        spreading = [pod["spec"]["topologySpreadConstraints"][0]["labelSelector"]["matchLabels"] for pod in pods(kinds)]
        for selector, pod in zip(spreading, pods(kinds)):
            self.assertLessEqual(selector.items(), pod["metadata"]["labels"].items())

    def test_lets_one_node_of_a_role_be_away(self):
        budgets = rendered({"roles": APART})["PodDisruptionBudget"]
        self.assertEqual([budget["spec"]["maxUnavailable"] for budget in budgets], [1, 1])
        self.assertNotIn("PodDisruptionBudget", rendered(CASES["everything else"]))

    def test_leaves_the_number_of_nodes_to_an_autoscaler(self):
        kinds = rendered(CASES["autoscaling"])
        [autoscaler] = kinds["HorizontalPodAutoscaler"]
        by_name = {deployment["metadata"]["name"]: deployment["spec"] for deployment in kinds["Deployment"]}
        self.assertNotIn("replicas", by_name[autoscaler["spec"]["scaleTargetRef"]["name"]])
        self.assertEqual(by_name["posts-playout-worker"]["replicas"], 2)

    def test_has_an_ingress_at_the_public_address(self):
        self.assertNotIn("Ingress", rendered({}))
        kinds = rendered(CASES["ingress"])
        [ingress] = kinds["Ingress"]
        [rule] = ingress["spec"]["rules"]
        [path] = rule["http"]["paths"]
        self.assertEqual((rule["host"], ingress["spec"]["tls"][0]["hosts"]), ("posts.example.org", ["posts.example.org"]))
        self.assertEqual(path["backend"]["service"]["name"], kinds["Service"][0]["metadata"]["name"])
        [ingress] = rendered({**CASES["ingress"], "baseUrl": "https://posts.example.org:8443"})["Ingress"]
        self.assertEqual(ingress["spec"]["rules"][0]["host"], "posts.example.org")

    def test_keeps_secrets_in_a_secret(self):
        kinds = rendered(CASES["secret of the chart"])
        [secret] = kinds["Secret"]
        self.assertEqual({name: base64.b64decode(value).decode() for name, value in secret["data"].items()}, SECRETS)
        self.assertNotIn("word", yaml.safe_dump(kinds["Deployment"]))
        self.assertNotIn("Secret", rendered({}))
        changed = {"secret": {"values": {**SECRETS, "AWS_SECRET_ACCESS_KEY": "another"}}}
        before, after = (pods(rendered(values))[0]["metadata"]["annotations"] for values in (CASES["secret of the chart"], changed))
        self.assertNotEqual(before["checksum/secret"], after["checksum/secret"])
        self.refuses({"secret": {"existing": "playout-settings", "values": SECRETS}}, "not both")

    def test_names_what_is_missing(self):
        self.refuses({"image": {"repository": ""}}, "set image.repository .* there is no published one")
        self.refuses({"baseUrl": ""}, "set baseUrl")
        self.refuses({"storageUrl": ""}, "set storageUrl")
        for name in ("PLAYOUT_DATABASE_URL", "PLAYOUT_SECRET_KEY"):
            values = {key: value for key, value in SECRETS.items() if key != name}
            self.refuses({"secret": {"values": values}}, f"set secret.existing, or secret.values.{name}")

    def test_refuses_values_that_it_does_not_know(self):
        for values in (
            {"replicas": 3},
            {"storageUrl": "file:///srv/media"},
            {"settings": {"PLAYOUT_DATABASE_URL": "postgres://"}},
            {"settings": {"RUST_LOG": "debug"}},
            {"secret": {"values": {**SECRETS, "PLAYOUT_DATABASE_URL": "sqlite://playout.db"}}},
            {"roles": {"worker": {"replicas": 1, "autoscaling": {"enabled": True}}}},
        ):
            with self.subTest(values):
                self.refuses(values, "don't meet the specifications|additional properties|does not match|not allowed")

    def test_has_the_version_of_the_service(self):
        with Chart.load(PATH) as loaded:
            self.assertEqual({loaded.metadata["version"], loaded.metadata["appVersion"]}, {checkout.version()})
        self.assertEqual(container(pods(rendered({}))[0])["image"], f"registry.example.org/playout:{checkout.version()}")


if __name__ == "__main__":
    unittest.main()
