"""Who acts for an organization, how that is proved, and who writes one request along."""
