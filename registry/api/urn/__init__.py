"""URNs for programs: read, compared, resolved against, found, and checked by the thousand."""
