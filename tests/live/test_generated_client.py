"""A generated client registers a namespace from start to end."""

from __future__ import annotations

import importlib
import subprocess
import sys
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest
from django.test import Client

from registry.models import Namespace, Token, User
from tests.live.servers import ROOT, gunicorn
from tests.sign_in import ALL_SCOPES
from tests.template.samples import FORMAL

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE: Final = 120
PACKAGE: Final = "registry_client"
MYPY_SETTINGS: Final = f"""
[mypy]
strict = true

# This module is the generator's own, alike for every description: it hands the arguments of
# __exit__ on as objects. httpx wants to know their types.
[mypy-{PACKAGE}.client]
disable_error_code = arg-type
"""
MYPY_CACHE: Final = ROOT / ".cache" / "mypy-client"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    home = tmp_path / "home"
    home.mkdir()
    with gunicorn(home) as url:
        yield url


def generate_client(source: str, folder: Path) -> None:
    """Generate the package into `folder`, from the description at `source`."""
    generate = [sys.executable, "-m", "openapi_python_client", "generate", source]
    where = [f"--output-path={folder / PACKAGE}", "--meta=none"]
    subprocess.run([*generate, *where], check=True, timeout=PATIENCE, cwd=folder)


@pytest.fixture
def client(site: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """Generate a client from the server's description, and import it."""
    generate_client(f"--url={site}/api/schema/", tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module(PACKAGE)
    for name in [each for each in sys.modules if each.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


@dataclass(frozen=True)
class Person:
    """A person's program, which knows the registry only through the generated client."""

    client: Any

    @classmethod
    def of(cls, made: ModuleType, site: str, user: User) -> Person:
        """Return a program with a token of `user`."""
        _token, shown = Token.objects.create(
            user=user, name="client", form_key=uuid.uuid4(), scopes=ALL_SCOPES
        )
        return cls(made.AuthenticatedClient(base_url=site, token=shown, prefix="Token"))

    def call(self, operation: str, *args: Any, status: int = 200, **kwargs: Any) -> Any:
        """Call an operation of the requests; return response and entity tag."""
        module = importlib.import_module(f"{PACKAGE}.api.requests.{operation}")
        answer = module.sync_detailed(*args, client=self.client, **kwargs)
        assert answer.status_code == status, answer.content
        return answer.parsed, answer.headers.get("ETag")

    def take(self, reference: str, verb: str, **said: Any) -> Any:
        """Take a step on the request as it is read now; return the updated request."""
        models = importlib.import_module(f"{PACKAGE}.models")
        _request, seen = self.call("read_request", reference)
        step = getattr(models.RequestStepVerb, verb.upper())
        body = models.StepInput.from_dict(said)
        key = str(uuid.uuid4())
        parsed, _tag = self.call(
            "request_step", reference, step, body=body, if_match=seen, idempotency_key=key
        )
        return parsed


def test_generated_client_is_typed_strictly(tmp_path: Path) -> None:
    described = tmp_path / "schema.json"
    described.write_bytes(Client().get("/api/schema/").content)
    generate_client(f"--path={described}", tmp_path)
    settings = tmp_path / "mypy.ini"
    settings.write_text(MYPY_SETTINGS, encoding="ascii")

    check = [sys.executable, "-m", "mypy", f"--config-file={settings}", f"--package={PACKAGE}"]
    said = subprocess.run(
        [*check, f"--cache-dir={MYPY_CACHE}"],
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        cwd=tmp_path,
    )

    assert said.returncode == 0, said.stdout + said.stderr
    assert said.stdout.startswith("Success")


def test_generated_client_registers_a_namespace(
    client: ModuleType,
    site: str,
    registrant: User,
    lead: User,
    expert: User,
    registrar: User,
) -> None:
    models = importlib.import_module(f"{PACKAGE}.models")
    author, leader, judge, publisher = (
        Person.of(client, site, each) for each in (registrant, lead, expert, registrar)
    )
    anybody = client.Client(base_url=site)
    asked = models.StartInput.from_dict(
        {
            "path": "community",
            "organization": "Northlight Seed Vault Federation",
            "nid": "seedbank",
            "summary": "Accessions held by federated seed vaults",
            "standards_action": False,
        }
    )
    text = {
        name: value for name, value in FORMAL.to_dict().items() if name not in {"version", "date"}
    }

    started, _tag = author.call("request_start", body=asked, status=201)
    reference = started.reference.lower()
    _draft, seen = author.call("read_draft", reference)
    said = models.PatchedDraftInput.from_dict({"template": text})
    draft, _tag = author.call("draft_write", reference, body=said, if_match=seen)
    author.take(reference, "submit", edition=draft.edition)
    leader.take(reference, "assign", expert=expert.email)
    judge.take(
        reference,
        "approve",
        comment="Sound.",
        unanswered="The text answers them.",
        haste="The list has discussed it.",
        acts_for="The federation wrote to us.",
    )
    # No mail leaves this server, so the registrar says where else the text was posted.
    posted = "By hand, https://lists.example/archive/1"
    publisher.take(reference, "record_evidence", about="list", comment=posted)
    done = publisher.take(
        reference, "register", references=["A specification"], confirmation="seedbank"
    )

    read = importlib.import_module(f"{PACKAGE}.api.namespaces.read_namespace")
    public = read.sync("SEEDBANK", client=anybody)
    for each in (author.client, leader.client, judge.client, publisher.client, anybody):
        each.get_httpx_client().close()
    assert (done.state, done.namespace) == ("registered", "seedbank")
    assert (public.nid, public.version, public.registrant) == (
        "seedbank",
        1,
        "Northlight Seed Vault Federation",
    )
    assert public.current.template.purpose == FORMAL["purpose"]
    assert public.references == ["A specification"]
    assert Namespace.objects.get().nid == "seedbank"
