"""Search: one index of everything public, stored in the database and queried by words.

`index` keeps it up to date: changing a public text refreshes its entry in the same transaction.
`queries` searches. It contains nothing that an anonymous reader could not open.
"""

from registry.search.index import (
    UNINDEXED_VERBS,
    IndexUpdate,
    find_stale_documents,
    rebuild_index,
    refresh_namespaces,
    refresh_subject,
    refresh_vocabularies,
)
from registry.search.queries import (
    SearchResult,
    SearchResults,
    find_meant_names,
    find_namespace_keys,
    search_index,
    suggest_results,
)

__all__ = [
    "UNINDEXED_VERBS",
    "IndexUpdate",
    "SearchResult",
    "SearchResults",
    "find_meant_names",
    "find_namespace_keys",
    "find_stale_documents",
    "rebuild_index",
    "refresh_namespaces",
    "refresh_subject",
    "refresh_vocabularies",
    "search_index",
    "suggest_results",
]
