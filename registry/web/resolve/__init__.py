"""Name resolution, at our own addresses and at those of RFC 2169."""
