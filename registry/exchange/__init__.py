"""What goes in and out as files: seed data, backups, exports, the static site, locator tables."""
