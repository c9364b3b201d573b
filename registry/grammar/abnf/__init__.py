"""Reading ABNF (RFC 5234, RFC 7405) as people write and copy it."""

from registry.grammar.abnf.reading import rules

__all__ = ["rules"]
