"""TypeScript clients that three generators write from the description, compiled strictly.

Each registers a namespace on a running server.
"""

from __future__ import annotations

import json
import shutil
import uuid
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Final
from urllib.request import ProxyHandler, build_opener

import pytest

from registry.models import Namespace, Token, User
from tests.live.servers import gunicorn
from tests.peers.node import FOLDER, install_peers, run_node, run_peer
from tests.peers.python import run_python_peer
from tests.sign_in import ALL_SCOPES
from tests.template.samples import FORMAL

pytestmark = pytest.mark.django_db(transaction=True)

STRICT: Final = ("--strict", "--skipLibCheck")
INDEXED: Final = "--noUncheckedIndexedAccess"
MODULES: Final = ("--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext")
RUN_OPENAPI_GENERATOR: Final = """
import sys
import openapi_generator_cli
sys.exit(openapi_generator_cli.run(sys.argv[1:]).returncode)
"""
PARTS_OF_A_CLIENT: Final = "models,apis,supportingFiles,modelDocs=false,apiDocs=false"
"""openapi-generator's output: webhooks are for servers, and their file lacks its imports."""


def run_openapi_typescript(code: Path) -> CompletedProcess[str]:
    """Generate the types of all operations, which openapi-fetch uses for requests."""
    return run_peer("openapi-typescript", "registry.json", "-o", "registry.ts", folder=code)


def run_orval(code: Path) -> CompletedProcess[str]:
    """Generate a function for each operation."""
    folder = FOLDER / "orval"
    shutil.copy(folder / "orval.config.mjs", code)
    return run_peer("orval", "--config", "orval.config.mjs", folder=code, pinned=folder)


def run_openapi_generator(code: Path) -> CompletedProcess[str]:
    """Generate a class for each tag, with typescript-fetch."""
    return run_python_peer(
        RUN_OPENAPI_GENERATOR,
        "generate",
        "--generator-name=typescript-fetch",
        f"--input-spec={code / 'registry.json'}",
        f"--output={code / 'registry'}",
        f"--global-property={PARTS_OF_A_CLIENT}",
        "--additional-properties=importFileExtension=.js",
    )


def show_token(user: User) -> str:
    """Return a token with which programs act for somebody."""
    _token, shown = Token.objects.create(
        user=user, name="client", form_key=uuid.uuid4(), scopes=ALL_SCOPES
    )
    return str(shown)


@pytest.mark.parametrize(
    ("program", "generate", "strict"),
    [
        ("register_openapi_typescript", run_openapi_typescript, (*STRICT, INDEXED)),
        ("register_orval", run_orval, (*STRICT, INDEXED)),
        # Its shared runtime does not check whether an indexed value exists.
        ("register_openapi_generator", run_openapi_generator, STRICT),
    ],
    ids=["openapi-typescript", "orval", "openapi-generator"],
)
def test_typescript_client_registers_a_namespace(
    tmp_path: Path,
    registrant: User,
    lead: User,
    expert: User,
    registrar: User,
    program: str,
    generate: Callable[[Path], CompletedProcess[str]],
    strict: tuple[str, ...],
) -> None:
    home, code = tmp_path / "home", tmp_path / "code"
    home.mkdir()
    code.mkdir()
    (code / "node_modules").symlink_to(install_peers() / "node_modules")
    (code / "package.json").write_text('{"type": "module"}')
    shutil.copy(FOLDER / f"{program}.ts", code)
    people = {"author": registrant, "lead": lead, "expert": expert, "registrar": registrar}
    known = {
        name: text for name, text in FORMAL.to_dict().items() if name not in {"version", "date"}
    }

    with gunicorn(home) as site:
        with build_opener(ProxyHandler({})).open(f"{site}/api/schema/", timeout=60) as answer:
            (code / "registry.json").write_bytes(answer.read())
        made = generate(code)
        compiled = run_peer("tsc", *strict, *MODULES, f"{program}.ts", folder=code)
        told = {
            "site": site,
            "tokens": {name: show_token(person) for name, person in people.items()},
            "expert": expert.email,
            "template": known,
        }
        said = run_node(code / f"{program}.js", json.dumps(told))

    assert made.returncode == 0, made.stdout + made.stderr
    assert (compiled.returncode, compiled.stdout) == (0, "")
    assert said.returncode == 0, said.stderr
    assert json.loads(said.stdout) == [
        "registered",
        "seedbank",
        1,
        "Northlight Seed Vault Federation",
    ]
    assert Namespace.objects.get().nid == "seedbank"
