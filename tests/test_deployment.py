"""The files of `deploy/` are consistent with the registry and each other."""

from __future__ import annotations

import json
import os
import re
import runpy
import shlex
import subprocess
import sys
from contextlib import nullcontext
from fnmatch import fnmatch
from pathlib import Path
from types import SimpleNamespace
from typing import Final

import pytest
import yaml
from django.core.management import get_commands
from django.test import override_settings
from gunicorn.config import Config
from pytest_django import Settings

from tests.programs import PATIENCE, free_port, program
from tests.servers import saying, web_server
from tests.test_settings import PRODUCTION, ROOT, load_settings, run as run_production

DEPLOY: Final = ROOT / "deploy"
SERVICES: Final = sorted(DEPLOY.glob("*.service"))
UNITS: Final = [*SERVICES, *sorted(DEPLOY.glob("*.timer")), *sorted(DEPLOY.glob("*.socket"))]
OPERATIONS: Final = (ROOT / "docs" / "operations.md").read_text("utf-8")
HOME: Final = "/srv/registry"
MAX_EXPOSURE: Final = 15
"""In tenths, as `systemd-analyze security` takes it."""


def read_environment() -> dict[str, str]:
    """Return the sample's variables as a shell reads them, with its secret filled in."""
    found: dict[str, str] = {}
    for line in (DEPLOY / "registry.env").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            name, _equals, value = line.partition("=")
            [found[name]] = shlex.split(value)
    return found | {"REGISTRY_SECRET_KEY": PRODUCTION["REGISTRY_SECRET_KEY"]}


def test_sample_of_the_settings_is_taken(tmp_path: Path) -> None:
    home = {
        "REGISTRY_DATA_DIR": str(tmp_path),
        "REGISTRY_DATABASE_URL": f"sqlite:///{tmp_path}/registry.sqlite3",
    }

    loaded = load_settings(**read_environment() | home)

    assert (loaded["MODE"], loaded["SITE"]) == ("production", "https://urn.example")


@pytest.mark.parametrize("service", SERVICES, ids=lambda path: path.name)
def test_services_run_what_there_is_as_a_user_who_may_do_little(service: Path) -> None:
    text = service.read_text("utf-8")

    for command in re.findall(r"^ExecStart=(.+)$", text, re.MULTILINE):
        program, *rest = command.split()
        assert program.startswith(f"{HOME}/.venv/bin/")
        assert rest == ["registry.wsgi"] or (rest[0], rest[1] in get_commands()) == (
            "manage.py",
            True,
        )
    for rule in ("User=registry", "NoNewPrivileges=yes", "ProtectSystem=strict", "PrivateTmp=yes"):
        assert f"\n{rule}\n" in text


def test_every_unit_and_file_has_its_place_in_the_instructions() -> None:
    missing = [
        path.name
        for path in DEPLOY.iterdir()
        if path.suffix != ".timer" and f"`{path.name}`" not in OPERATIONS
    ]

    assert missing == []


def test_instructions_give_commands_that_there_are() -> None:
    called = set(re.findall(r"registry-manage ([a-z_]+)", OPERATIONS))

    assert called - set(get_commands()) == set()


@pytest.mark.whole
@pytest.mark.parametrize(
    ("command", "address"),
    [
        ("migrate", "postgres://owner@localhost/r"),
        ("restore", "postgres://owner@localhost/r"),
        ("load_dump", "postgres://owner@localhost/r"),
        ("status", "postgres://serving@localhost/r"),
    ],
)
def test_owner_of_the_tables_makes_them_and_does_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, address: str
) -> None:
    """Root runs the command; the test's `sudo` and `id` change no user."""
    python = tmp_path / "srv" / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    programs = {
        python: 'echo "$REGISTRY_DATABASE_URL" "$@"',
        tmp_path / "bin" / "id": 'echo "${SOMEBODY:-root}"',
        tmp_path / "bin" / "sudo": 'while [ "$1" != -- ]; do shift; done; shift\n'
        'export SOMEBODY=registry; exec "$@"',
    }
    for path, text in programs.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{text}\n", "ascii")
        path.chmod(0o755)
    (tmp_path / "registry.env").write_text(
        "REGISTRY_DATABASE_URL='postgres://serving@localhost/r'\n", "ascii"
    )
    (tmp_path / "owner.env").write_text(
        "OWNER_DATABASE_URL='postgres://owner@localhost/r'\n", "ascii"
    )
    script = tmp_path / "registry-manage"
    text = (DEPLOY / "registry-manage").read_text("utf-8")
    text = text.replace("/etc/registry", str(tmp_path)).replace(HOME, str(tmp_path / "srv"))
    script.write_text(text, "utf-8")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    monkeypatch.delenv("REGISTRY_DATABASE_URL", raising=False)

    ran = run(script, command)

    assert (ran.stdout, ran.stderr) == (f"{address} manage.py {command}\n", "")


