"""Search: one index of all that everybody may read, kept in the database, and asked by words.

`index` keeps it true: the person who changes a text that everybody reads has it refreshed in the
same transaction. `queries` answers. It holds nothing that an anonymous reader could not open.
"""

from registry.search.bare_names import BareName, recognize_bare_names
from registry.search.index import (
    find_stale_documents,
    is_subject_indexed,
    rebuild_index,
    refresh_namespaces,
    refresh_subject,
    refresh_vocabularies,
)
from registry.search.nid_keys import fill_nid_keys, find_stale_keys
from registry.search.queries import (
    SearchResult,
    SearchResults,
    find_namespace_keys,
    search_index,
    suggest_results,
)

__all__ = [
    "BareName",
    "SearchResult",
    "SearchResults",
    "fill_nid_keys",
    "find_namespace_keys",
    "find_stale_documents",
    "find_stale_keys",
    "is_subject_indexed",
    "rebuild_index",
    "recognize_bare_names",
    "refresh_namespaces",
    "refresh_subject",
    "refresh_vocabularies",
    "search_index",
    "suggest_results",
]
