"""Programs of others from npm: which versions, and how they are asked."""
