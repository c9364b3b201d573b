"""Where names resolve, for programs: services, and the two registries of words about them."""
