"""Who acts for an organization, how that is proved, and who co-edits one request."""