@pytest.mark.whole
def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path) -> None:
    for unit in UNITS:
        text = unit.read_text("utf-8")
        assert f"[{unit.suffix[1:].title()}]\n" in text
        (tmp_path / unit.name).write_text(text.replace(HOME, str(ROOT)), "utf-8")
    placed = [str(tmp_path / unit.name) for unit in UNITS]

    ran = run(program("systemd-analyze"), "verify", *placed)

    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.whole
@pytest.mark.parametrize("service", SERVICES, ids=lambda path: path.name)
def test_systemd_rates_each_service_as_little_exposed(service: Path) -> None:
    """The scale ends at 10; what keeps them from less is that they need the network."""
    analyze = program("systemd-analyze")

    ran = run(analyze, "security", "--offline=yes", f"--threshold={MAX_EXPOSURE}", service)

    assert ran.returncode == 0, ran.stdout
    assert service.name in ran.stdout


@pytest.mark.whole
def test_nginx_finds_nothing_wrong_with_its_file(tmp_path: Path) -> None:
    certificate = ROOT / "tests" / "loopback.pem"
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    for where in ("/etc/ssl/certs/urn.example.pem", "/etc/ssl/private/urn.example.key"):
        assert where in text
        text = text.replace(where, str(certificate))
    text = text.replace("/var/cache/nginx-registry", str(tmp_path / "cache"))
    text = text.replace("/var/log/nginx", str(tmp_path))
    (tmp_path / "registry").write_text(text, "utf-8")
    around = f"pid {tmp_path}/pid; events {{}} http {{ include {tmp_path}/registry; }}"
    (tmp_path / "nginx.conf").write_text(around, "utf-8")

    ran = run(program("nginx"), "-t", "-e", tmp_path / "e", "-c", tmp_path / "nginx.conf")

    assert ran.returncode == 0, ran.stderr
    assert "syntax is ok" in ran.stderr


@pytest.mark.whole
def test_caddy_finds_nothing_wrong_with_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(place, str(tmp_path))

    ran = run(
        program("caddy"),
        "validate",
        "--adapter",
        "caddyfile",
        "--config",
        DEPLOY / "Caddyfile",
    )

    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == "Valid configuration\n"


@pytest.mark.parametrize(
    ("listens_at", "is_refused"),
    [
        ("127.0.0.1:8000", False),
        ("[::1]:8000", False),
        ("localhost:8000", False),
        ("unix:/run/registry.sock", False),
        ("fd://3", False),
        ("0.0.0.0:8000", True),
        (":8000", True),
        ("[::]:8000", True),
        ("192.0.2.7:80", True),
        ("registry.example:80", True),
    ],
)
def test_nobody_serves_strangers_in_production_without_a_proxy(
    settings: Settings, listens_at: str, is_refused: bool
) -> None:
    settings.DEMONSTRATION, settings.REGISTRY_TRUSTED_PROXIES = False, 0
    server = SimpleNamespace(cfg=Config())
    server.cfg.set("bind", ["127.0.0.1:8001", listens_at])
    start = runpy.run_path(str(ROOT / "gunicorn.conf.py"))["on_starting"]

    with pytest.raises(RuntimeError) if is_refused else nullcontext():
        start(server)
    for name, value in (("REGISTRY_TRUSTED_PROXIES", 1), ("DEMONSTRATION", True)):
        with override_settings(**{name: value}):
            start(server)


@pytest.mark.whole
def test_gunicorn_says_what_to_do_and_ends_where_no_proxy_is_known_of(tmp_path: Path) -> None:
    started = run_production(tmp_path, "-m", "gunicorn", "--bind=192.0.2.7:8000", "registry.wsgi")

    assert started.returncode == 1
    assert "192.0.2.7:8000" in started.stderr
    assert "set REGISTRY_TRUSTED_PROXIES" in started.stderr


@pytest.mark.whole
def test_gunicorn_writes_its_lines_as_the_registry_does(tmp_path: Path) -> None:
    code = (
        "from gunicorn.config import Config; from gunicorn.glogging import Logger;"
        "log = Logger(Config()); import registry.wsgi; log.critical('TIMEOUT (pid:%s)', 7)"
    )

    ran = run_production(tmp_path, "-W", "ignore", "-c", code, REGISTRY_LOG="json")

    line = json.loads(ran.stderr)
    assert (line["logger"], line["level"]) == ("gunicorn.error", "critical")
    assert line["event"] == "TIMEOUT (pid:7)"


