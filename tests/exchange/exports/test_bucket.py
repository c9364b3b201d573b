"""Built files in an S3-like store, which several servers share without a common folder."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from django.test import Client
from moto import mock_aws
from pytest_django import Settings

from registry.exchange.exports import builder, refresh_exports, refreshing
from registry.models import BuiltExport, Namespace
from registry.models.export import DUMP_NAME
from tests.factories import NamespaceFactory
from tests.test_settings import load_settings

pytestmark = pytest.mark.django_db

BUCKET = "registry-files"
NOTICE = 20_000


@pytest.fixture
def bucket(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A bucket named in production settings."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "of-the-tests")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setattr(refreshing, "REST_FACTOR", 0)
    store = load_settings(REGISTRY_EXPORTS_BUCKET=BUCKET)["STORAGES"]["exports"]
    settings.STORAGES = {**settings.STORAGES, "exports": store}
    with mock_aws():
        client = boto3.client("s3")
        client.create_bucket(Bucket=BUCKET)
        yield client


def list_stored(bucket: Any) -> set[str]:
    """Return what is in the bucket."""
    found = bucket.list_objects_v2(Bucket=BUCKET).get("Contents", [])
    return {each["Key"] for each in found}


def test_files_lie_in_the_bucket_and_are_handed_out_from_there(bucket: Any) -> None:
    NamespaceFactory.create(nid="first")

    refresh_exports()

    kept = BuiltExport.objects.values_list("path", flat=True)
    assert list_stored(bucket) == {f"exports/{path}" for path in kept}
    answer = Client().get("/exports/urn-namespaces.txt")
    assert b"first" in answer.content
    assert answer["ETag"] == f'"{BuiltExport.objects.get(name="urn-namespaces.txt").sha256}"'


def test_long_file_is_sent_from_the_bucket_as_it_is_read(bucket: Any) -> None:
    Namespace.objects.bulk_create(
        Namespace(nid=f"big{n}", nid_as_registered=f"big{n}", kind="formal", notice="n" * NOTICE)
        for n in range(100)
    )
    refresh_exports()

    response: Any = Client().get(f"/exports/{DUMP_NAME}")

    chunks = list(response.streaming_content)
    built = BuiltExport.objects.get(name=DUMP_NAME)
    assert built.size > 100 * NOTICE
    assert hashlib.sha256(b"".join(chunks)).hexdigest() == built.sha256
    assert max(map(len, chunks)) <= builder.FILE_CHUNK_BYTES


@pytest.mark.whole
def test_old_files_leave_the_bucket(bucket: Any) -> None:
    for number in range(4):
        NamespaceFactory.create(nid=f"name{number}")
        refresh_exports(at_once=True)
        BuiltExport.objects.update(state="behind")

    names = [key for key in list_stored(bucket) if key.endswith("-urn-namespaces.txt")]
    assert len(names) == builder.MAX_BUILDS_KEPT


def test_file_that_left_the_bucket_is_built_anew(bucket: Any) -> None:
    refresh_exports()
    lost = BuiltExport.objects.get(name="SHA256SUMS")
    bucket.delete_object(Bucket=BUCKET, Key=f"exports/{lost.path}")

    missing = Client().get("/exports/SHA256SUMS")
    refresh_exports()

    assert missing.status_code == 503
    assert Client().get("/exports/SHA256SUMS").status_code == 200
