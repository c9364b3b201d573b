"""A person's own pages: profile, requests, tokens, follows, webhooks and sign-in."""