@pytest.mark.whole
@pytest.mark.parametrize("name", ["REGISTRY_LOG_KEY", "REGISTRY_LOG_KEY_FILE"])
def test_no_web_server_starts_with_the_key_of_the_log(tmp_path: Path, name: str) -> None:
    key = {name: "PRIVATE+KEY+urn.example/log"}

    served = run_production(tmp_path, "-c", "import registry.wsgi", **key)
    checked = run_production(tmp_path, "manage.py", "check", "--deploy", **key)

    told = f"{name} must not be set here: the log's key belongs to the process that signs the log"
    for ran in (served, checked):
        assert (ran.returncode, told in ran.stderr, "PRIVATE" in ran.stderr) == (1, True, False)


@pytest.mark.whole
def test_error_views_are_loaded_with_the_application(
    tmp_path: Path,
) -> None:
    """An upgrade changes the code of a running server."""
    asked = "import sys, registry.wsgi; print('registry.web.errors' in sys.modules)"

    started = run_production(tmp_path, "-W", "ignore", "-c", asked)

    assert started.stdout == "True\n", started.stderr


@pytest.mark.whole
def test_logrotate_turns_what_services_write_into_files(tmp_path: Path) -> None:
    """For the registry's user if that exists; otherwise for the user running the test."""
    text = (DEPLOY / "logrotate.conf").read_text("utf-8")
    assert "    su registry registry\n" in text
    text = text.replace("    su registry registry\n", "")
    (tmp_path / "conf").write_text(text.replace("/var/log/registry", str(tmp_path)), "utf-8")
    (tmp_path / "conf").chmod(0o600)
    tmp_path.chmod(0o700)
    (tmp_path / "web.log").write_text("One line.\n", "ascii")

    ran = run(
        program("logrotate"),
        "--force",
        "--state",
        tmp_path / "state",
        tmp_path / "conf",
    )

    assert (ran.returncode, ran.stderr) == (0, "")
    [turned] = tmp_path.glob("web.log-*")
    assert turned.read_text("ascii") == "One line.\n"
    assert (tmp_path / "web.log").read_text("ascii") == ""


def test_key_of_the_log_is_handed_to_its_service_alone() -> None:
    handed = [each.name for each in SERVICES if "log-key" in each.read_text("utf-8")]

    assert handed == ["registry-log.service"]


@pytest.mark.parametrize(
    ("name", "engine", "cache"),
    [
        ("compose.yaml", "postgresql", "RedisCache"),
        ("compose-sqlite.yaml", "sqlite3", "DatabaseCache"),
    ],
)
def test_settings_take_what_containers_are_handed(
    tmp_path: Path, name: str, engine: str, cache: str
) -> None:
    values = {
        "secret-key": PRODUCTION["REGISTRY_SECRET_KEY"],
        "database-url": "postgres://registry:secret@database/registry",
        "email-url": PRODUCTION["REGISTRY_EMAIL_URL"],
    }
    for secret, value in values.items():
        (tmp_path / secret).write_text(value, "ascii")
    composed = yaml.safe_load((DEPLOY / name).read_text("utf-8"))
    handed = {
        variable: value.replace("/run/secrets", str(tmp_path)).replace(
            "/var/lib/registry", str(tmp_path)
        )
        for variable, value in composed["services"]["web"]["environment"].items()
    }

    loaded = load_settings(**read_environment() | {"REGISTRY_DATA_DIR": str(tmp_path)} | handed)

    assert loaded["DATABASE"]["ENGINE"].endswith(engine)
    assert loaded["CACHES"]["default"]["BACKEND"].endswith(cache)
    # The container listens on all its addresses, which only the proxy can reach.
    assert loaded["REGISTRY_TRUSTED_PROXIES"] == 1
    assert composed["services"]["web"]["ports"] == ["127.0.0.1:8000:8000"]


def test_only_the_container_that_migrates_gets_the_owner_of_the_tables() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]
    registries = {name: each for name, each in services.items() if each["image"] == "registry"}
    owner = "owner-database-url"

    assert [name for name, each in registries.items() if owner in each["secrets"]] == ["prepare"]
    assert {
        name: Path(each["environment"]["REGISTRY_DATABASE_URL_FILE"]).name
        for name, each in registries.items()
    } == {name: owner if name == "prepare" else "database-url" for name in registries}
    assert all("superuser-password" not in each["secrets"] for each in registries.values())


