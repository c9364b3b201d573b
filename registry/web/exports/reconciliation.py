"""Reconciliation for OpenRefine and similar tools: which namespace each cell of a column means.

The protocol is the Reconciliation Service API 0.2 of the W3C's Entity Reconciliation Community
Group: a manifest if there are no queries, and a batch of queries in the query string or a form.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_lazy

from registry.errors import RegistryError
from registry.http.cors import open_to_all_sites
from registry.http.methods import require_open_methods
from registry.http.problems import PROBLEM_KINDS, respond_with_problem
from registry.inspection import reconcile_text
from registry.presenters.resolution import build_namespace_url

NAMESPACE_TYPE: Final = {"id": "namespace", "name": "URN namespace"}
MAX_RECONCILED_QUERIES: Final = 200
DEFAULT_CANDIDATES: Final = 5
MAX_CANDIDATES: Final = 25


class UnreadableQueries(RegistryError):
    """The queries are not a batch; the message can be shown."""

    status = HTTPStatus.BAD_REQUEST


@require_open_methods(
    ("GET", "HEAD", "POST"), gettext_lazy("Ask with GET or POST: queries are only read here.")
)
@open_to_all_sites
def serve_reconciliation(request: HttpRequest) -> HttpResponse:
    """Return the manifest, or answer a batch of queries, of which nothing is stored."""
    asked = request.POST.get("queries") or request.GET.get("queries")
    if asked is None:
        return JsonResponse(make_manifest())
    try:
        queries = read_queries(asked)
    except UnreadableQueries as error:
        return respond_with_problem(
            HTTPStatus.BAD_REQUEST, str(error), kind=PROBLEM_KINDS["invalid-input"]
        )
    answers = {key: {"result": answer_query(query)} for key, query in queries.items()}
    return JsonResponse(answers)


def make_manifest() -> dict[str, Any]:
    """Return the manifest: what the service is, and where its matches can be read."""
    page = build_namespace_url("nid").replace("/nid/", "/{{id}}/")
    return {
        "versions": ["0.2"],
        "name": "URN Namespace Registry",
        "identifierSpace": f"{settings.SITE}{reverse('namespaces:index')}",
        "schemaSpace": f"{settings.SITE}/ns#",
        "documentation": f"{settings.SITE}{reverse('guide:section', args=['programs'])}#tables",
        "defaultTypes": [NAMESPACE_TYPE],
        "view": {"url": page},
        "batchSize": MAX_RECONCILED_QUERIES,
    }


def read_queries(text: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the queries by their keys; raise `UnreadableQueries` for anything else."""
    try:
        queries = json.loads(text)
    except (ValueError, RecursionError):
        raise UnreadableQueries(_("“queries” is no JSON.")) from None
    if not isinstance(queries, dict) or not all(
        isinstance(each, dict) and isinstance(each.get("query"), str) for each in queries.values()
    ):
        words = _("“queries” is an object of objects, each with a text as its “query”.")
        raise UnreadableQueries(words)
    if len(queries) > MAX_RECONCILED_QUERIES:
        words = _("Ask at most %d queries at once.")
        raise UnreadableQueries(words % MAX_RECONCILED_QUERIES)
    return queries


def answer_query(query: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the candidates for one cell; for a type other than ours there are none."""
    wanted = query.get("type")
    types = wanted if isinstance(wanted, list) else [wanted]
    if wanted and NAMESPACE_TYPE["id"] not in types:
        return []
    limit = query.get("limit")
    most = limit if isinstance(limit, int) and 0 < limit <= MAX_CANDIDATES else DEFAULT_CANDIDATES
    return [
        {
            "id": each.nid,
            "name": each.nid,
            "description": each.summary,
            "type": [NAMESPACE_TYPE],
            "score": round(each.score, 1),
            "match": each.is_match,
        }
        for each in reconcile_text(query["query"], most)
    ]
