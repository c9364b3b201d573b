"""One URN read, two compared, many checked, and a rule for names tried."""