@pytest.mark.parametrize("name", ["compose.yaml", "compose-sqlite.yaml"])
def test_file_for_containers_runs_what_the_units_run(name: str) -> None:
    services = yaml.safe_load((DEPLOY / name).read_text("utf-8"))["services"]
    commands = {str(each.get("command", "")) for each in services.values()}

    for service in SERVICES:
        for command in re.findall(r"manage\.py ([a-z_]+)", service.read_text("utf-8")):
            assert any(f"manage.py {command}" in each for each in commands), command
    [daily] = [each for each in commands if "verify_journal" in each]
    assert "manage.py prune_db_task_results; sleep 86400" in daily
    with_key = [name for name, each in services.items() if "log-key" in each.get("secrets", ())]
    assert with_key == ["log"]


@pytest.mark.whole
@pytest.mark.parametrize("name", ["compose.yaml", "compose-sqlite.yaml"])
def test_container_counts_as_healthy_while_the_registry_is_ready(
    name: str,
) -> None:
    services = yaml.safe_load((DEPLOY / name).read_text("utf-8"))["services"]
    kind, *command = services["web"]["healthcheck"]["test"]
    assert (kind, command[0]) == ("CMD", "python")
    [code] = [each for each in command if "urlopen" in each]
    assert "http://127.0.0.1:8000/health/ready" in code

    def check(port: int) -> int:
        return subprocess.run(
            [sys.executable, *command[1:-1], code.replace(":8000", f":{port}")],
            env=os.environ | {"no_proxy": "*"},
            capture_output=True,
            check=False,
            timeout=PATIENCE,
        ).returncode

    checks = []
    for status in (200, 503):
        with web_server(saying(b"", status)) as server:
            checks.append(check(server.port))
    checks.append(check(free_port()))

    assert checks == [0, 1, 1]


SECRET_FILES: Final = (
    ".env",
    ".git/config",
    "backup/registry-20261123T081500Z/dump.jsonl",
    "deploy/owner.env",
    "deploy/registry.env",
    "registry.sqlite3",
    "registry/registry.sqlite3-wal",
    "tools/__pycache__/settings.pyc",
    "var/log-development-key",
    "var/secret-key",
)


def read_copied_sources() -> list[str]:
    """Return what the image copies from the folder of the registry, as the Containerfile says."""
    lines = (DEPLOY / "Containerfile").read_text("utf-8").splitlines()
    instructions = [shlex.split(line) for line in lines if re.match(r"(COPY|ADD)\b", line)]
    assert "ADD" not in [name for name, *_rest in instructions]
    return [
        source
        for _copy, *words in instructions
        if not words[0].startswith("--from=")
        for source in words[:-1]
    ]


def is_ignored(path: str, patterns: list[str]) -> bool:
    """Whether an image builder ignores a file: the last pattern that matches decides.

    A pattern that matches a folder matches what is in it; `**/` stands for any folders, or none.
    """
    ignored = False
    places = [Path(path), *Path(path).parents][:-1]
    for pattern in patterns:
        glob = pattern.removeprefix("!")
        names = [place.name if glob.startswith("**/") else str(place) for place in places]
        if any(fnmatch(name, glob.removeprefix("**/")) for name in names):
            ignored = not pattern.startswith("!")
    return ignored


@pytest.mark.parametrize("name", [".containerignore", ".dockerignore"])
def test_image_takes_in_no_secret(name: str) -> None:
    lines = (ROOT / name).read_text("utf-8").splitlines()
    patterns = [line for line in lines if line and not line.startswith("#")]
    secret_files = [
        f"deploy/{each['file']}"
        for composed in ("compose.yaml", "compose-sqlite.yaml")
        for each in yaml.safe_load((DEPLOY / composed).read_text("utf-8"))["secrets"].values()
    ]
    sources = read_copied_sources()

    assert len(secret_files) > 5
    for secret_file in (*secret_files, *SECRET_FILES):
        assert is_ignored(secret_file, patterns), secret_file
    assert [each for each in sources if not re.fullmatch(r"[\w-]+(\.\w+)*", each)] == []
    assert [each for each in sources if is_ignored(each, patterns)] == []
    for source in ("registry/wsgi.py", "templates/base.html", "static/js/app.js", "manage.py"):
        assert not is_ignored(source, patterns)
        assert source.split("/")[0] in sources


@pytest.mark.whole
def test_trial_gives_the_commands_of_the_instructions_in_their_order() -> None:
    script = DEPLOY / "try.sh"
    [install] = re.findall(r"^## Install\n(.*?)^## ", OPERATIONS, re.DOTALL | re.MULTILINE)

    listed = run("sh", script, "--list")

    assert listed.stdout.splitlines() == re.findall(r"^    # (.*)$", install, re.MULTILINE)
    assert "registry-manage migrate" in listed.stdout.splitlines()


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
