"""HTTP: negotiation, conditional requests, cache, links, redirects, cross-origin access."""
