"""The API description, read by the programs that API developers use."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.test import Client

from tests.peers.node import FOLDER, run_peer

pytestmark = pytest.mark.django_db

PROGRAM = """
import type { components, paths } from "./registry";

type Read = paths["/api/v1/namespaces/{nid}/"]["get"];
type Namespace = Read["responses"]["200"]["content"]["application/json"];
type Start = NonNullable<
  paths["/api/v1/requests/"]["post"]["requestBody"]
>["content"]["application/json"];
type Problem = components["schemas"]["ProblemDetails"];
type Told = components["schemas"]["WebhookEvent"];

export const start: Start = {
  path: "community",
  organization: "Northlight Seed Vault Federation",
  nid: "seedbank",
};

export async function readVersion(site: string, nid: string): Promise<number | null> {
  const response = await fetch(`${site}/api/v1/namespaces/${nid}/`);
  if (!response.ok) {
    const problem = (await response.json()) as Problem;
    throw new Error(`${problem.type}: ${problem.detail}`);
  }
  const namespace = (await response.json()) as Namespace;
  return namespace.version;
}

export const describe = (told: Told): string => `${told.data.actor} ${told.data.words}`;
"""


@pytest.fixture
def description(client: Client, tmp_path: Path) -> Path:
    """The server's description, in a file."""
    path = tmp_path / "registry.json"
    path.write_bytes(client.get("/api/schema/").content)
    return path


def test_redocly_finds_nothing_wrong(description: Path, tmp_path: Path) -> None:
    config = f"--config={FOLDER / 'redocly.yaml'}"

    said = run_peer("redocly", "lint", config, "--format=json", description, folder=tmp_path)

    found = json.loads(said.stdout[said.stdout.index("{") :])
    assert [f"{each['ruleId']}: {each['message']}" for each in found["problems"]] == []
    assert found["totals"] == {"errors": 0, "warnings": 0, "ignored": 0}


def test_spectral_finds_nothing_wrong(description: Path, tmp_path: Path) -> None:
    ruleset = f"--ruleset={FOLDER / 'spectral.yaml'}"

    said = run_peer(
        "spectral", "lint", ruleset, "--quiet", "--format=json", description, folder=tmp_path
    )

    assert [f"{each['code']}: {each['message']}" for each in json.loads(said.stdout)] == []


def test_types_for_typescript_compile_strictly_with_a_program(
    description: Path, tmp_path: Path
) -> None:
    (tmp_path / "program.ts").write_text(PROGRAM)

    made = run_peer("openapi-typescript", description, "-o", "registry.ts", folder=tmp_path)
    strict = ("--strict", "--noEmit", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes")
    compiled = run_peer(
        "tsc",
        *strict,
        "--target",
        "es2022",
        "--module",
        "esnext",
        "--moduleResolution",
        "bundler",
        "program.ts",
        folder=tmp_path,
    )

    assert made.returncode == 0, made.stderr
    assert (compiled.returncode, compiled.stdout) == (0, "")


def test_description_that_is_wrong_is_noticed(description: Path, tmp_path: Path) -> None:
    told = json.loads(description.read_text())
    told["paths"]["/api/v1/namespaces/"]["get"]["operationId"] = "read_namespace"
    description.write_text(json.dumps(told))

    config = f"--config={FOLDER / 'redocly.yaml'}"
    said = run_peer("redocly", "lint", config, description, folder=tmp_path)

    assert said.returncode == 1
