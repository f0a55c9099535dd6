"""Writes `operations.py` and `events.py` of the package: a method for each operation of the API, the class of each event.

The types are those of the code that openapi-python-client made; the texts and the order are those of `openapi.json`.
"""

import ast
import json
import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

# `upload` does what the first does; the second is a stream without an end.
LEFT_OUT = {"uploadMedia", "followEvents"}
TAGS_LEFT_OUT = {"Resumable uploads"}
METHODS = ("get", "post", "put", "patch", "delete")

OPERATIONS = '''\
"""The operations of the API. Generated: change `openapi.json` instead."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from types import ModuleType
from typing import Any
from uuid import UUID

{imports}
from .generated.types import UNSET, File, Unset
from .responses import Response

Call = Callable[[ModuleType, dict[str, Any]], Response[Any]]


class DetailedOperations:
    """The operations of the API; each returns the response with its headers."""

    def __init__(self, call: Call) -> None:
        self._call = call

{detailed}

class Operations:
    """The operations of the API; each returns the body of the response."""

    with_response: DetailedOperations
    """The same operations with the headers of their responses, such as `etag`."""

    def __init__(self, with_response: DetailedOperations) -> None:
        self.with_response = with_response

{plain}'''

EVENTS = '''\
"""The events of webhooks. Generated: change `openapi.json` instead."""

from __future__ import annotations

from .generated.models import ({names})

KnownEvent = {union}

EVENTS: dict[str, type[KnownEvent]] = {{{entries}}}
'''


def snake(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower())


@dataclass
class Operation:
    """An operation and its generated function."""

    name: str
    module: str
    text: str
    function: ast.FunctionDef

    @property
    def parameters(self) -> list[tuple[str, str, bool]]:
        """Name, type, and whether it may be left out; those that may not come first."""
        arguments = self.function.args
        found = [(argument, None) for argument in arguments.args]
        found += list(zip(arguments.kwonlyargs, arguments.kw_defaults))
        listed = [
            (argument.arg, self.type_of(argument), default is not None)
            for argument, default in found
            # A read of a known version has no body to return.
            if argument.arg not in ("client", "if_none_match")
        ]
        return sorted(listed, key=lambda parameter: parameter[2])

    def type_of(self, argument: ast.arg) -> str:
        assert argument.annotation
        return re.sub(r"\bUUID\b", "UUID | str", ast.unparse(argument.annotation))

    @property
    def result(self) -> str:
        """What it returns where it succeeds."""
        assert isinstance(self.function.returns, ast.Subscript)
        kinds = [kind.strip() for kind in ast.unparse(self.function.returns.slice).split("|")]
        return " | ".join(kind for kind in kinds if kind not in ("Error", "Any")) or "None"

    def signature(self, result: str) -> str:
        needed = [f"{name}: {kind}" for name, kind, may_miss in self.parameters if not may_miss]
        others = [f"{name}: {kind} = UNSET" for name, kind, may_miss in self.parameters if may_miss]
        star = ["*"] if others else []
        return f"def {self.name}({', '.join(['self', *needed, *star, *others])}) -> {result}:"

    def method(self, result: str, body: list[str]) -> str:
        text = '"""' + self.text.replace("\\", "\\\\") + '\n"""'
        lines = [self.signature(result), textwrap.indent(text, "    "), *(f"    {line}" for line in body)]
        return textwrap.indent("\n".join(lines), "    ") + "\n"

    def detailed(self) -> str:
        arguments = ", ".join(f'"{name}": {name}' for name, _, _ in self.parameters)
        line = f"response: Response[{self.result}] = self._call(_{self.name}, {{{arguments}}})"
        return self.method(f"Response[{self.result}]", [line, "return response"])

    def plain(self) -> str:
        arguments = ", ".join(f"{name}={name}" if may_miss else name for name, _, may_miss in self.parameters)
        call = f"self.with_response.{self.name}({arguments})"
        return self.method(self.result, [call] if self.result == "None" else [f"return {call}.parsed"])


def operations(document: dict, package: Path) -> list[Operation]:
    found = []
    for path, methods in document["paths"].items():
        for method in METHODS:
            operation = methods.get(method)
            if operation is None or not path.startswith("/public/v1/"):
                continue
            tag, name = operation["tags"][0], operation["operationId"]
            if tag in TAGS_LEFT_OUT or name in LEFT_OUT:
                continue
            module = f"generated/api/{snake(tag)}/{snake(name)}.py"
            tree = ast.parse((package / module).read_text())
            functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
            function = next(node for node in functions if node.name == "sync_detailed")
            text = f"{operation['summary']}.\n\n{operation.get('description', '')}".strip()
            found.append(Operation(snake(name), f".generated.api.{snake(tag)}", text, function))
    return found


def imports(found: list[Operation], package: Path) -> str:
    models = set(ast.literal_eval(all_of((package / "generated/models/__init__.py").read_text())))
    used = {
        word
        for operation in found
        for text in (operation.result, *(kind for _, kind, _ in operation.parameters))
        for word in re.findall(r"\w+", text)
    }
    lines = [f"from {one.module} import {one.name} as _{one.name}" for one in found]
    return "\n".join([*lines, f"from .generated.models import {', '.join(sorted(used & models))}"])


def all_of(text: str) -> ast.expr:
    assignments = [node for node in ast.parse(text).body if isinstance(node, ast.Assign)]
    return next(node.value for node in assignments if getattr(node.targets[0], "id", "") == "__all__")


def write(document_path: Path, package: Path) -> None:
    document = json.loads(document_path.read_text())
    found = operations(document, package)
    (package / "operations.py").write_text(
        OPERATIONS.format(
            imports=imports(found, package),
            detailed="\n".join(operation.detailed() for operation in found),
            plain="\n".join(operation.plain() for operation in found),
        )
    )
    events = {
        name: event["post"]["requestBody"]["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[1]
        for name, event in document["webhooks"].items()
    }
    (package / "events.py").write_text(
        EVENTS.format(
            names=", ".join(sorted(events.values())),
            union=" | ".join(events.values()),
            entries=", ".join(f'"{name}": {model}' for name, model in events.items()),
        )
    )
