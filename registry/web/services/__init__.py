"""Where names of a namespace resolve, and the vocabularies that services are described in."""
